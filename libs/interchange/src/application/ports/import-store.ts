import { type Kind } from '#content';
import { type Position, type Slice } from '#kernel';
import { type Import, type ImportedRecord, type ImportStatus, type Outcome } from '../../domain/import';

/** An uploaded file. */
export interface UploadedFile {
  id: string;
  name: string;
}

/** A change of an import. Absent members stay unchanged. */
export type ImportChange = { status: ImportStatus } & Partial<
  Pick<Import, 'job' | 'format' | 'plan' | 'totals' | 'error'>
>;

/** A record to revert, under its present reference. */
export interface RecordToRevert extends ImportedRecord {
  reference: string;
}

export interface NamedRecord {
  kind: Kind;
  reference: string;
}

/** Imports, their files, and the records that they wrote. */
export abstract class ImportStore {
  /** Records a file before its upload. */
  abstract addFile(organisation: number, file: UploadedFile): Promise<void>;

  abstract file(organisation: number, id: string): Promise<UploadedFile | undefined>;

  abstract add(organisation: number, added: Omit<Import, 'name'>): Promise<void>;

  /** Newest first. `after` is set exactly when another slice exists. */
  abstract find(
    organisation: number,
    query: { references?: readonly string[]; limit: number; after?: Position },
  ): Promise<Slice<Import>>;

  /** The import, locked until the unit of work ends. */
  abstract lock(organisation: number, id: string): Promise<Import | undefined>;

  /** Changes the import if this job works on it; otherwise returns false. */
  abstract move(organisation: number, id: string, by: string, change: ImportChange, now: number): Promise<boolean>;

  /**
   * Records which records the import has written since a moment. Call it in the unit of work that wrote them.
   * @param since at or before the first of these writes.
   */
  abstract note(organisation: number, id: string, since: number): Promise<void>;

  /** Records that changed after the import wrote them, unless a reversal has restored them. At most `limit`. */
  abstract changed(organisation: number, id: string, limit: number): Promise<NamedRecord[]>;

  /**
   * Records of a kind that are not reverted yet, by id, at most `limit`. `isChanged`: changed since the import.
   * @param after an id, or '' for the first records.
   */
  abstract pending(
    organisation: number,
    id: string,
    kind: Kind,
    after: string,
    limit: number,
  ): Promise<(RecordToRevert & { isChanged: boolean })[]>;

  /** Stores the outcomes of these records in a reversal. */
  abstract settle(
    organisation: number,
    id: string,
    settled: readonly (ImportedRecord & { outcome: Outcome })[],
  ): Promise<void>;

  /** The number of records of the import by outcome. Null stands for records that are not reverted. */
  abstract outcomes(organisation: number, id: string): Promise<Map<Outcome | null, number>>;

  /** Removes at most `most` rows of imports that have not changed since this moment; returns 0 when nothing is left. */
  abstract removeOld(organisation: number, before: number, most: number): Promise<number>;

  /** Files without an import that were recorded before this moment, at most `limit`. */
  abstract unusedFiles(organisation: number, before: number, limit: number): Promise<string[]>;

  abstract removeFiles(organisation: number, ids: readonly string[]): Promise<void>;

  /** Organisations that have files or imports. */
  abstract organisations(): Promise<number[]>;
}
