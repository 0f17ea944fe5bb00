/** A likely mistake in content that is stored nevertheless. */
export interface Warning {
  /** The name of the rule. */
  rule: string;
  /** JSON pointer into the request. */
  at: string;
  /** The mistake, and its effect or its correction. */
  message: string;
}

/** The largest number of warnings about one request. */
export const MAX_WARNINGS = 50;
