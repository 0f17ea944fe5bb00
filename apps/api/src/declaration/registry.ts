import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { operations } from '../operations/index';
import { type Action, type Declaration, declarationOf, type Operation } from './operation';
import { InputCheck } from './validation';

/** An operation with its handler. */
export interface Endpoint {
  declaration: Declaration;
  handler: Operation;
  check: InputCheck<Declaration['input']>;
}

/** Finds operations by path and action, and by parameters if several share both. */
@Injectable()
export class Registry implements OnModuleInit {
  private readonly endpoints = new Map<string, Map<Action, Endpoint[]>>();

  constructor(private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    for (const handler of operations) {
      const declaration = declarationOf(handler);
      const { path, action, when } = declaration;
      const actions = this.endpoints.get(path) ?? new Map<Action, Endpoint[]>();
      const others = actions.get(action) ?? [];
      if (others.some((other) => !when || other.declaration.when?.value === when.value))
        throw new Error(`${action} ${path} is declared twice.`);
      const endpoint = {
        declaration,
        handler: this.modules.get<Operation>(handler, { strict: false }),
        check: new InputCheck(declaration.input),
      };
      // The default operation comes first.
      actions.set(action, when?.byDefault ? [endpoint, ...others] : [...others, endpoint]);
      this.endpoints.set(path, actions);
    }
  }

  /** Whether an operation is on the path. */
  knows(path: string): boolean {
    return this.endpoints.has(path);
  }

  /** The operation of the path and action; the default one if there are several. */
  find(path: string, action: string): Endpoint | undefined {
    return this.endpoints.get(path)?.get(action as Action)?.[0];
  }

  /** The operation for these parameters among those with the path and action of `endpoint`. */
  chosen(endpoint: Endpoint, parameters: Record<string, unknown>): Endpoint {
    const { path, action, when } = endpoint.declaration;
    if (!when) return endpoint;
    const all = this.endpoints.get(path)!.get(action)!;
    return all.find(({ declaration }) => parameters[when.member] === declaration.when!.value) ?? endpoint;
  }

  /** The actions that the path supports. */
  actionsOn(path: string): string[] {
    return [...(this.endpoints.get(path)?.keys() ?? [])].sort();
  }
}
