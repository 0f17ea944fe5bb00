import { type JsonText } from '#kernel';

/** A private file that a job made. Readers of the job get an address that expires. */
export interface JobFile {
  organisation: number;
  job: string;
  /** A ULID of its own: no two attempts write to the same place. */
  id: string;
  contentType: string;
  /** The file's name among those of its job. Absent for a single file. At most 100 letters, digits, `-`, `_` and `.`. */
  name?: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * The files of a job, and the other members of its results as the text of a JSON object. The results show the address
 * of a single file without a name directly, and list named files in `files`.
 */
export interface FiledResults {
  files: readonly JobFile[];
  members: JsonText;
}

/** Larger results become a file (decision 29), so that rows stay small. */
export const LARGE_RESULTS_BYTES = 64 * 1024;
