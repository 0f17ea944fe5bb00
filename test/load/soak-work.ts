import { type Random, randomFrom } from '../support/random';
import { JobWatch } from './job-watch';
import {
  type StartedWork,
  type ExpectedSession,
  withIdempotencyKey,
  type Mix,
  sharedItems,
  sharedQuestions,
} from './soak-bank';
import { SoakBlocks } from './soak-blocks';
import { SoakImports } from './soak-imports';
import { SoakLearners } from './soak-learners';
import { SoakSessions } from './soak-sessions';
import { type SteadyCaller } from './steady-caller';

const POOL = 'soak-pool';

/**
 * The kinds of work in the mix. Each sends and reads data, and remembers the state that the check at the end must find.
 */
export class SoakWork {
  readonly jobs: JobWatch;
  readonly blocks: SoakBlocks;
  readonly learners: SoakLearners;
  readonly imports: SoakImports;
  private readonly sessions: SoakSessions;
  private readonly random: Random;
  private readonly mix: Mix;

  constructor(
    private readonly caller: SteadyCaller,
    seed: number,
  ) {
    this.random = randomFrom(seed);
    this.jobs = new JobWatch(caller);
    this.blocks = new SoakBlocks(caller, this.random);
    this.sessions = new SoakSessions(caller, this.jobs, this.random);
    this.learners = new SoakLearners(caller);
    this.imports = new SoakImports(caller, this.jobs);
    const { blocks, sessions, learners, imports } = this;
    this.mix = [
      ...[blocks, sessions, learners, imports].flatMap(({ mix }) => mix),
      [0.3, (due: number) => this.fillPool(due)],
    ];
  }

  /** Fills the bank before the measurement. */
  async seed(): Promise<void> {
    const set = (path: string, request: object) => this.caller.call('seed', 'set', `itembank/${path}`, request);
    await set('questions', { questions: sharedQuestions() });
    await set('items', { items: sharedItems() });
    await this.blocks.seed();
    await set('pools', { pools: [this.pool()] });
    await this.sessions.seed();
    await this.learners.seed();
    await this.imports.seed();
  }

  /** A random kind of work from the mix. */
  begin(due: number): Promise<StartedWork> {
    const all = this.mix.reduce((sum, [weight]) => sum + weight, 0);
    let left = (this.random(1_000_000) / 1_000_000) * all;
    const [, work] = this.mix.find(([weight]) => (left -= weight) < 0) ?? this.mix[0]!;
    return work(due);
  }

  /** Every session that must be there. */
  expectedSessions(): ReadonlyMap<string, ExpectedSession> {
    return new Map([...this.sessions.expected(), ...this.learners.expected()]);
  }

  private async fillPool(due: number): Promise<StartedWork> {
    const { data } = await this.caller.call(
      'fill a pool',
      'update',
      'itembank/pools',
      withIdempotencyKey({ pools: [{ ...this.pool(), overwrite: true }] }),
      due,
    );
    return { job: this.jobs.waitFor(data[0].job_reference as string).then(() => undefined) };
  }

  private pool() {
    return { reference: POOL, name: POOL, content: { item_references: this.blocks.references } };
  }
}
