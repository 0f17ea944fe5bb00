import { type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { type Right } from '#access';
import { type JsonObject, type JsonText, type Position, type Scope } from '#kernel';

export type Action = 'get' | 'set' | 'update';

/** Selects the requests of an operation: those in which the member has the value. */
interface When {
  member: string;
  value: string;
  /** Whether it also answers requests that no other operation of the path and action answers. */
  byDefault?: true;
}

/** `data_format=from_template` */
export const spellWhen = ({ member, value }: When): string => `${member}=${value}`;

/** An operation without its handler. Routing, validation and the documents are derived from it. */
export interface Declaration {
  /** Path below the version segment: `itembank/items/tags`. */
  path: string;
  action: Action;
  /** Distinguishes it from other operations with the same path and action. */
  when?: When;
  /** The right on the bank that it needs. Default: read for get, otherwise write. */
  right?: Right;
  /** The feature that the consumer needs, as operators name it. */
  feature?: string;
  /** Whether, without organisation_id, it covers all readable organisations instead of the consumer's primary one. */
  acrossOrganisations?: true;
  summary: string;
  /** A small request for the documents. Its names come from the other examples. */
  example: JsonObject;
  input: TObject;
  /** Name of an object that may contain the parameters instead. */
  nestedIn?: string;
  /** Shape of `data` in the answer. */
  output: TSchema;
  deprecated?: boolean;
}

/** The right on the bank that the caller needs. */
export const rightFor = ({ action, right }: Pick<Declaration, 'action' | 'right'>): Right =>
  right ?? (action === 'get' ? 'read' : 'write');

/** Whether an operation has an effect that must not be repeated, so that `meta.idempotency_key` applies. */
export const hasEffect = ({ action }: Pick<Declaration, 'action'>): boolean => action !== 'get';

/** The result of an operation. */
export interface Result {
  /** JSON text of `data`, passed on as it is. */
  data: JsonText;
  /** Number of records on this page; absent where the result is not a list. */
  records?: number;
  /** Set when another page exists. */
  after?: Position;
  /** Further members of `meta`. */
  meta?: Record<string, unknown>;
}

export interface Operation<Input extends TObject = TObject> {
  /** @param after the start of the page, from the caller's token. */
  execute(input: Static<Input>, scope: Scope, after?: Position): Promise<Result>;
}

type OperationClass = new (...services: never[]) => Operation;

const declarations = new Map<OperationClass, Declaration>();

/** Declares a class as the handler of an operation. */
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
