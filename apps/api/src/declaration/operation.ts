import { type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { type Right } from '#access';
import { type JsonObject, type JsonText, type Position, type Scope } from '#kernel';

export type Action = 'get' | 'set' | 'update';

/** Chooses the requests that an operation answers: those in which the member has the value. */
export interface When {
  member: string;
  value: string;
  /** It answers those, too, that no other operation of the path and action answers. */
  byDefault?: true;
}

/** `data_format=from_template` */
export const spellWhen = ({ member, value }: When): string => `${member}=${value}`;

/** Everything about an operation but its handler. Routing, validation and the documents are derived from it. */
export interface Declaration {
  /** Path below the version segment: `itembank/items/tags`. */
  path: string;
  action: Action;
  /** What tells it apart from another operation of its path and action. */
  when?: When;
  /** The right on the bank that it takes, where that does not follow from the action: to read for get, else to write. */
  right?: Right;
  /** What must be switched on for the consumer, as operators name it. */
  feature?: string;
  /** Without organisation_id it is about every organisation that the consumer may read, rather than its primary one. */
  acrossOrganisations?: true;
  summary: string;
  /** A small request, as the documents show it; it names what the other examples make. */
  example: JsonObject;
  input: TObject;
  /** Name of an object in which the parameters may also stand. */
  nestedIn?: string;
  /** Shape of `data` in the answer. */
  output: TSchema;
  deprecated?: boolean;
}

/** What the caller must be allowed to do with the bank. */
export const rightFor = ({ action, right }: Pick<Declaration, 'action' | 'right'>): Right =>
  right ?? (action === 'get' ? 'read' : 'write');

/** Whether an operation has an effect that is not wanted twice, so that `meta.idempotency_key` counts. */
export const hasEffect = ({ action }: Pick<Declaration, 'action'>): boolean => action !== 'get';

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
