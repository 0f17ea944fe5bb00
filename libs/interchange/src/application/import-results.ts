import { type Entry } from '../formats/entry';
import { type Note } from '../formats/note';

/**
 * How to treat an entry whose reference belongs to a different record of the bank. Equal records are always skipped.
 */
export const COLLISION_RULES = ['fail', 'skip', 'replace', 'new-reference'] as const;
export type CollisionRule = (typeof COLLISION_RULES)[number];

export const RESULTS = ['created', 'replaced', 'skipped', 'refused'] as const;
export type Result = (typeof RESULTS)[number];

export interface ImportedEntry {
  source: string;
  reference: string;
  result: Result;
  notes: Note[];
}

export interface ImportOptions {
  onCollision: CollisionRule;
  /** Absent: a plan. Nothing is stored. */
  apply?: boolean;
  /** Stores exactly what this plan says. */
  plan?: PlanToFollow;
  /** Wraps each unit of work that stores entries. */
  run?(work: () => Promise<unknown>): Promise<void>;
  /** Items that an earlier part of this import could not store. Activities are stored without them. */
  missing?: Iterable<string>;
  /** Whether the source is another copy of this bank. Then a reference means the same record in both. */
  isSameBank?: boolean;
}

/** A plan that an apply follows, entry by entry. Entries are numbered from 0. */
export interface PlanToFollow {
  /** The number of entries that are already done. These are only read. */
  readonly done: number;
  /** Returns the planned results one by one, in the order of the entries. */
  next(): Promise<PlannedEntry | undefined>;
  /** Reports an entry that would not get the planned result, and is therefore not stored. */
  differs(entry: Entry, planned: PlannedEntry | undefined): void;
  /** Runs a unit of work that stores entries. `work` returns how many entries of the import are done after it. */
  run(work: () => Promise<number>): Promise<void>;
}

/** The line of a plan for an entry. */
export interface PlannedEntry {
  line: string;
  reference: string;
  result: Result;
  notes: readonly { code: string; was: string }[];
}

/** An entry as the bank now has it, with its result. */
export interface Written extends ImportedEntry {
  record: Entry['record'];
  /** The kind of the record, also of one that cannot be imported; absent if it is unknown. */
  kind?: Entry['kind'];
}
