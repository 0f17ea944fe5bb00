import { Moments } from './moments';

/** A session as summaries see it. */
export interface Taken {
  /** Points. */
  score: number;
  maxScore: number;
  numQuestions: number;
  numAttempted: number;
  /** Milliseconds; null when it is not known. */
  duration: number | null;
}

/** Sessions that belong together. */
export interface Group {
  /** `all`: every session; `activity`, `tag`: those of it; `untagged`: those without any tag. */
  kind: 'all' | 'activity' | 'tag' | 'untagged';
  /** The tag's type; null for the others. */
  type: string | null;
  /** The activity's id or the tag's name; null for the others. */
  name: string | null;
}

/** How a group of sessions did. Figures that are not defined are null. */
export interface GroupFigures extends Group {
  sessions: number;
  /** In points. */
  mean: number | null;
  deviation: number | null;
  minimum: number | null;
  maximum: number | null;
  /** In percent of the highest possible, session by session; of sessions in which points could be had. */
  meanPercent: number | null;
  deviationPercent: number | null;
  /** Of the questions, how many were attempted. */
  shareAttempted: number | null;
  /** In minutes, not rounded; of sessions that tell it. */
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

/** Summaries of sessions that pass by one after the other. Its size is that of the groups. */
export class GroupSummaries {
  private readonly all = new Summary(ALL);
  private readonly groups = new Map<string, Summary>();

  /**
   * @param groups to which the session belongs besides all; each once.
   */
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

  /** All sessions first, then activities, tags and the rest, each by name. */
  figures(): GroupFigures[] {
    const groups = [...this.groups].sort(
      ([oneKey, one], [otherKey, other]) =>
        KINDS.indexOf(one.group.kind) - KINDS.indexOf(other.group.kind) || (oneKey < otherKey ? -1 : 1),
    );
    return [this.all.figures(), ...groups.map(([, summary]) => summary.figures())];
  }
}

const KINDS: readonly Group['kind'][] = ['all', 'activity', 'tag', 'untagged'];
