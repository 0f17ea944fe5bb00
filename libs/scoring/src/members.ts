import { type Json, numberOf } from '#kernel';

export { flagOf, isObject, listOf, numberOf, objectOf } from '#kernel';

/** Points, at least 0. */
export function pointsOf(value: Json | undefined, otherwise: number): number {
  return Math.max(0, numberOf(value) ?? otherwise);
}
