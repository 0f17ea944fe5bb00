/** The effect of an erasure, or of its dry run. Contains no names. */
export interface ErasureReport {
  /** SHA-256 of the user_id. */
  learner: string;
  organisation: number;
  dryRun: boolean;
  /** Whether anything was found. */
  found: boolean;
  /** Completed sessions are kept without the person, for statistics. */
  sessions: { anonymised: number; removed: number };
  /** Attempts in pages: their clocks and tokens. */
  attempts: number;
  /** Rows that were removed with the sessions. */
  scoreChanges: number;
  tags: number;
  /** Removed marks of marking rounds. */
  marks: number;
  rescoredSessions: number;
  auditEntries: number;
  events: { removed: number; emptied: number; deliveries: number };
  /** The number of changed jobs, and of those that were restarted. */
  jobs: { changed: number; putBack: number };
  keptAnswers: number;
  /** Ids of removed files: results of jobs and datasets that contained the learner. */
  files: string[];
  /** The number of sessions that arrived during the erasure, and were erased too. */
  meanwhile: number;
  /** Whether an author has the same id. Authors are staff, and are not erased. */
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
  marks: 0,
  rescoredSessions: 0,
  auditEntries: 0,
  events: { removed: 0, emptied: 0, deliveries: 0 },
  jobs: { changed: 0, putBack: 0 },
  keptAnswers: 0,
  files: [],
  meanwhile: 0,
  isAuthor: false,
});

/** The report as the console and the command line show it. */
export const erasureView = (report: ErasureReport) => ({
  learner_sha256: report.learner,
  found: report.found,
  sessions: report.sessions,
  attempts: report.attempts,
  score_changes: report.scoreChanges,
  session_tags: report.tags,
  marks: report.marks,
  rescored_sessions: report.rescoredSessions,
  audit_entries: report.auditEntries,
  events: report.events,
  jobs: { changed: report.jobs.changed, put_back: report.jobs.putBack },
  kept_answers: report.keptAnswers,
  files: report.files,
  sessions_meanwhile: report.meanwhile,
  is_author: report.isAuthor,
});
