import { type Session } from '#sessions';

/** The maximum number of subscores, sessions and scores that a summary lists. */
const MAX_NAMED = 100;
/** The resolution of scores: shared points have four decimals. */
const DECIMALS = 4;
/** A summary counts scores in one of these steps, in points, so that it lists few scores. */
const STEPS = [0.0001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** Tolerance for floating-point errors, in steps. */
const NOISE = 1e-6;

/** The totals of a session before and after. */
export interface Shift {
  before: { score: number; maxScore: number };
  after: { score: number; maxScore: number };
}

/** A subscore whose score or maximum changed. */
export interface SubscoreShift extends Shift {
  id: string;
}

/** The effect of a rescoring on one session. */
export interface SessionShift extends Shift {
  numResponses: number;
  /** Responses whose score or maximum changed. */
  numChanged: number;
  /** The changed subscores. */
  subscores: SubscoreShift[];
}

/** The effect of a rescoring on all sessions together. */
export interface Summary {
  sessions: number;
  /** Sessions whose totals changed, or with a response whose score or maximum changed. */
  sessionsChanged: number;
  responses: number;
  responsesChanged: number;
  /** The average change of the sessions' scores, in points; null without sessions. */
  meanShift: number | null;
  /** The subscores that changed in most sessions come first; at most 100. */
  subscoresChanged: { id: string; sessions: number; meanShift: number }[];
  /** The number of sessions with each score, lowest first. A score includes all scores up to the next step. */
  distribution: { step: number; scores: { score: number; before: number; after: number }[] };
  /** The sessions whose score changed most; at most 100. */
  largestChanges: { sessionId: string; before: number; after: number }[];
}

export function subscoreShifts(before: Session, after: Session): SubscoreShift[] {
  return (before.subscores ?? []).flatMap((subscore, index) => {
    const { score, maxScore, id } = subscore;
    const next = after.subscores![index]!;
    if (next.score === score && next.maxScore === maxScore) return [];
    return [{ id, before: { score, maxScore }, after: { score: next.score, maxScore: next.maxScore } }];
  });
}

/** Sums up sessions one by one. */
export class Summing {
  private sessions = 0;
  private sessionsChanged = 0;
  private responses = 0;
  private responsesChanged = 0;
  private shift = 0;
  private readonly subscores = new Map<string, { sessions: number; shift: number }>();
  private readonly counting = new Counting();
  private largest: Summary['largestChanges'] = [];

  add(sessionId: string, { before, after, numResponses, numChanged, subscores }: SessionShift): void {
    const moved = before.score !== after.score || before.maxScore !== after.maxScore;
    this.sessions += 1;
    this.sessionsChanged += moved || numChanged > 0 ? 1 : 0;
    this.responses += numResponses;
    this.responsesChanged += numChanged;
    this.shift += after.score - before.score;
    this.counting.add(before.score, 'before');
    this.counting.add(after.score, 'after');
    if (before.score !== after.score) {
      this.largest.push({ sessionId, before: before.score, after: after.score });
      // Sorts only when the list is twice as long as needed, so that both memory and time stay small.
      if (this.largest.length >= 2 * MAX_NAMED) this.largest = largestOf(this.largest);
    }
    for (const subscore of subscores) {
      const known = this.subscores.get(subscore.id) ?? { sessions: 0, shift: 0 };
      known.sessions += 1;
      known.shift += subscore.after.score - subscore.before.score;
      this.subscores.set(subscore.id, known);
    }
  }

  get summary(): Summary {
    const { sessions, sessionsChanged, responses, responsesChanged } = this;
    return {
      sessions,
      sessionsChanged,
      responses,
      responsesChanged,
      meanShift: sessions === 0 ? null : mean(this.shift, sessions),
      subscoresChanged: [...this.subscores]
        .map(([id, { sessions: of, shift }]) => ({ id, sessions: of, meanShift: mean(shift, of) }))
        .sort((a, b) => b.sessions - a.sessions || (a.id < b.id ? -1 : 1))
        .slice(0, MAX_NAMED),
      distribution: this.counting.distribution,
      largestChanges: largestOf(this.largest),
    };
  }
}

/** Counts scores in the smallest step that gives few different scores. */
class Counting {
  private step = 0;
  private counts = new Map<number, { before: number; after: number }>();

  add(score: number, when: 'before' | 'after', count = 1): void {
    const at = Math.floor(score / STEPS[this.step]! + NOISE);
    const known = this.counts.get(at) ?? { before: 0, after: 0 };
    known[when] += count;
    this.counts.set(at, known);
    if (this.counts.size > MAX_NAMED && this.step < STEPS.length - 1) this.widen();
  }

  private widen(): void {
    const { scores } = this.distribution;
    this.step++;
    this.counts = new Map();
    for (const { score, before, after } of scores) {
      if (before > 0) this.add(score, 'before', before);
      if (after > 0) this.add(score, 'after', after);
    }
  }

  get distribution(): Summary['distribution'] {
    const step = STEPS[this.step]!;
    const scores = [...this.counts]
      .sort(([one], [other]) => one - other)
      .map(([at, count]) => ({ score: Number((at * step).toFixed(DECIMALS)), ...count }));
    return { step, scores };
  }
}

const largestOf = (changes: Summary['largestChanges']) =>
  changes
    .toSorted(
      (a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || (a.sessionId < b.sessionId ? -1 : 1),
    )
    .slice(0, MAX_NAMED);

/** Rounds to six decimals, so that floating-point errors do not appear as a change. */
const mean = (sum: number, of: number) => Number((sum / of).toFixed(6)) + 0;
