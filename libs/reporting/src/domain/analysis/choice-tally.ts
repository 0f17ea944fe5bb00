import { grouped } from '#kernel';
import type { Choices, OfferedChoice } from '#scoring';
import type { Json } from '#kernel';
import type { ChoiceFigures } from './figures';
import { Moments } from './moments';

/** The rank of a session among all analysed sessions. */
export interface Rank {
  /** The total in percent of the maximum; null for a session without a total. */
  total: number | null;
  /** The shares with which the session belongs to the lower 27 %, the upper 27 %, and each fifth. */
  lower: number;
  upper: number;
  fifths: readonly number[];
}

/** The rank of a session without a total, which belongs to no group. */
export const UNRANKED: Rank = { total: null, lower: 0, upper: 0, fifths: [0, 0, 0, 0, 0] };

/** Aggregates over the sessions that took a choice. */
class Takers {
  count = 0;
  readonly totals = new Moments();
  lower = 0;
  upper = 0;
  readonly fifths = [0, 0, 0, 0, 0];

  add({ total, lower, upper, fifths }: Rank): void {
    this.count++;
    if (total !== null) this.totals.add(total);
    this.lower += lower;
    this.upper += upper;
    for (const [index, share] of fifths.entries()) this.fifths[index]! += share;
  }
}

interface Place {
  place: number | null;
  /** By key. */
  offered: Map<string, { choice: OfferedChoice; version: string; takers: Takers }>;
  other: Takers;
  none: Takers;
}

/** Counts who took which choice of a question. Its memory depends on the size of the question alone. */
export class ChoiceTally {
  private readonly places = new Map<number | null, Place>();
  private readonly all = new Takers();

  /**
   * Registers the choices of a version of the question. The latest version determines labels and correctness.
   * @param version ids of later versions sort after those of earlier ones.
   */
  offer({ offered }: Choices, version: string): void {
    for (const choice of offered) {
      let place = this.places.get(choice.place);
      if (!place) {
        place = { place: choice.place, offered: new Map(), other: new Takers(), none: new Takers() };
        this.places.set(choice.place, place);
      }
      const known = place.offered.get(choice.key);
      if (!known) place.offered.set(choice.key, { choice, version, takers: new Takers() });
      else if (version >= known.version) Object.assign(known, { choice, version });
    }
  }

  add(choices: Choices, value: Json, rank: Rank): void {
    this.all.add(rank);
    const taken = grouped(choices.chosenIn(value).map(({ place, key }) => [place, key]));
    for (const { place, offered, other, none } of this.places.values()) {
      const keys = taken.get(place) ?? [];
      if (keys.length === 0) none.add(rank);
      for (const key of keys) offered.get(key)?.takers.add(rank);
      if (keys.some((key) => !offered.has(key))) other.add(rank);
    }
  }

  /** @param sessions number of sessions with a total; fifths need at least five. */
  figures(isDistinct: boolean, sessions: number): ChoiceFigures[] {
    const figures = (takers: Takers) => this.figuresOf(takers, isDistinct, isDistinct && sessions >= 5);
    return [...this.places.values()].flatMap(({ place, offered, other, none }) => {
      const rest = { place, key: null, label: null, isRight: false };
      return [
        ...[...offered.values()].map(({ choice: { key, label, isRight }, takers }): ChoiceFigures => ({
          place,
          kind: 'offered',
          key,
          label,
          isRight,
          ...figures(takers),
        })),
        ...(other.count > 0 ? [{ ...rest, kind: 'other' as const, ...figures(other) }] : []),
        { ...rest, kind: 'none' as const, ...figures(none) },
      ];
    });
  }

  private figuresOf({ count, totals, lower, upper, fifths }: Takers, isDistinct: boolean, hasFifths: boolean) {
    const { all } = this;
    return {
      count,
      share: quotient(count, all.count),
      meanTotal: totals.mean,
      pointBiserial: pointBiserial(totals, all.totals),
      shareLower: isDistinct ? quotient(lower, all.lower) : null,
      shareUpper: isDistinct ? quotient(upper, all.upper) : null,
      trace: hasFifths ? fifths.map((taken, index) => quotient(taken, all.fifths[index]!)) : null,
    };
  }
}

/** The quotient; null for a division by zero. */
export const quotient = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** Point-biserial correlation of membership in `part` with the total: Pearson's r for a 0/1 variable. */
function pointBiserial(part: Moments, all: Moments): number | null {
  if (part.n === 0 || part.n === all.n || all.sumOfSquares === 0) return null;
  const spread = Math.sqrt(all.sumOfSquares / all.n);
  const r = ((part.mean! - all.mean!) / spread) * Math.sqrt(part.n / (all.n - part.n));
  return Math.min(1, Math.max(-1, r));
}
