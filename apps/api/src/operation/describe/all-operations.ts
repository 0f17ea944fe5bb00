import { operations } from '../../operations';
import { type Action, type Declaration, declarationOf } from '../operation';
import { specified } from '../specified';

/** An operation as the documents show it. */
export interface DescribedOperation {
  path: string;
  action: Action;
  /** What tells apart operations of the same path and action: `member=value`. */
  when?: string;
  /** Absent: the operation is not built yet. */
  built?: { name: string; declaration: Declaration };
}

/** The operations of the specification in its order, then those that this service has beyond it. */
export function allOperations(): DescribedOperation[] {
  const built = new Map(
    operations.map((handler) => {
      const declaration = declarationOf(handler);
      return [`${declaration.action} ${declaration.path}`, { name: handler.name, declaration }];
    }),
  );
  const rows: DescribedOperation[] = specified.map((row) => {
    const key = `${row.action} ${row.path}`;
    return { ...row, built: built.get(key) };
  });
  const known = new Set(specified.map(({ action, path }) => `${action} ${path}`));
  for (const [key, found] of built) {
    const { path, action } = found.declaration;
    if (!known.has(key)) rows.push({ path, action, built: found });
  }
  return rows;
}
