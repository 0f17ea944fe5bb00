/** What is likely wrong with content that is stored all the same. */
export interface Warning {
  /** What was looked at. */
  rule: string;
  /** JSON pointer into the request. */
  at: string;
  /** What is wrong, and what follows from it or would be right. */
  message: string;
}

/** Most warnings about one request. */
export const MAX_WARNINGS = 50;
