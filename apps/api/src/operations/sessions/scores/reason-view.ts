import { type Static, Type } from '@sinclair/typebox';
import { type Author } from '#kernel';
import { OUTCOMES } from '#scoring';
import { isoTime, type NoRule, type ResponseChange, type ScoreReason } from '#sessions';

import { integer, nullable, number, text, words } from '../../../declaration/fields';
import { authorView, User } from '../../author-view';
import { reviewPartsField, ruleMembers } from '../../scoring/score-view';
import { time } from '../session-view';

const Change = Type.Object({
  dt_changed: time('Time of the change, UTC.'),
  cause: text('Cause of the change, such as `manual` or `rescoring`.'),
  author: nullable(text('Id of the author; null without one.')),
  changed_by: nullable(User),
  job_reference: nullable(text('Reference of the job.')),
  score_before: nullable(number('Points before.')),
  score_after: nullable(number('Points after.')),
  definition_hash_before: nullable(text('SHA-256 of the question before.')),
  definition_hash_after: nullable(text('SHA-256 of the question after.')),
});

const Rule = Type.Object(
  { ...ruleMembers, parts_left_off: integer('Number of parts that are left off, because they are too long.') },
  {
    description: 'The rules from the response to the score, evaluated again; null for the reason in `no_rule`.',
  },
);

export const Reasons = Type.Object(
  {
    definition_hash: text('SHA-256 of the question that the response was scored by.'),
    engine: nullable(text('Version of the rules that last evaluated the response; null when none did.')),
    scored_by: nullable(words(['engine', 'person'], { description: 'Source of the score; null without a score.' })),
    outcome: nullable(words(OUTCOMES, { description: 'Outcome of the rules; null when they were not applied.' })),
    author: nullable(text('Id of the author of a manual score.')),
    marked_by: nullable(User),
    job_reference: nullable(text('Reference of the job that set the score.')),
    marking_round: nullable(text('The marking round that settled on the score of a person; null without one.')),
    score_before: nullable(number('The previous score; null without one.')),
    rule: nullable(Rule),
    review_parts: reviewPartsField,
    no_rule: nullable(text('Why there is no `rule`; null when there is.')),
    changes: Type.Array(Change, { description: 'Changes of the score after the first one, oldest first.' }),
    changes_left_off: integer('Number of older changes that are left off.'),
  },
  { description: 'Reasons of the score, explained in `docs/scoring.md`. Only with `include.reasons`.' },
);

const WHY_NO_RULE: Record<NoRule, string> = {
  'not-attempted': 'there is no response',
  'nobody-scored': 'nobody has scored the response yet',
  person: 'a person gave the score',
  'other-engine': 'another version of the scoring engine gave the score',
  'too-long': 'explaining all responses takes too long; request fewer sessions',
};

/** Why a response has its score, as clients read it. */
export function reasonView(
  { mark, rule, reviewParts, changes, changesLeftOff }: ScoreReason,
  authors: ReadonlyMap<string, Author>,
): Static<typeof Reasons> {
  const named = (id: string | null | undefined) => (id ? authorView(id, authors.get(id)) : null);
  return {
    definition_hash: mark.definition,
    engine: mark.engine,
    scored_by: mark.by,
    outcome: mark.outcome,
    author: mark.author ?? null,
    marked_by: named(mark.author),
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
    review_parts: reviewParts,
    no_rule: typeof rule === 'string' ? WHY_NO_RULE[rule] : null,
    changes: changes.map((change) => ({ ...changeView(change), changed_by: named(change.author) })),
    changes_left_off: changesLeftOff,
  };
}

function changeView(change: ResponseChange): Omit<Static<typeof Change>, 'changed_by'> {
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
