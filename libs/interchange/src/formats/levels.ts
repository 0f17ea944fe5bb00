/**
 * What becomes of a kind of question. `exact`: its usual scoring gives the same points. `approximate`: another kind takes its
 * place, or a person scores it. `not`: it is left out, or only its text stays. Notes tell what differs in one question.
 */
export type Level = 'exact' | 'approximate' | 'not';
export type Levels = Readonly<Record<string, Level>>;

/** @param converters of each kind; `none` stands for those without a counterpart. */
export const levelsOf = <T>(
  converters: Readonly<Record<string, T>>,
  none: T | null = null,
  approximate: readonly T[] = [],
): Levels =>
  Object.fromEntries(
    Object.entries(converters).map(([kind, converter]) => [
      kind,
      converter === none ? 'not' : approximate.includes(converter) ? 'approximate' : 'exact',
    ]),
  );

export const allExact = (kinds: readonly string[]): Levels => Object.fromEntries(kinds.map((kind) => [kind, 'exact']));
