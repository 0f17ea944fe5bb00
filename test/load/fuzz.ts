import { EventRelay } from '#events';
import { inParts, SystemClock } from '#kernel';
import { ROLES, type Role } from '#people';
import { type Database, Files } from '#platform';
import { credentialsPath } from '#runtime/credentials';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomFrom } from '../support/random';
import { write } from '../support/bank';
import { Client } from '../support/client';
import { Browser, PASSWORD, signedIn } from '../support/browser';
import { type Engine } from '../support/engines';
import { provisionGoodRequests, unchangedItems, seedGoodRequests } from '../support/good-requests';
import { TestPage } from '../support/page';
import { startService, type TestService } from '../support/service';
import { writeSessionBank } from '../support/session-bank';
import { answer, submission, submit } from '../support/submissions';
import { DAY } from '../support/time';
import { changedTables, contentOf } from './content';
import { ADAPTIVE, ADAPTIVE_BANK, startCall, testFromAnswer, TESTLETS } from './delivery-requests';
import { type FuzzKind, type FuzzRequest, fuzzRequests } from './fuzz-requests';
import { type Callers, type PersonsBrowser } from './fuzz-source';
import { MAX_UPLOAD, runTransfers } from './hostile-transfers';
import { type HttpAnswer, type HttpCall, sendCall } from './http-call';
import { trendOf, type MemoryTrend } from './memory';
import { API, Program } from './program';

interface FuzzOptions {
  engine: Engine;
  requests: number;
  seed: number;
  /** Whether the process runs from `dist`. */
  built: boolean;
  /** The number of refused requests that are checked one by one. */
  singles: number;
  /** After each round, the run waits for all jobs, measures the memory, and sends refused requests again. */
  rounds: number;
  /** The number of large, slow and cut requests beside each round. */
  transfers: number;
  note: (text: string) => void;
}

interface FuzzReport {
  /** Answers by kind of request and outcome: `good, succeeded`. */
  answers: Record<string, number>;
  /** Operations and routes without a successful request, or without a refused one. */
  oneSided: string[];
  slowestMs: number;
  transfers: number;
  /** The number of requests that were refused again without a change of the content. */
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
const MAX_SENT_AGAIN = 400;
const MAX_FAULTS = 20;
const MAX_LINE_LENGTH = 1_000;

/** Sends generated requests for all operations to an API in a process of its own, and reports the faults. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { engine, built } = options;
  const seeding = await startService(engine);
  try {
    await seedGoodRequests(seeding.client);
    await submitGoodSessions(seeding);
    await writeSessionBank(seeding.client);
    await write(seeding.client, ADAPTIVE_BANK);
    await provisionGoodRequests(seeding);
    await seeding.get(EventRelay).stop({ graceMs: 1_000 });
    const settings = {
      ...seeding.settings,
      HOST: '127.0.0.1',
      ITEM_UPDATE_LIMIT: '1000000',
      JOB_RETENTION_DAYS: '36500',
      EVENT_RETENTION_DAYS: '36500',
      JOB_CONCURRENCY: '50',
      MAX_ASSET_BYTES: String(MAX_UPLOAD),
    };
    // The pages for trying the service need credentials and the embedded database.
    const { key, secret } = seeding.client;
    await writeFile(credentialsPath(settings.DATA_DIR), JSON.stringify({ key, secret }));
    const api = await Program.start({ ...API, built, settings });
    try {
      return await new Fuzz(options, seeding, api, await callersOf(seeding, api), settings.DATA_DIR).run();
    } finally {
      await api.end('SIGTERM');
    }
  } finally {
    await seeding.close();
  }
}

/** Submits the sessions that good requests name, because jobs work on them. */
async function submitGoodSessions(service: TestService): Promise<void> {
  const items = [{ reference: unchangedItems[0]!, organisation: 1, time: 12, flagged: false }];
  const responses = [{ ...answer(unchangedItems[0]!, 'q-good0', ['1']), responseId: 'good' }];
  const sessions = Array.from({ length: 100 }, (_, index) =>
    submission(`good${index}`, { items, responses, adaptive: { items: [unchangedItems[0]!] } }),
  );
  for (const some of inParts(sessions, 50)) await submit(service, some);
}

/** Tests that are taken at a time. */
const TESTS = 40;
/** People who sign in and out. */
const VISITORS = 4;
const YEAR = 365 * DAY;

/** The senders, with the id of the operator. */
type FuzzCallers = Callers & { operatorId: string };

async function callersOf(service: TestService, api: Program): Promise<FuzzCallers> {
  const clock = new SystemClock();
  const at = ({ key, secret }: Client) => new Client(api.url, key, secret, clock);
  const reader = await service.consumerOf([1, 'read']);
  const both = (roles: readonly Role[]) => ({ 1: roles, 2: roles });
  const operator = await signIn(service, api, both(['operator']));
  const stale = await signIn(service, api, both(['operator']));
  const files = service.get(Files);
  const callers: FuzzCallers = {
    operatorId: operator.id,
    url: api.url,
    client: at(service.client),
    reader: at(reader),
    tests: [],
    author: (await signIn(service, api, ROLES)).browser,
    operator: operator.browser,
    stale: stale.browser,
    viewer: (await signIn(service, api, both(['viewer']))).browser,
    visitors: await createInTurn(VISITORS, async () => ({ email: (await createPerson(service, ['viewer'])).email })),
    made: { people: [], consumers: [], links: [] },
    uploadPath: async (key, type, expiresAt) => {
      const { pathname, search } = new URL(
        await files.uploadAddress({ area: 'public', owner: 1, key }, type, expiresAt),
      );
      return `${pathname}${search}`;
    },
  };
  callers.tests = await createInTurn(TESTS, async (index) => {
    const request = {
      ...TestPage.request([ADAPTIVE, TESTLETS][index % 4] ?? { items: ['i-1', 'i-2'] }),
      user_id: `learner${index}`,
    };
    const call = startCall(callers, { path: '/delivery/v1/sessions', text: JSON.stringify(request) });
    const { text } = await sendCall(api.url, call, MAX_ANSWER_MS);
    const test = testFromAnswer(text);
    if (!test) throw new Error(`No test starts: ${text}`);
    return test;
  });
  return callers;
}

async function createInTurn<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make(made.length));
  return made;
}

const createPerson = async (service: TestService, roles: Parameters<typeof signedIn>[1]) =>
  (await signedIn(service, roles)).person;

/** Creates a person with these roles, and signs them in by the clock of the API. */
async function signIn(service: TestService, api: Program, roles: Parameters<typeof signedIn>[1]) {
  const { id, email } = await createPerson(service, roles);
  const browser = new Browser(api.url);
  const { status, text } = await browser.signIn(email, PASSWORD);
  if (status !== 204) throw new Error(`Nobody can sign in: ${text}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { id, browser: { cookie, csrf: browser.csrf! } satisfies PersonsBrowser };
}

/**
 * Moves the last use of all sign-ins into the future. Otherwise, the service would store it once a minute, even for
 * refused calls. Only the operator stays confirmed.
 */
async function keepSignedIn(database: Database, operator: string): Promise<void> {
  const later = Date.now() + YEAR;
  await database.write('UPDATE sign_in SET seen_at = ?', [later]);
  await database.write('UPDATE sign_in SET confirmed_at = CASE WHEN person_id = ? THEN ? ELSE 0 END', [
    operator,
    later,
  ]);
}

type Outcome = 'succeeded' | 'refused' | 'failed';

class Fuzz {
  private readonly faults: string[] = [];
  private readonly answers: Record<string, number> = {};
  private readonly reached = new Map<string, Set<Outcome>>();
  private readonly samples: number[] = [];
  private readonly random: Random;
  private slowestMs = 0;
  private refusedAgain = 0;
  private refusedAlone = 0;
  private transferred = 0;

  constructor(
    private readonly options: FuzzOptions,
    private readonly service: TestService,
    private readonly api: Program,
    private readonly callers: FuzzCallers,
    private readonly folder: string,
  ) {
    this.random = randomFrom(options.seed + 1);
  }

  async run(): Promise<FuzzReport> {
    const { requests, rounds, seed, note } = this.options;
    const source = fuzzRequests(seed);
    const next = () => source.next().value as FuzzRequest;
    const began = performance.now();
    for (let round = 0; round < rounds && this.isWorthwhile; round++) {
      const refused: FuzzRequest[] = [];
      const count = Math.round((requests * (round + 1)) / rounds) - Math.round((requests * round) / rounds);
      const started = performance.now();
      await keepSignedIn(this.service.database, this.callers.operatorId);
      await Promise.all([
        this.sendAll(
          (function* () {
            for (let sent = 0; sent < count; sent++) yield next();
          })(),
          (request, outcome) => {
            if (outcome === 'refused' && (refused.length < MAX_SENT_AGAIN || this.random(20) === 0))
              refused[refused.length < MAX_SENT_AGAIN ? refused.length : this.random(MAX_SENT_AGAIN)] = request;
          },
        ),
        this.transfer(round),
      ]);
      const answered = performance.now();
      await this.waitForJobs();
      const atRest = performance.now();
      this.samples.push(await this.api.heldMegabytes());
      await keepSignedIn(this.service.database, this.callers.operatorId);
      await this.sendAgain(refused);
      if (round === 0) await this.sendAlone(refused.slice(-this.options.singles));
      const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(0);
      note(
        `${count} requests, round ${round + 1} of ${rounds}: ${this.samples.at(-1)!.toFixed(0)} MB held, ` +
          `slowest answer ${this.slowestMs.toFixed(0)} ms, ${this.faults.length} faults; ` +
          `${seconds(started, answered)} s sending, ${seconds(answered, atRest)} s waiting for jobs, ` +
          `${seconds(atRest, performance.now())} s sending again, ${seconds(began, performance.now())} s in all`,
      );
    }
    return this.report();
  }

  private async transfer(round: number): Promise<void> {
    const { transfers: count, seed } = this.options;
    const wanted = { count, first: round * count, random: this.random, maxMs: MAX_ANSWER_MS };
    for (const fault of await runTransfers(this.callers, wanted))
      this.fault(`${fault}\n  seed ${seed}, a transfer of round ${round + 1}`);
    this.transferred += count;
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
      if (status === 'halted' && type) this.fault(`${count} jobs ${type} were halted by a bug: ${message}`);
    }
    const oneSided = [...this.reached]
      .filter(([, outcomes]) => !outcomes.has('succeeded') || !outcomes.has('refused'))
      .map(([name, outcomes]) => `${name} (only ${[...outcomes].join(', ')})`);
    const memory = trendOf(this.samples);
    if (memory.isFlat === false) this.fault('The memory of the process grows.');
    if (!this.api.isRunning) this.fault('The process ended.');
    for (const line of this.api.errors) this.fault(`Logged: ${line.slice(0, MAX_LINE_LENGTH)}`);
    const { answers, slowestMs, transferred, refusedAgain, refusedAlone, faults } = this;
    return { answers, oneSided, slowestMs, transfers: transferred, refusedAgain, refusedAlone, jobs, memory, faults };
  }

  private async sendAll(
    requests: Iterable<FuzzRequest>,
    onOutcome: (request: FuzzRequest, outcome: Outcome) => void,
  ): Promise<void> {
    const source = requests[Symbol.iterator]();
    const connection = async () => {
      for (let next = source.next(); !next.done && this.isWorthwhile; next = source.next())
        onOutcome(next.value, await this.send(next.value));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, connection));
  }

  /** Sends a request, and checks the rules for every answer. */
  private async send(request: FuzzRequest): Promise<Outcome> {
    const { outcome, fault } = await this.outcomeOf(request);
    if (fault) this.blame(request, fault);
    const key = `${request.kind}, ${outcome}`;
    this.answers[key] = (this.answers[key] ?? 0) + 1;
    if (!this.reached.has(request.target)) this.reached.set(request.target, new Set());
    this.reached.get(request.target)!.add(outcome);
    return outcome;
  }

  private async outcomeOf(request: FuzzRequest): Promise<{ outcome: Outcome; fault?: string }> {
    const began = performance.now();
    let call: HttpCall;
    let answer: HttpAnswer;
    try {
      call = await request.make(this.callers);
      answer = await sendCall(this.callers.url, call, MAX_ANSWER_MS);
    } catch (error) {
      return { outcome: 'failed', fault: `There was no readable answer: ${String(error)}` };
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    }
    const { status, text } = answer;
    const fault = (what: string) => ({ outcome: 'failed' as const, fault: `${what}: ${status} ${text.slice(0, 500)}` });
    if (status >= 500) return fault('The service failed');
    const outcome = request.judge(answer);
    if (typeof outcome !== 'string') return fault(outcome.fault);
    if (outcome === 'succeeded' && request.breakage) return fault(`A broken call (${request.breakage}) succeeded`);
    if (outcome === 'succeeded') request.onSuccess?.(this.callers, answer, call);
    return { outcome };
  }

  /** Sends refused requests once more. If all are refused again, no stored content may have changed. */
  private async sendAgain(requests: readonly FuzzRequest[]): Promise<void> {
    const refused = await this.refusedOf(requests);
    const before = await contentOf(this.service.database, this.folder);
    const again = await this.refusedOf(refused);
    if (again.length < refused.length) return this.sendAgain(again);
    this.refusedAgain += again.length;
    const changed = changedTables(before, await contentOf(this.service.database, this.folder));
    if (changed !== '') await this.sendAlone(again, changed);
  }

  /** Sends the requests, and returns those that were refused. */
  private async refusedOf(requests: readonly FuzzRequest[]): Promise<FuzzRequest[]> {
    const accepted = new Set<FuzzRequest>();
    await this.sendAll(requests, (request, outcome) => {
      if (outcome === 'succeeded') accepted.add(request);
    });
    await this.waitForJobs();
    return requests.filter((request) => !accepted.has(request));
  }

  /**
   * Sends the requests one by one, to find the one that changed something.
   * @param changedTogether the tables that they changed when they were sent together.
   */
  private async sendAlone(requests: readonly FuzzRequest[], changedTogether?: string): Promise<void> {
    let blamed = false;
    let before = await contentOf(this.service.database, this.folder);
    for (const request of requests) {
      const outcome = await this.send(request);
      if (outcome === 'succeeded') await this.waitForJobs();
      const after = await contentOf(this.service.database, this.folder);
      const changed = changedTables(before, after);
      if (outcome !== 'succeeded' && changed !== '') {
        blamed = true;
        this.blame(request, `It was refused and changed ${changed}`);
      } else if (outcome !== 'succeeded') this.refusedAlone++;
      before = after;
    }
    if (changedTogether && !blamed)
      this.fault(`${requests.length} refused requests together changed ${changedTogether}, none of them alone.`);
  }

  /** Waits until no job waits or runs, every event has its number, and search has every text. */
  private async waitForJobs(): Promise<void> {
    const countUnfinished = async () => {
      const { waiting } = (await this.service.database.row<{ waiting: number | string }>(
        `SELECT (SELECT COUNT(*) FROM job WHERE status IN ('queued', 'running')) +
           (SELECT COUNT(*) FROM event WHERE number IS NULL) + (SELECT COUNT(*) FROM search_pending) AS waiting`,
      ))!;
      return Number(waiting);
    };
    for (const until = Date.now() + MAX_JOBS_MS; (await countUnfinished()) > 0; await sleep(50)) {
      if (!this.api.isRunning) return;
      if (Date.now() > until) {
        this.fault(`${await countUnfinished()} jobs and events are still waiting after ${MAX_JOBS_MS / 1000} s.`);
        return;
      }
    }
  }

  private fault(text: string): void {
    this.faults.push(text);
    this.options.note(text);
  }

  private blame({ number, kind, target, breakage, path, text }: FuzzRequest, fault: string): void {
    const request = { number, kind: kind satisfies FuzzKind, breakage, target, path, text };
    this.fault(`${fault}\n  seed ${this.options.seed}, request ${JSON.stringify(request)}`);
  }
}
