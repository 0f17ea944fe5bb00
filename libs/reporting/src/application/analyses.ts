import { type PinnedContent } from '#content';
import { type Forms, KnownItem } from '#sessions';
import { type Analysis } from '../domain/analysis/figures';
import { ItemAnalysis, percentOf, totalOf } from '../domain/analysis/item-analysis';
import { type Answered } from '../domain/analysis/question-tally';
import { ScoreDistribution } from '../domain/analysis/score-groups';
import { AnsweredQuestions } from './answered-questions';
import { type DatasetSelection, type DatasetSessions } from './dataset-sessions';
import { slicesOf, type Target } from './targets';

/** Maximum number of sessions in memory. */
const BATCH_SIZE = 100;

/** Item analyses of any number of sessions. Reads the sessions twice: for the groups by total, and for the figures. */
export class Analyses {
  constructor(
    private readonly scan: DatasetSessions,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
  ) {}

  /**
   * Analyses the sessions in their current state. If a score changes between the two reads, the group may follow either
   * total.
   */
  async of(
    target: Target,
    selections: readonly DatasetSelection[],
    report: (done: number, total: number | null) => Promise<void>,
  ): Promise<Analysis> {
    const { organisation } = target;
    const item = target.type === 'ibk-analysis-by-question' ? await KnownItem.of(target, this.content) : undefined;
    const answered = new AnsweredQuestions(organisation, this.forms, this.content, item);
    const slices = (): AsyncGenerator<Answered[][]> => this.read(organisation, selections, answered);
    const distribution = new ScoreDistribution();
    for await (const sessions of slices()) {
      for (const session of sessions) {
        const percent = percentOf(totalOf(session));
        if (percent !== null) distribution.add(percent);
      }
      await report(0, null);
    }
    const analysis = new ItemAnalysis(distribution, item && 'target');
    let done = 0;
    for await (const sessions of slices()) {
      for (const session of sessions) analysis.add(session);
      done += sessions.length;
      await report(done, Math.max(done, distribution.n));
    }
    return analysis.figures();
  }

  private async *read(
    organisation: number,
    selections: readonly DatasetSelection[],
    answered: AnsweredQuestions,
  ): AsyncGenerator<Answered[][]> {
    const read = (of: DatasetSelection, limit: number, after?: string) =>
      this.scan.answered(organisation, of, limit, after);
    for await (const sessions of slicesOf(selections, BATCH_SIZE, read)) yield answered.of(sessions);
  }
}
