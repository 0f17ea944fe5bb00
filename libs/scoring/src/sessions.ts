import { type ItemScore, sum } from './items';

/** A scored item of a session. */
export interface SessionItem extends ItemScore {
  /** The item's reference. */
  reference: string;
}

/** A subscore as defined when the session was taken. */
export interface SubscoreDefinition {
  id: string;
  title: string;
  /** References of items. */
  items: readonly string[];
}

/** Sums over items. `num…` count questions. */
export interface Totals {
  score: number;
  /** Over all questions, attempted or not. */
  maxScore: number;
  numQuestions: number;
  numAttempted: number;
}

export interface Subscore extends Totals, SubscoreDefinition {
  /** Over the attempted questions. */
  attemptedMaxScore: number;
}

interface SessionScore extends Totals {
  subscores: Subscore[];
}

/**
 * The totals of a session and of its subscores (decision 26). An item may be in several subscores. A subscore counts an
 * item once, even if it names it twice, and ignores items outside the session.
 */
export function scoreSession(
  items: readonly SessionItem[],
  subscores: readonly SubscoreDefinition[] = [],
): SessionScore {
  return {
    ...totalsOf(items),
    subscores: subscores.map(({ id, title, items: references }) => {
      const named = new Set(references);
      const its = items.filter(({ reference }) => named.has(reference));
      const attemptedMaxScore = sum(its.map((item) => item.attemptedMaxScore));
      return { id, title, items: references, ...totalsOf(its), attemptedMaxScore };
    }),
  };
}

function totalsOf(items: readonly ItemScore[]): Totals {
  return {
    score: sum(items.map(({ score }) => score)),
    maxScore: sum(items.map(({ maxScore }) => maxScore)),
    numQuestions: sum(items.map(({ numQuestions }) => numQuestions)),
    numAttempted: sum(items.map(({ numAttempted }) => numAttempted)),
  };
}
