import { EventRelay } from '#events';
import { inParts, SystemClock } from '#kernel';
import { Config } from '#platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../bench/seed';
import { type Answer, Client } from '../support/client';
import { type Engine } from '../support/engines';
import { provisionGoodRequests, seededStill, seedGoodRequests } from '../support/good-requests';
import { startService, type TestService } from '../support/service';
import { answer, submission, submit } from '../support/submissions';
import { type Callers } from './broken-calls';
import { contentOf } from './content';
import { type FuzzKind, type FuzzRequest, fuzzRequests } from './fuzz-requests';
import { trendOf, type MemoryTrend } from './memory';
import { API, Program } from './program';

export interface FuzzOptions {
  engine: Engine;
  requests: number;
  seed: number;
  /** Whether the process runs from `dist`. */
  built: boolean;
  /** The number of refused requests that are checked one by one. */
  singles: number;
  /**
   * The number of rounds. Each ends by waiting for all jobs, measuring the memory, and sending refused requests again.
   */
  rounds: number;
  note: (text: string) => void;
}

export interface FuzzReport {
  /** Answers by kind of request and outcome: `good, succeeded`. */
  answers: Record<string, number>;
  /** Operations without a successful request, or without a refused one. */
  oneSided: string[];
  slowestMs: number;
  /** The number of refused requests that were sent again between two checksums of all content. */
  refusedAgain: number;
  refusedAlone: number;
  /** The number of jobs by outcome. */
  jobs: Record<string, number>;
  memory: MemoryTrend;
  /** The faults, each with the seed and the request that reproduce it. */
  faults: string[];
}

const CONCURRENCY = 8;
/** A longer wait for an answer counts as no answer. */
const MAX_ANSWER_MS = 15_000;
/** The jobs of a round must end within this time. */
const MAX_JOBS_MS = 180_000;
/** The number of refused requests that a round sends again. */
const SENT_AGAIN = 400;
const MAX_FAULTS = 20;
const MAX_LINE_LENGTH = 1_000;

/** Sends generated requests for all operations to an API in a process of its own, and reports the faults. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { engine, built } = options;
  const seeding = await startService(engine);
  try {
    await seedGoodRequests(seeding.client);
    await submitGoodSessions(seeding);
    await provisionGoodRequests(seeding);
    await seeding.get(EventRelay).stop({ graceMs: 1_000 });
    const { databaseUrl, dataDir } = seeding.service.app.get(Config, { strict: false });
    const settings = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SECRETS_KEY: '11'.repeat(32),
      HOST: '127.0.0.1',
      ITEM_UPDATE_LIMIT: '1000000',
      JOB_RETENTION_DAYS: '36500',
      EVENT_RETENTION_DAYS: '36500',
      JOB_CONCURRENCY: '50',
    };
    const api = await Program.start({ ...API, built, settings });
    try {
      return await new Fuzz(options, seeding, api, await callersOf(seeding, api)).run();
    } finally {
      await api.end('SIGTERM');
    }
  } finally {
    await seeding.close();
  }
}

/** Submits the sessions that good requests name, because jobs work on them. */
async function submitGoodSessions(service: TestService): Promise<void> {
  const items = [{ reference: seededStill[0]!, organisation: 1, time: 12, flagged: false }];
  const responses = [{ ...answer(seededStill[0]!, 'q-good0', ['1']), responseId: 'good' }];
  const sessions = Array.from({ length: 100 }, (_, index) =>
    submission(`good${index}`, { items, responses, adaptive: { items: [seededStill[0]!] } }),
  );
  for (const some of inParts(sessions, 50)) await submit(service, some);
}

async function callersOf(service: TestService, api: Program): Promise<Callers> {
  const clock = new SystemClock();
  const at = ({ key, secret }: Client) => new Client(api.url, key, secret, clock);
  const reader = await service.consumer({ grants: [{ organisation: 1, access: 'read', primary: true }] });
  return { client: at(service.client), reader: at(reader) };
}

type Outcome = 'succeeded' | 'refused' | 'failed';

class Fuzz {
  private readonly faults: string[] = [];
  private readonly answers: Record<string, number> = {};
  private readonly reached = new Map<string, Set<Outcome>>();
  private readonly samples: number[] = [];
  private readonly random: (below: number) => number;
  private slowestMs = 0;
  private refusedAgain = 0;
  private refusedAlone = 0;

  constructor(
    private readonly options: FuzzOptions,
    private readonly service: TestService,
    private readonly api: Program,
    private readonly callers: Callers,
  ) {
    this.random = randomFrom(options.seed + 1);
  }

  async run(): Promise<FuzzReport> {
    const { requests, rounds, seed, note } = this.options;
    const source = fuzzRequests(seed);
    const next = () => source.next().value as FuzzRequest;
    for (let round = 0; round < rounds && this.isWorthwhile; round++) {
      const refused: FuzzRequest[] = [];
      const count = Math.round((requests * (round + 1)) / rounds) - Math.round((requests * round) / rounds);
      await this.sendAll(
        (function* () {
          for (let sent = 0; sent < count; sent++) yield next();
        })(),
        (request, outcome) => {
          if (outcome === 'refused' && (refused.length < SENT_AGAIN || this.random(20) === 0))
            refused[refused.length < SENT_AGAIN ? refused.length : this.random(SENT_AGAIN)] = request;
        },
      );
      await this.still();
      this.samples.push(await this.api.heldMegabytes());
      await this.sendAgain(refused);
      if (round === 0) await this.sendAlone(refused.slice(-this.options.singles));
      note(
        `${count} requests, round ${round + 1} of ${rounds}: ${this.samples.at(-1)!.toFixed(0)} MB held, ` +
          `slowest answer ${this.slowestMs.toFixed(0)} ms, ${this.faults.length} faults`,
      );
    }
    return this.report();
  }

  private get isWorthwhile(): boolean {
    return this.faults.length < MAX_FAULTS && this.api.isRunning;
  }

  private async report(): Promise<FuzzReport> {
    const rows = await this.service.database.rows<{ status: string; type: string; message: string; jobs: number }>(
      `SELECT status, CASE WHEN error_kind IS NULL THEN type END AS type, MIN(error_message) AS message, COUNT(*) AS jobs
       FROM job GROUP BY status, CASE WHEN error_kind IS NULL THEN type END`,
    );
    const jobs: Record<string, number> = {};
    for (const { status, type, message, jobs: count } of rows) {
      jobs[status] = (jobs[status] ?? 0) + Number(count);
      if (status === 'halted' && type) this.faults.push(`${count} jobs ${type} were halted by a bug: ${message}`);
    }
    const oneSided = [...this.reached]
      .filter(([, outcomes]) => !outcomes.has('succeeded') || !outcomes.has('refused'))
      .map(([name, outcomes]) => `${name} (only ${[...outcomes].join(', ')})`);
    const memory = trendOf(this.samples);
    if (memory.isFlat === false) this.faults.push('The memory of the process grows.');
    if (!this.api.isRunning) this.faults.push('The process ended.');
    for (const line of this.api.errors) this.faults.push(`Logged: ${line.slice(0, MAX_LINE_LENGTH)}`);
    const { answers, slowestMs, refusedAgain, refusedAlone, faults } = this;
    return { answers, oneSided, slowestMs, refusedAgain, refusedAlone, jobs, memory, faults };
  }

  private async sendAll(
    requests: Iterable<FuzzRequest>,
    told: (request: FuzzRequest, outcome: Outcome) => void,
  ): Promise<void> {
    const source = requests[Symbol.iterator]();
    const connection = async () => {
      for (let next = source.next(); !next.done && this.isWorthwhile; next = source.next())
        told(next.value, await this.send(next.value));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, connection));
  }

  /** Sends a request, and checks the rules for every answer. */
  private async send(request: FuzzRequest): Promise<Outcome> {
    const { outcome, fault } = await this.outcomeOf(request);
    if (fault) this.blame(request, fault);
    const counted = `${request.kind}, ${outcome}`;
    this.answers[counted] = (this.answers[counted] ?? 0) + 1;
    const name = `${request.action} ${request.path}`;
    if (!this.reached.has(name)) this.reached.set(name, new Set());
    this.reached.get(name)!.add(outcome);
    return outcome;
  }

  private async outcomeOf(request: FuzzRequest): Promise<{ outcome: Outcome; fault?: string }> {
    const began = performance.now();
    let answer: Answer;
    try {
      const { path, init } = this.called(request);
      const signal = AbortSignal.timeout(MAX_ANSWER_MS);
      answer = await this.callers.client.send(path, { ...init, signal });
    } catch (error) {
      return { outcome: 'failed', fault: `There was no answer that can be read: ${String(error)}` };
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    }
    const { status, meta, data, text } = answer;
    const fault = (what: string) => ({ outcome: 'failed' as const, fault: `${what}: ${status} ${text.slice(0, 500)}` });
    if (typeof meta?.status !== 'boolean' || meta.status !== (status === 200)) return fault('Status and meta disagree');
    if (status >= 500) return fault('The service failed');
    if (meta.status && data === undefined) return fault('Success without data');
    if (!meta.status && (data !== undefined || !meta.code || !meta.message)) return fault('An unclear refusal');
    if (meta.status && request.breakage) return fault(`A broken call (${request.breakage.name}) succeeded`);
    return { outcome: meta.status ? 'succeeded' : 'refused' };
  }

  private called({ path, action, text, breakage }: FuzzRequest): { path: string; init: RequestInit } {
    if (breakage) return breakage.make(this.callers, path, action, text);
    const body = new URLSearchParams(this.callers.client.fields(text, action));
    return { path, init: { method: 'POST', body } };
  }

  /** Sends refused requests once more. If all are refused again, no stored content may have changed. */
  private async sendAgain(requests: readonly FuzzRequest[]): Promise<void> {
    const before = await contentOf(this.service.database);
    const accepted = new Set<FuzzRequest>();
    await this.sendAll(requests, (request, outcome) => {
      if (outcome === 'succeeded') accepted.add(request);
    });
    await this.still();
    if (accepted.size > 0) return this.sendAgain(requests.filter((request) => !accepted.has(request)));
    this.refusedAgain += requests.length;
    if ((await contentOf(this.service.database)) !== before) await this.sendAlone(requests, 'found');
  }

  /** Sends the requests one by one, to find the one that changed something. */
  private async sendAlone(requests: readonly FuzzRequest[], found?: 'found'): Promise<void> {
    let blamed = false;
    for (const request of requests) {
      const before = await contentOf(this.service.database);
      const outcome = await this.send(request);
      if (outcome === 'succeeded') await this.still();
      else if ((await contentOf(this.service.database)) !== before) {
        blamed = true;
        this.blame(request, 'It was refused and changed what is stored');
      } else this.refusedAlone++;
    }
    if (found && !blamed)
      this.faults.push(`${requests.length} refused requests together changed what is stored, none of them alone.`);
  }

  /** Waits until no job waits or runs, and every event has its number. */
  private async still(): Promise<void> {
    const busy = async () => {
      const { waiting } = (await this.service.database.row<{ waiting: number | string }>(
        `SELECT (SELECT COUNT(*) FROM job WHERE status IN ('queued', 'running')) +
           (SELECT COUNT(*) FROM event WHERE number IS NULL) AS waiting`,
      ))!;
      return Number(waiting);
    };
    for (const until = Date.now() + MAX_JOBS_MS; (await busy()) > 0; await sleep(50)) {
      if (!this.api.isRunning) return;
      if (Date.now() > until) {
        this.faults.push(`${await busy()} jobs and events are still waiting after ${MAX_JOBS_MS / 1000} s.`);
        return;
      }
    }
  }

  private blame({ number, kind, action, path, text, breakage }: FuzzRequest, fault: string): void {
    const request = { number, kind: kind satisfies FuzzKind, breakage: breakage?.name, action, path, text };
    this.faults.push(`${fault}\n  seed ${this.options.seed}, request ${JSON.stringify(request)}`);
  }
}
