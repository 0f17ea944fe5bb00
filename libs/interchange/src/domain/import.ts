import { type Kind } from '#content';

/** The stored status of an import. `refused`: its file cannot be read. */
export const IMPORT_STATUSES = [
  'planning',
  'planned',
  'refused',
  'applying',
  'applied',
  'reverting',
  'reverted',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** The statuses that callers see. `halted`: the job of the import failed, or was removed. */
export const SHOWN_STATUSES = [...IMPORT_STATUSES, 'halted'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** The statuses while the job of an import works on it. */
const MOVING: readonly ImportStatus[] = ['planning', 'applying', 'reverting'];
export const isMoving = (status: ImportStatus): boolean => MOVING.includes(status);

/** How many entries had each result, and how many notes each severity. */
export interface Totals {
  created: number;
  replaced: number;
  skipped: number;
  refused: number;
  notes: { lost: number; approximated: number; kept_aside: number };
}

/** Why the file of an import cannot be read, or why its revert was refused. */
export interface ImportError {
  /** One of a fixed list of codes, such as `package-path-unsafe`. */
  code: string;
  message: string;
  /** The place in the source. */
  at: string;
}

/** An import of an uploaded file. */
export interface Import {
  /** The job that plans it. A ULID. */
  id: string;
  status: ImportStatus;
  /** The job that works on it, or the last one that did. */
  job: string;
  file: string;
  /** Name of the file, from its upload. */
  name: string;
  /** Null until it is known. */
  format: string | null;
  onCollision: string;
  /** Hash of the plan; null until there is one. */
  plan: string | null;
  /** Totals of the plan. After the plan is applied: totals of what was stored. */
  totals: Totals | null;
  error: ImportError | null;
  changedAt: number;
}

/** The author of every revision that an import writes. */
export const authorOf = (id: string): string => `import-${id}`;

/** The outcome for a record when its import was reverted. */
export const OUTCOMES = ['restored', 'archived', 'kept', 'changed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A record that an import wrote. */
export interface ImportedRecord {
  kind: Kind;
  id: string;
  /** Its latest revision that the import did not make; null when there was none. */
  before: number | null;
  /** Its latest revision that the import made. */
  made: number;
}
