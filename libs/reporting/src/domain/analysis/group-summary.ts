import { Moments } from './moments';

/** The parts of a session that summaries use. */
export interface Taken {
  /** Points. */
  score: number;
  maxScore: number;
  numQuestions: number;
  numAttempted: number;
  /** Milliseconds; null when it is unknown. */
  duration: number | null;
}

/** A group of sessions. */
export interface Group {
  /**
   * `all`: every session; `activity`, `tag`: the sessions with this activity or tag; `untagged`: the sessions without
   * tags.
   */
  kind: 'all' | 'activity' | 'tag' | 'untagged';
  /** The type of the tag; null for other groups. */
  type: string | null;
  /** The id of the activity or the name of the tag; null for other groups. */
  name: string | null;
}

/** The statistics of a group. Undefined figures are null. */
export interface GroupFigures extends Group {
  sessions: number;
  /** In points. */
  mean: number | null;
  deviation: number | null;
  minimum: number | null;
  maximum: number | null;
  /** The mean of the percentages of the sessions with a maximum score above 0. */
  meanPercent: number | null;
  deviationPercent: number | null;
  /** The share of attempted questions. */
  shareAttempted: number | null;
  /** The mean of the known durations, in minutes, not rounded. */
  meanDuration: number | null;
}

const MINUTE = 60_000;

class Summary {
  private readonly points = new Moments();
  private readonly percents = new Moments();
  private readonly durations = new Moments();
  private minimum = Infinity;
  private maximum = -Infinity;
  private questions = 0;
  private attempted = 0;

  constructor(readonly group: Group) {}

  add({ score, maxScore, numQuestions, numAttempted, duration }: Taken): void {
    this.points.add(score);
    if (maxScore > 0) this.percents.add((100 * score) / maxScore);
    if (duration !== null) this.durations.add(duration / MINUTE);
    this.minimum = Math.min(this.minimum, score);
    this.maximum = Math.max(this.maximum, score);
    this.questions += numQuestions;
    this.attempted += numAttempted;
  }

  figures(): GroupFigures {
    const { n } = this.points;
    return {
      ...this.group,
      sessions: n,
      mean: this.points.mean,
      deviation: this.points.deviation,
      minimum: n === 0 ? null : this.minimum,
      maximum: n === 0 ? null : this.maximum,
      meanPercent: this.percents.mean,
      deviationPercent: this.percents.deviation,
      shareAttempted: this.questions === 0 ? null : this.attempted / this.questions,
      meanDuration: this.durations.mean,
    };
  }
}

const ALL: Group = { kind: 'all', type: null, name: null };

/** Summarises sessions one by one. Its memory depends on the number of groups alone. */
export class GroupSummaries {
  private readonly all = new Summary(ALL);
  private readonly groups = new Map<string, Summary>();

  /** @param groups the groups of the session except `all`, each once. */
  add(session: Taken, groups: readonly { group: Group; key: string }[]): void {
    this.all.add(session);
    for (const { group, key } of groups) {
      let summary = this.groups.get(key);
      if (!summary) {
        summary = new Summary(group);
        this.groups.set(key, summary);
      }
      summary.add(session);
    }
  }

  /** First all sessions, then activities, tags and the untagged sessions, each ordered by name. */
  figures(): GroupFigures[] {
    const groups = [...this.groups].sort(
      ([oneKey, one], [otherKey, other]) =>
        KINDS.indexOf(one.group.kind) - KINDS.indexOf(other.group.kind) || (oneKey < otherKey ? -1 : 1),
    );
    return [this.all.figures(), ...groups.map(([, summary]) => summary.figures())];
  }
}

const KINDS: readonly Group['kind'][] = ['all', 'activity', 'tag', 'untagged'];
