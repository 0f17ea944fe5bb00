import { type JsonText } from '#kernel';
import { type TagName } from '#tagging';
import { type Family } from '../../domain/record';

/** What a record was from a moment on. */
export interface Revision {
  /** 1 is the first revision of the record. */
  number: number;
  beganAt: number;
  /** Null for the revision that holds now. */
  endedAt: number | null;
  /** Null: no author was named. */
  author: string | null;
  operation: string;
  reference: string;
  status: string | null;
  documentHash: string;
  tags: TagName[];
  body: JsonText;
  extras: JsonText | null;
}

/** The revisions of a record of the bank. */
export abstract class HistoryReader {
  /** All revisions of the record that has this reference now, oldest first; undefined when there is none. */
  abstract revisions(organisation: number, family: Family, reference: string): Promise<Revision[] | undefined>;
}
