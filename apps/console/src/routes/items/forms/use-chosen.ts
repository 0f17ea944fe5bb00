import { useRef } from 'react';

/**
 * Keeps the choices of answers that name them by their text. While somebody types, two choices can have the same text, or none.
 * Each answer then keeps its own choice.
 */
export function useChosen() {
  const places = useRef(new Map<string, number>());
  return {
    /**
     * The text of the choice after the list has changed; undefined when it is gone.
     * @param answer names the answer among all that name choices.
     * @param order the former positions of the choices; -1 for a new one.
     */
    follow(
      answer: string,
      text: string,
      before: readonly string[],
      after: readonly string[],
      order: readonly number[],
    ) {
      const known = places.current.get(answer) ?? -1;
      const place = before[known] === text ? known : text === '' ? -1 : before.indexOf(text);
      const next = place < 0 ? -1 : order.indexOf(place);
      places.current.set(answer, next);
      return after[next];
    },
  };
}
