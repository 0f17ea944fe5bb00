import { type Session } from '#sessions';

/** The maximum number of subscores that a summary lists. */
const MAX_NAMED = 100;

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

  add({ before, after, numResponses, numChanged, subscores }: SessionShift): void {
    const moved = before.score !== after.score || before.maxScore !== after.maxScore;
    this.sessions += 1;
    this.sessionsChanged += moved || numChanged > 0 ? 1 : 0;
    this.responses += numResponses;
    this.responsesChanged += numChanged;
    this.shift += after.score - before.score;
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
    };
  }
}

/** Rounds to six decimals, so that floating-point errors do not appear as a change. */
const mean = (sum: number, of: number) => Number((sum / of).toFixed(6)) + 0;
