import type { Choices, OfferedChoice } from '#scoring';
import type { Json } from '#kernel';
import type { ChoiceFigures } from './figures';
import { Moments } from './moments';

/** A session as the tallies of its questions see it. */
export interface Rank {
  /** Total in percent of the highest possible. */
  total: number;
  /** How far it is of the lower and the upper 27 %, and of each fifth. */
  lower: number;
  upper: number;
  fifths: readonly number[];
}

/** Sessions, summed up by where they stand. */
class Takers {
  readonly totals = new Moments();
  lower = 0;
  upper = 0;
  readonly fifths = [0, 0, 0, 0, 0];

  add({ total, lower, upper, fifths }: Rank): void {
    this.totals.add(total);
    this.lower += lower;
    this.upper += upper;
    for (const [index, share] of fifths.entries()) this.fifths[index]! += share;
  }
}

interface Place {
  place: number | null;
  /** By key. */
  offered: Map<string, { choice: OfferedChoice; takers: Takers }>;
  other: Takers;
  none: Takers;
}

/** Who took which choice of a question. Its size is that of the question. */
export class ChoiceTally {
  private readonly places = new Map<number | null, Place>();
  private readonly all = new Takers();

  /** What a version of the question offers. The latest one says how a choice is called and whether it is right. */
  offer({ offered }: Choices): void {
    for (const choice of offered) {
      let place = this.places.get(choice.place);
      if (!place) {
        place = { place: choice.place, offered: new Map(), other: new Takers(), none: new Takers() };
        this.places.set(choice.place, place);
      }
      const known = place.offered.get(choice.key);
      if (known) known.choice = choice;
      else place.offered.set(choice.key, { choice, takers: new Takers() });
    }
  }

  add(choices: Choices, value: Json, standing: Rank): void {
    this.all.add(standing);
    const taken = new Map<number | null, string[]>();
    for (const { place, key } of choices.chosenIn(value)) {
      const keys = taken.get(place);
      if (keys) keys.push(key);
      else taken.set(place, [key]);
    }
    for (const { place, offered, other, none } of this.places.values()) {
      const keys = taken.get(place) ?? [];
      if (keys.length === 0) none.add(standing);
      for (const key of keys) offered.get(key)?.takers.add(standing);
      if (keys.some((key) => !offered.has(key))) other.add(standing);
    }
  }

  /** @param sessions of the whole analysis: fifths of fewer than five say nothing. */
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
        ...(other.totals.n > 0 ? [{ ...rest, kind: 'other' as const, ...figures(other) }] : []),
        { ...rest, kind: 'none' as const, ...figures(none) },
      ];
    });
  }

  private figuresOf({ totals, lower, upper, fifths }: Takers, isDistinct: boolean, hasFifths: boolean) {
    const { all } = this;
    return {
      count: totals.n,
      share: quotient(totals.n, all.totals.n),
      meanTotal: totals.mean,
      pointBiserial: pointBiserial(totals, all.totals),
      shareLower: isDistinct ? quotient(lower, all.lower) : null,
      shareUpper: isDistinct ? quotient(upper, all.upper) : null,
      trace: hasFifths ? fifths.map((taken, index) => quotient(taken, all.fifths[index]!)) : null,
    };
  }
}

/** Null where there is nothing to divide by. */
export const quotient = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** Of belonging to a part of all, with the totals: what Pearson's r comes to for 1 and 0. */
function pointBiserial(part: Moments, all: Moments): number | null {
  if (part.n === 0 || part.n === all.n || all.sumOfSquares === 0) return null;
  const spread = Math.sqrt(all.sumOfSquares / all.n);
  const r = ((part.mean! - all.mean!) / spread) * Math.sqrt(part.n / (all.n - part.n));
  return Math.min(1, Math.max(-1, r));
}
