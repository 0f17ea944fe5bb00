/**
 * How well a kind of question is converted. `exact`: its usual scoring gives the same points. `approximate`: it becomes
 * another kind, a person scores it, or some responses get other points; notes say so. `not`: it is left out, with a
 * note. Notes also name the differences in each question.
 */
export type Level = 'exact' | 'approximate' | 'not';
export type Levels = Readonly<Record<string, Level>>;

/** @param converters by kind; null for kinds without a counterpart. */
export const levelsOf = <T>(converters: Readonly<Record<string, T>>, approximate: readonly T[]): Levels =>
  Object.fromEntries(
    Object.entries(converters).map(([kind, converter]) => [
      kind,
      converter === null ? 'not' : approximate.includes(converter) ? 'approximate' : 'exact',
    ]),
  );

const all =
  (level: Level) =>
  (kinds: readonly string[]): Levels =>
    Object.fromEntries(kinds.map((kind) => [kind, level]));
export const allExact = all('exact');
export const allApproximate = all('approximate');
