import { type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { type JsonText, type Position, type Scope } from '#kernel';

export type Action = 'get' | 'set' | 'update';

/** Everything about an operation but its handler. Routing, validation and the documents are derived from it. */
export interface Declaration {
  /** Path below the version segment: `itembank/items/tags`. */
  path: string;
  action: Action;
  summary: string;
  input: TObject;
  /** Shape of `data` in the answer. */
  output: TSchema;
  deprecated?: boolean;
}

/** What an operation answers. */
export interface Result {
  /** JSON text of `data`, handed on as it is. */
  data: JsonText;
  /** Number of records on this page; absent where the answer is no list. */
  records?: number;
  /** Set when another page exists. */
  after?: Position;
  /** Further members of `meta`. */
  meta?: Record<string, unknown>;
}

export interface Operation<Input extends TObject = TObject> {
  /** @param after where the page begins, from the token that the caller sent. */
  execute(input: Static<Input>, scope: Scope, after?: Position): Promise<Result>;
}

type OperationClass = new (...services: never[]) => Operation;

const declarations = new Map<OperationClass, Declaration>();

/** Declares a class as the handler of one operation of the service. */
export function operation(declaration: Declaration) {
  return (handler: new (...services: never[]) => Operation<never>): void => {
    declarations.set(handler, declaration);
  };
}

export function declarationOf(handler: OperationClass): Declaration {
  const declaration = declarations.get(handler);
  if (!declaration) throw new Error(`${handler.name} is not decorated with @operation.`);
  return declaration;
}
