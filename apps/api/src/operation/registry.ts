import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { operations } from '../operations';
import { type Action, type Declaration, declarationOf, type Operation } from './operation';
import { specified } from './specified';
import { InputCheck } from './validation';

/** An operation ready to be called. */
export interface Endpoint {
  declaration: Declaration;
  handler: Operation;
  check: InputCheck<Declaration['input']>;
}

/** Finds operations by path and action. */
@Injectable()
export class Registry implements OnModuleInit {
  private readonly endpoints = new Map<string, Map<Action, Endpoint>>();

  constructor(@Inject(ModuleRef) private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    for (const handler of operations) {
      const declaration = declarationOf(handler);
      const actions = this.endpoints.get(declaration.path) ?? new Map<Action, Endpoint>();
      if (actions.has(declaration.action))
        throw new Error(`${declaration.action} ${declaration.path} is declared twice.`);
      actions.set(declaration.action, {
        declaration,
        handler: this.modules.get<Operation>(handler, { strict: false }),
        check: new InputCheck(declaration.input),
      });
      this.endpoints.set(declaration.path, actions);
    }
  }

  /** Whether the specification, or this service beyond it, has any operation on the path. */
  knows(path: string): boolean {
    return this.endpoints.has(path) || specified.some((row) => row.path === path);
  }

  find(path: string, action: string): Endpoint | undefined {
    return this.endpoints.get(path)?.get(action as Action);
  }

  /** The actions that can be called on the path. */
  actionsOn(path: string): string[] {
    return [...(this.endpoints.get(path)?.keys() ?? [])].sort();
  }

  /** Whether the specification has the operation, built here or not. */
  isSpecified(path: string, action: string): boolean {
    return specified.some((row) => row.path === path && row.action === action);
  }
}
