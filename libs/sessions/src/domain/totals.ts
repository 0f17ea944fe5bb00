import { type JsonObject } from '#kernel';
import { estimateAbility, type QuestionScore, scoreItem, scoreSession, type SubscoreDefinition } from '#scoring';
import { type Form } from './form';
import { isRecorded, type Session } from './session';

/**
 * Computes the scores of the items, the subscores, the totals and the estimate of ability from all responses.
 * @param form the form of the session.
 */
export function recount(session: Session, form: Form): Session {
  let at = 0;
  const scored = form.items.map((item) => {
    const its = session.responses.slice(at, (at += item.questions.length));
    return { reference: item.reference, item, ...scoreItem(item.scoringType, its satisfies QuestionScore[]) };
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
  scored: readonly { score: number; maxScore: number; numAttempted: number }[],
): JsonObject | null {
  if (!settings.eap || isRecorded(adaptive)) return adaptive;
  if (status !== 'Completed') return adaptive;
  const outcomes = items.flatMap(({ difficulty, isSeeding }, index) => {
    const { score, maxScore, numAttempted } = scored[index]!;
    if (difficulty === null || isSeeding) return [];
    return [{ difficulty, right: numAttempted === 0 ? null : maxScore > 0 && score >= maxScore }];
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
