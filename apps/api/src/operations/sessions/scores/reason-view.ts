import { isoTime, type NoRule, type ResponseChange, type ScoreReason } from '#sessions';

const WHY_NO_RULE: Record<NoRule, string> = {
  'not-attempted': 'there is no response',
  'nobody-scored': 'nobody has scored the response yet',
  person: 'a person gave the score',
  'other-engine': 'another version of the scoring engine gave the score',
  'too-long': 'explaining all responses takes too long; request fewer sessions',
};

/** Why a response has its score, as clients read it. */
export function reasonView({ mark, rule, changes, changesLeftOff }: ScoreReason): object {
  return {
    definition_hash: mark.definition,
    engine: mark.engine,
    scored_by: mark.by,
    outcome: mark.outcome,
    author: mark.author ?? null,
    job_reference: mark.job ?? null,
    marking_round: mark.round ?? null,
    score_before: mark.before ?? null,
    rule:
      typeof rule === 'string'
        ? null
        : {
            message: rule.message,
            scoring_type: rule.scoringType,
            answer: rule.answer,
            parts: rule.parts,
            parts_left_off: rule.partsLeftOff,
            steps: rule.steps,
          },
    no_rule: typeof rule === 'string' ? WHY_NO_RULE[rule] : null,
    changes: changes.map(changeView),
    changes_left_off: changesLeftOff,
  };
}

function changeView(change: ResponseChange): object {
  return {
    dt_changed: isoTime(change.changedAt),
    cause: change.cause,
    author: change.author,
    job_reference: change.job,
    score_before: change.before,
    score_after: change.after,
    definition_hash_before: change.definitionBefore,
    definition_hash_after: change.definitionAfter,
  };
}
