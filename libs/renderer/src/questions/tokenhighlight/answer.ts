import { listOf, type Members, numberOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

/** Positions of tokens, as keys. */
export const chosenOf = (value: unknown): string[] =>
  listOf(value)
    .map((token) => numberOf(token, -1))
    .filter((token) => Number.isInteger(token) && token >= 0)
    .map(String);

/** The stored value: positions in the order of the text; null for none. */
export function valueOf(chosen: readonly string[]): number[] | null {
  const positions = chosen.map(Number).sort((one, other) => one - other);
  return positions.length === 0 ? null : positions;
}

export const limitsOf = (question: Members): { min: number; max: number } => ({
  min: 0,
  max: Math.max(0, numberOf(question['max_selection'], 0)),
});

export const attempted = (value: unknown): Attempted => attemptedOf(chosenOf(value).length > 0 ? 1 : 0, 1);
