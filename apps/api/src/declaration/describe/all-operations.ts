import { operations } from '../../operations/index';
import { type Action, type Declaration, declarationOf, spellWhen } from '../operation';
import { specified } from '../specified';

/** An operation as the documents show it. */
export interface DescribedOperation {
  path: string;
  action: Action;
  /** Distinguishes operations with the same path and action: `member=value`. */
  when?: string;
  /** Whether the operation is missing in the specification. */
  beyond?: true;
  /** The name of the class that handles it. */
  name: string;
  declaration: Declaration;
}

const keyOf = ({ path, action, when }: { path: string; action: string; when?: string }): string =>
  [action, path, when].filter(Boolean).join(' ');

/** The operations of the specification in its order, then the additional ones of this service. */
export function allOperations(): DescribedOperation[] {
  const order = specified.map(keyOf);
  const all = operations.map((handler) => {
    const declaration = declarationOf(handler);
    const { path, action } = declaration;
    const when = declaration.when && spellWhen(declaration.when);
    const operation: DescribedOperation = { path, action, name: handler.name, declaration };
    // Operations of this service differ by path and action alone.
    return order.includes(keyOf({ path, action, when }))
      ? { ...operation, when }
      : { ...operation, beyond: true as const };
  });
  const place = ({ path, action, when, beyond }: DescribedOperation) =>
    beyond ? order.length : order.indexOf(keyOf({ path, action, when }));
  return all.sort((a, b) => place(a) - place(b));
}

/** The number of operations. */
export function scopeOf(all: readonly DescribedOperation[]): string {
  const beyond = all.filter((operation) => operation.beyond).length;
  return `The ${all.length - beyond} operations of the specification, and ${beyond} beyond it.`;
}
