import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, Journal } from './journal';
import { LoadInstallation, type LoadOptions } from './load-installation';
import { trendOf, type MemoryTrend } from './memory';
import { type PromiseCheck } from './soak-bank';
import { brokenPromises } from './soak-promises';
import { SoakWork } from './soak-work';
import { SessionFollower } from './session-follower';
import { SteadyCaller } from './steady-caller';

export interface SoakOptions extends LoadOptions {
  seed: number;
  /** The seconds in which callers send as much work as the installation can do. */
  measureSeconds: number;
  /** The seconds in which they send 80 % of that. */
  loadSeconds: number;
  /** The interval in seconds in which a worker is killed; absent: never. */
  killWorkerEvery?: number;
  outages: readonly Outage[];
  note: (text: string) => void;
}

/** A program that ends and starts again. */
export interface Outage {
  /** Seconds after the beginning of the load. */
  at: number;
  of: 'API' | 'database' | 'Redis';
  signal: NodeJS.Signals;
}

export interface SoakReport {
  /** Pieces of work a second: the measured capacity, and the load. */
  capacity: number;
  rate: number;
  /** The pieces of work that began, and those that were left out because too many were in progress. */
  begun: number;
  leftOut: number;
  /** The number of killed workers. */
  kills: number;
  figures: Figures[];
  /** The outages of each kind, with the longest of them. */
  windows: { what: string; times: number; seconds: number; failures: number }[];
  memory: MemoryTrend;
  promises: PromiseCheck[];
  /** The faults that the run found. */
  faults: string[];
}

const LOAD_SHARE = 0.8;
const CONCURRENCY = 16;
const MAX_JOBS_WHEN_MEASURING = 40;
const MAX_IN_FLIGHT = 256;
const MEMORY_SAMPLES = 15;
/** Programs connect again within this time. */
const GRACE_MS = 5_000;
const MAX_FAULTS = 20;

/** Puts a limited load on an installation while it kills and restarts processes, and checks every promise. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const installation = await LoadInstallation.start(options);
  try {
    return await new Soak(options, installation).run();
  } finally {
    await installation.end();
  }
}

class Soak {
  private readonly journal = new Journal();
  private readonly work: SoakWork;
  private readonly follower: SessionFollower;
  private readonly startedJobs = new Set<Promise<void>>();
  private readonly samples: number[] = [];
  private begun = 0;
  private leftOut = 0;
  private kills = 0;

  constructor(
    private readonly options: SoakOptions,
    private readonly installation: LoadInstallation,
  ) {
    const caller = new SteadyCaller(installation.client, this.journal);
    this.work = new SoakWork(caller, options.seed);
    this.follower = new SessionFollower(caller);
  }

  async run(): Promise<SoakReport> {
    const { note, loadSeconds } = this.options;
    await this.work.seed();
    const following = this.follower.follow();
    const capacity = await this.capacity();
    const rate = capacity * LOAD_SHARE;
    note(`${capacity.toFixed(0)} pieces of work a second at most; ${rate.toFixed(0)} a second for ${loadSeconds} s`);
    await this.waitForStartedJobs();
    this.journal.begin();
    this.begun = 0;
    const disturbing = this.causeOutages();
    const sampling = this.sample();
    await this.load(rate);
    await Promise.all([disturbing, sampling, this.waitForStartedJobs()]);
    await this.follower.stop();
    await following;
    note('the load is over; checking the promises');
    const promises = await brokenPromises(this.installation, this.work, this.follower);
    const unexpected = this.journal.unexpectedFailures();
    const memory = trendOf(this.samples);
    promises.push(
      {
        promise: 'requests fail only during outages, with 503 unless the API itself is away',
        checked: this.begun,
        broken: unexpected,
      },
      {
        promise: 'the memory of the API is flat',
        checked: this.samples.length,
        broken: memory.isFlat === false ? ['it grows'] : [],
      },
    );
    return {
      capacity,
      rate,
      begun: this.begun,
      leftOut: this.leftOut,
      kills: this.kills,
      memory,
      promises,
      figures: this.journal.figures(),
      windows: this.windows(),
      faults: this.journal.faults.map((fault) => this.withLog(fault)),
    };
  }

  /** Adds the log lines of the API about the request. */
  private withLog(fault: string): string {
    const [, id] = /"request_uuid":"([^"]+)"/.exec(fault) ?? [];
    const logged = id === undefined ? [] : this.installation.apiErrors.filter((line) => line.includes(id));
    return [fault, ...logged].join('\n');
  }

  /** Measures the capacity in pieces of work a second. New work waits for started jobs, so workers count too. */
  private async capacity(): Promise<number> {
    const began = performance.now();
    const until = began + this.options.measureSeconds * 1000;
    const actor = async () => {
      while (performance.now() < until) {
        await this.doWork(Date.now());
        while (this.work.jobs.outstanding > MAX_JOBS_WHEN_MEASURING) await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, actor));
    return (this.begun * 1000) / (performance.now() - began);
  }

  /** Begins pieces of work at their times, even when earlier ones take long. */
  private async load(rate: number): Promise<void> {
    const { loadSeconds } = this.options;
    const inFlight = new Set<Promise<void>>();
    const began = Date.now();
    for (let number = 0; number < rate * loadSeconds && this.journal.faults.length < MAX_FAULTS; number++) {
      const due = began + (number * 1000) / rate;
      if (due > Date.now()) await sleep(due - Date.now());
      if (inFlight.size >= MAX_IN_FLIGHT) {
        this.leftOut++;
        continue;
      }
      const doWork = this.doWork(due).finally(() => inFlight.delete(doWork));
      inFlight.add(doWork);
    }
    await Promise.all(inFlight);
  }

  /** Does a piece of work. The end of the run waits for the job that it started. */
  private async doWork(due: number): Promise<void> {
    this.begun++;
    try {
      const { job } = await this.work.begin(due);
      const ended = job?.catch((error: unknown) => this.fault(error)).finally(() => this.startedJobs.delete(ended!));
      if (ended) this.startedJobs.add(ended);
    } catch (error) {
      this.fault(error);
    }
  }

  private fault(error: unknown): void {
    this.journal.faults.push((error as Error).message);
  }

  private async waitForStartedJobs(): Promise<void> {
    while (this.startedJobs.size > 0) await Promise.all(this.startedJobs);
  }

  private async causeOutages(): Promise<void> {
    const began = Date.now();
    await Promise.all([
      this.killWorkers(),
      ...(['API', 'database', 'Redis'] as const).map((program) => this.endAndStart(program, began)),
    ]);
  }

  private async killWorkers(): Promise<void> {
    const { loadSeconds, killWorkerEvery } = this.options;
    if (killWorkerEvery === undefined) return;
    const over = Date.now() + loadSeconds * 1000;
    for (let turn = 0; Date.now() + killWorkerEvery * 1000 < over; turn++) {
      await sleep(killWorkerEvery * 1000);
      this.kills++;
      await this.installation.killWorker(turn % this.installation.workers.length);
    }
  }

  /** Runs the outages of a program, one after the other. */
  private async endAndStart(program: Outage['of'], began: number): Promise<void> {
    const { sqlServer, redis } = this.installation;
    const restart = {
      API: (signal: NodeJS.Signals) => this.installation.restartApi(signal),
      database: (signal: NodeJS.Signals) => sqlServer!.restart!(signal),
      // Redis stores nothing on disk, so it loses its data.
      Redis: (signal: NodeJS.Signals) => redis!.restart!(signal),
    }[program];
    for (const { at, of, signal } of this.options.outages) {
      if (of !== program) continue;
      await sleep(Math.max(0, began + at * 1000 - Date.now()));
      const what = `${of}: ${signal}`;
      this.options.note(`${what}, ${at.toFixed(0)} s after the beginning`);
      await this.journal.during(what, GRACE_MS, of === 'API', () => restart(signal));
    }
  }

  private windows(): SoakReport['windows'] {
    return [...new Set(this.journal.windows.map(({ what }) => what))].map((what) => {
      const alike = this.journal.windows.filter((each) => each.what === what);
      const seconds = Math.max(...alike.map(({ from, to }) => (to - from - GRACE_MS) / 1000));
      return { what, times: alike.length, seconds, failures: this.journal.failuresDuring(what) };
    });
  }

  private async sample(): Promise<void> {
    for (let sample = 0; sample < MEMORY_SAMPLES; sample++) {
      await sleep((this.options.loadSeconds * 1000) / MEMORY_SAMPLES);
      const { program } = this.installation.api;
      // The program may have been killed meanwhile. Then there is no sample.
      const held = await program.heldMegabytes().catch(() => undefined);
      if (held !== undefined) this.samples.push(held);
    }
  }
}
