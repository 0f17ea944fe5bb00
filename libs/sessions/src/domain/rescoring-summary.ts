import { type Session } from './session';

/** Subscores that a summary names. */
const MAX_NAMED = 100;

/** The totals of a session before and after. */
export interface Shift {
  before: { score: number; maxScore: number };
  after: { score: number; maxScore: number };
}

/** A subscore that came out otherwise. */
export interface SubscoreShift extends Shift {
  id: string;
}

/** What came of a session. */
export interface SessionShift extends Shift {
  numResponses: number;
  /** Those with another score or maximum. */
  numChanged: number;
  /** Those that came out otherwise. */
  subscores: SubscoreShift[];
}

/** What came of many sessions together. */
export interface Summary {
  sessions: number;
  /** Those with other totals, or another score or maximum of a response. */
  sessionsChanged: number;
  responses: number;
  responsesChanged: number;
  /** Points by which the scores of the sessions moved on average; null of no sessions. */
  meanShift: number | null;
  /** Those that most sessions have otherwise come first; the names of at most 100. */
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

/** Adds up sessions one after the other. */
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

/** To six decimals: what remains of adding up decimals is no shift. */
const mean = (sum: number, of: number) => Number((sum / of).toFixed(6)) + 0;
