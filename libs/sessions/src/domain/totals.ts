import { type JsonObject } from '#kernel';
import {
  estimateAbility,
  isRight,
  type QuestionScore,
  scoreItem,
  scoreSession,
  type SubscoreDefinition,
} from '#scoring';
import { type Form } from './form';
import { isRecorded, type Session } from './session';

/**
 * Computes the scores of the items, the subscores, the totals and the estimate of ability from all responses.
 * @param form the form of the session.
 */
export function recount(session: Session, form: Form): Session {
  let at = 0;
  const scored = form.items.map((item) => {
    const its: QuestionScore[] = session.responses.slice(at, (at += item.questions.length));
    const score = scoreItem(item.scoringType, its);
    return { reference: item.reference, right: isRight(score, its), ...score };
  });
  const definitions: SubscoreDefinition[] = session.subscores ?? [];
  const { subscores, ...totals } = scoreSession(scored, definitions);
  return {
    ...session,
    totals,
    items: session.items.map((item, index) => {
      const { score, maxScore, type } = scored[index]!;
      return { ...item, scoring: { score, maxScore, type } };
    }),
    subscores: session.subscores && subscores,
    adaptive: estimated(session, form, scored),
  };
}

/** The estimate of an external adaptive engine stays unchanged (decision 26). */
function estimated(
  { adaptive, status }: Session,
  { settings, items }: Form,
  scored: readonly { right: boolean | null }[],
): JsonObject | null {
  if (!settings.eap || isRecorded(adaptive)) return adaptive;
  if (status !== 'Completed') return adaptive;
  const outcomes = items.flatMap(({ difficulty, isSeeding }, index) => {
    if (difficulty === null || isSeeding) return [];
    return [{ difficulty, right: scored[index]!.right }];
  });
  const { abilityEstimate, standardError } = estimateAbility(outcomes, settings.eap);
  return {
    items: items.map(({ reference }) => reference),
    exposed_items: {
      operational: items.filter(({ isSeeding }) => !isSeeding).map(({ reference }) => reference),
      seeding: items.filter(({ isSeeding }) => isSeeding).map(({ reference }) => reference),
    },
    ability_estimate: { ability_estimate: abilityEstimate, standard_error: standardError },
  };
}
