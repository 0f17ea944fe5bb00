import { type RunningJob } from '#jobs';
import { Fault, type Scope } from '#kernel';
import { authorOf, type Import } from '../domain/import';
import { type ImportStore } from './ports/import-store';

/* The jobs of imports, and their inputs. */

export const PLAN_IMPORT = 'plan-import';
export const APPLY_IMPORT = 'apply-import';
export const REVERT_JOB = 'revert-import';

/** The import has the same reference as the job that plans it. */
export interface PlanTask {
  readable: number[];
}

export interface ApplyTask {
  import: string;
  readable: number[];
}

export interface RevertTask {
  import: string;
  /** The state of the import before the request. A refused revert restores it. Absent in tasks of an earlier version. */
  before?: Pick<Import, 'status' | 'job'>;
}

/** @throws Fault when the import was removed. */
export async function importOf(store: ImportStore, organisation: number, id: string): Promise<Import> {
  const [found] = (await store.find(organisation, { references: [id], limit: 1 })).entries;
  if (!found) throw new Fault('conflict', 'The import was removed meanwhile; start it again.');
  return found;
}

const MAX_NAME_LENGTH = 50;

/** An import writes as an author of its own, with its name. */
export function scopeOf({ id, name }: Import, job: RunningJob, readable: readonly number[]): Omit<Scope, 'now'> {
  const { shelf, operation, request } = job.scope;
  const author = { id: authorOf(id), firstname: 'Import', lastname: [...name].slice(0, MAX_NAME_LENGTH).join('') };
  return { shelf, operation, request, author, readable: new Set(readable) };
}
