/** What an erasure has done, or would do. It names nobody. */
export interface ErasureReport {
  /** SHA-256 of the user_id. */
  learner: string;
  organisation: number;
  dryRun: boolean;
  /** Whether anything was found. */
  found: boolean;
  /** Completed ones are kept without the person, for statistics. */
  sessions: { anonymised: number; removed: number };
  /** Pages in which tests were begun: their clocks and tokens. */
  attempts: number;
  /** Rows that went with them. */
  scoreChanges: number;
  tags: number;
  rescoredSessions: number;
  auditEntries: number;
  events: { removed: number; emptied: number; deliveries: number };
  /** Jobs that say something else now, and those of them (or of whose work it was part) that wait for their turn again. */
  jobs: { changed: number; putBack: number };
  keptAnswers: number;
  /** Ids of files that went: results of jobs and datasets in which the learner was. */
  files: string[];
  /** Sessions came in while others were being erased, and were erased as well. */
  meanwhile: number;
  /** Whether an author has the same id: authors are staff, and stay. */
  isAuthor: boolean;
}

export const emptyReport = (learner: string, organisation: number, dryRun: boolean): ErasureReport => ({
  learner,
  organisation,
  dryRun,
  found: false,
  sessions: { anonymised: 0, removed: 0 },
  attempts: 0,
  scoreChanges: 0,
  tags: 0,
  rescoredSessions: 0,
  auditEntries: 0,
  events: { removed: 0, emptied: 0, deliveries: 0 },
  jobs: { changed: 0, putBack: 0 },
  keptAnswers: 0,
  files: [],
  meanwhile: 0,
  isAuthor: false,
});
