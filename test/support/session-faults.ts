import { type Session } from '#sessions';

type Points = { score: number; maxScore: number };

/**
 * Returns the contradictions in a session. It computes the totals again from the responses. Only for items whose score
 * is the sum of their questions' scores.
 */
export function faultsInSession({ responses, items, subscores, totals, status, completedAt }: Session): string[] {
  const faults: string[] = [];
  const sumOf = (some: typeof responses) => ({
    score: some.reduce((sum, { score }) => sum + (score ?? 0), 0),
    maxScore: some.reduce((sum, { maxScore }) => sum + maxScore, 0),
    numQuestions: some.length,
    numAttempted: some.filter(({ attempted }) => attempted).length,
  });
  const compare = (what: string, stored: Partial<ReturnType<typeof sumOf>>, some: typeof responses) => {
    const computed: Record<string, number> = sumOf(some);
    for (const [name, value] of Object.entries(stored))
      if (name in computed && Math.abs(value - computed[name]!) > 1e-9)
        faults.push(`${what}: ${name} is ${value}, but the sum of the responses is ${computed[name]}`);
  };
  const responsesOf = (references: readonly string[]) =>
    responses.filter(({ itemReference }) => references.includes(itemReference));
  compare('session', totals, responses);
  for (const { reference, scoring } of items) {
    const { score, maxScore }: Points = scoring;
    compare(`item ${reference}`, { score, maxScore }, responsesOf([reference]));
  }
  for (const { id, items: references, score, maxScore, numQuestions, numAttempted } of subscores ?? [])
    compare(`subscore ${id}`, { score, maxScore, numQuestions, numAttempted }, responsesOf(references));
  if ((status === 'Completed') !== (completedAt !== null))
    faults.push(`the session is ${status}, but its completion time is ${completedAt}`);
  for (const { responseId, score, attempted, mark } of responses)
    if (score && !attempted) faults.push(`${responseId} has ${score} points by ${mark.by} without an attempt`);
  return faults;
}
