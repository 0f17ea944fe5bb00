import { type JsonObject } from '#kernel';
import { type Finding, lint } from '#scoring';

/** A question, and what is likely wrong with how it is set up to be scored. */
export interface QuestionFindings {
  reference: string;
  /** Their places are JSON pointers into the question as it is written and read: `/data/validation/valid_response`. */
  findings: Finding[];
}

/** At most 50 findings, none for what a person scores; never throws, whatever the definition holds. */
export function lintQuestion({ type, data }: { type: string; data: JsonObject }): Finding[] {
  return lint({ ...data, type }).map((finding) => ({ ...finding, at: `/data${finding.at}` }));
}
