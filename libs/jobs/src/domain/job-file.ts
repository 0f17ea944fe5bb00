import { type JsonText } from '#kernel';

/** A file that a job made. It is private: who may read the job is given an address that expires. */
export interface JobFile {
  organisation: number;
  /** Id of the job. */
  job: string;
  /** A ULID of its own: no two attempts ever write to the same place. */
  id: string;
  contentType: string;
  /** What it is called among the files of its job; absent for the only one. At most 100 letters, digits, `-`, `_` and `.`. */
  name?: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * What a job leaves as files, and what besides their addresses the results show: the text of a JSON object. Of one file
 * without a name the results show the address themselves; files with names are listed in `files`.
 */
export interface FiledResults {
  files: readonly JobFile[];
  members: JsonText;
}

/** Results of more bytes than this become a file of their own (decision 29): rows stay small. */
export const LARGE_RESULTS_BYTES = 64 * 1024;
