/**
 * How well a kind of question is converted. `exact`: its usual scoring gives the same points. `approximate`: it
 * becomes another kind, or a person scores it. `not`: it is left out, or only its text is imported. Notes name the
 * differences in each question.
 */
export type Level = 'exact' | 'approximate' | 'not';
export type Levels = Readonly<Record<string, Level>>;

/** @param converters by kind; `none` is the converter of kinds without a counterpart. */
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
