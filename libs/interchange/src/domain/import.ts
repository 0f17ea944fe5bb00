import { type Kind } from '#content';

/** Where an import stands, as it is stored. `refused`: its file cannot be read. */
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

/** Also `halted`: its job has failed, or is gone. */
export const SHOWN_STATUSES = [...IMPORT_STATUSES, 'halted'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** While an import has one of these, its job has to do with it. */
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

/** Why the file of an import cannot be read. */
export interface ImportError {
  /** A code of a closed list: `package-path-unsafe`. */
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
  /** The job that has it in hand, or had it last. */
  job: string;
  file: string;
  /** Name of the file, as the uploader called it. */
  name: string;
  /** Null until it is known. */
  format: string | null;
  onCollision: string;
  /** Hash of the plan; null until there is one. */
  plan: string | null;
  /** Of the plan; once applied, of what was stored. */
  totals: Totals | null;
  error: ImportError | null;
  changedAt: number;
}

/** The author of all that an import writes. */
export const authorOf = (id: string): string => `import-${id}`;

/** What became of a record when its import was taken back. */
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
