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
  /** Absent: the operation is not implemented yet. */
  built?: { name: string; declaration: Declaration };
}

const keyOf = ({ path, action, when }: DescribedOperation): string => [action, path, when].filter(Boolean).join(' ');

/** The operations of the specification in its order, then the additional ones of this service. */
export function allOperations(): DescribedOperation[] {
  const built = new Map(
    operations.map((handler) => {
      const declaration = declarationOf(handler);
      const { path, action, when } = declaration;
      return [keyOf({ path, action, when: when && spellWhen(when) }), { name: handler.name, declaration }];
    }),
  );
  const rows: DescribedOperation[] = specified.map((row) => ({ ...row, built: built.get(keyOf(row)) }));
  const known = new Set(specified.map(keyOf));
  for (const [key, found] of built) {
    const { path, action } = found.declaration;
    if (!known.has(key)) rows.push({ path, action, beyond: true, built: found });
  }
  return rows;
}

/** The number of operations, and how many of them are implemented. */
export function scopeOf(all: readonly DescribedOperation[]): string {
  const specified = all.filter(({ beyond }) => !beyond);
  const built = specified.filter((operation) => operation.built);
  const missing = specified.length - built.length;
  const without = missing > 0 ? `, of which ${missing} are not built and answer 404 with the code 20012` : '';
  return `The ${specified.length} operations of the specification${without}, and ${all.length - specified.length} beyond it.`;
}
