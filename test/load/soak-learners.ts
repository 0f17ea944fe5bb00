import { randomUUID } from 'node:crypto';
import { inParts } from '#kernel';
import { type Client } from '../support/client';
import { TestPage } from '../support/page';
import {
  type StartedWork,
  type ExpectedSession,
  ITEMS,
  type Mix,
  type PromiseCheck,
  QUESTIONS,
  scoreOf,
  takeFirst,
} from './soak-bank';
import { type SteadyCaller } from './steady-caller';

/** A test that a learner takes in a page. */
interface Test {
  sessionId: string;
  learner: number;
  token: string;
  /** The ids of its responses, in the order of the questions. */
  responseIds: string[];
  /** The number of the last acknowledged save or submission. */
  saves: number;
  isSubmitted: boolean;
}

interface StartedPage {
  token: string;
  session: { save_number: number };
  items: { questions: { response_id: string }[] }[];
  responses: Record<string, { value: unknown } | undefined>;
}

/** A test is submitted only after this many saves. */
const MIN_SAVES = 2;
const SAVES = 'sessions/current/responses';
const SUBMISSIONS = 'sessions/current/submissions';

/** Learners start tests, save all answers with other values each time, reload pages, and submit. */
export class SoakLearners {
  private readonly tests: Test[] = [];
  private readonly free = new Set<Test>();

  constructor(private readonly caller: SteadyCaller) {}

  readonly mix: Mix = [
    [4, (due) => this.start(due)],
    [12, (due) => this.save(due)],
    [1, (due) => this.reload(due)],
    [3, (due) => this.submit(due)],
  ];

  async seed(): Promise<void> {
    for (let test = 0; test < 3; test++) await this.start(Date.now());
    for (let save = 0; save < 3 * MIN_SAVES; save++) await this.save(Date.now());
    await this.reload(Date.now());
    await this.submit(Date.now());
  }

  /** The sessions of tests that were saved. Others are not stored. */
  expected(): [id: string, expected: ExpectedSession][] {
    return this.tests
      .filter(({ saves }) => saves > 0)
      .map(({ sessionId, isSubmitted }) => [
        sessionId,
        isSubmitted
          ? { status: 'Completed', states: 2, completions: 1 }
          : { status: 'Incomplete', states: 1, completions: 0 },
      ]);
  }

  private async start(due: number): Promise<StartedWork> {
    const test: Test = {
      sessionId: randomUUID(),
      learner: this.tests.length,
      token: '',
      responseIds: [],
      saves: 0,
      isSubmitted: false,
    };
    // The service may have stored a start although its answer was lost.
    this.tests.push(test);
    await this.open('start a test', test, due);
    this.free.add(test);
    return {};
  }

  private async reload(due: number): Promise<StartedWork> {
    const test = takeFirst(this.free, ({ saves }) => saves > 0);
    if (!test) return {};
    await this.open('reload a test', test, due);
    this.free.add(test);
    return {};
  }

  /** Opens the page of a test, and checks that it shows the acknowledged state. */
  private async open(kind: string, test: Test, due: number): Promise<void> {
    const { sessionId, learner, saves } = test;
    const request = TestPage.request({ session_id: sessionId, user_id: `soak-${learner}`, items: ITEMS });
    const started = (await this.caller.start(kind, request, due)).body as StartedPage;
    test.token = started.token;
    test.responseIds = started.items.flatMap(({ questions }) => questions.map(({ response_id }) => response_id));
    const shown = test.responseIds.map((id) => started.responses[id]?.value);
    const wanted = saves === 0 ? test.responseIds.map(() => undefined) : valuesOf(test).map((value) => [value]);
    if (started.session.save_number !== saves || JSON.stringify(shown) !== JSON.stringify(wanted))
      throw new Error(
        `The page of the session ${sessionId} shows the save ${started.session.save_number} with ${JSON.stringify(shown)}; ${saves} with ${JSON.stringify(wanted)} was acknowledged.`,
      );
  }

  private async save(due: number): Promise<StartedWork> {
    const test = takeFirst(this.free);
    if (!test) return {};
    const number = test.saves + 1;
    const more = { method: 'PUT', token: test.token };
    const { body } = await this.caller.page('save answers', SAVES, () => bodyOf(test, number), more, due);
    const { save_number: saved, stored } = body as { save_number: number; stored: Record<string, number> };
    // Each save changes each response. So a save that was stored twice shows too high revisions.
    if (saved !== number || test.responseIds.some((id) => stored[id] !== number))
      throw new Error(
        `The save ${number} of the session ${test.sessionId} was acknowledged as ${saved} with the revisions ${JSON.stringify(stored)}.`,
      );
    test.saves = number;
    this.free.add(test);
    return {};
  }

  private async submit(due: number): Promise<StartedWork> {
    const test = takeFirst(this.free, ({ saves }) => saves >= MIN_SAVES);
    if (!test) return {};
    const number = test.saves + 1;
    await this.caller.page('submit a test', SUBMISSIONS, () => bodyOf(test, number), { token: test.token }, due);
    test.saves = number;
    test.isSubmitted = true;
    return {};
  }

  /** Compares the stored responses with those of the last acknowledged save or submission. */
  async check(client: Client): Promise<PromiseCheck> {
    const broken: string[] = [];
    for (const part of inParts(this.tests, 50)) {
      const ids = { session_id: part.map(({ sessionId }) => sessionId), limit: 50 };
      const { data } = await client.get('sessions/responses', ids);
      const found = new Map((data as StoredSession[]).map((session) => [session.session_id, session]));
      for (const test of part) {
        const stored = stateOf(found.get(test.sessionId));
        const wanted = expectedState(test);
        if (stored !== wanted) broken.push(`${test.sessionId} is ${stored}; ${wanted} was acknowledged`);
      }
    }
    return {
      promise: 'a test is stored as its last acknowledged save or submission',
      checked: this.tests.length,
      broken,
    };
  }
}

interface StoredSession {
  session_id: string;
  status: string;
  score: number;
  responses: { response: { value: unknown } | null }[];
}

const stateOf = (session: StoredSession | undefined): string =>
  session
    ? `${session.status} ${session.score} ${JSON.stringify(session.responses.map(({ response }) => response?.value))}`
    : 'not there';

function expectedState(test: Test): string {
  if (test.saves === 0) return 'not there';
  const values = valuesOf(test);
  const status = test.isSubmitted ? 'Completed' : 'Incomplete';
  return `${status} ${scoreOf(values)} ${JSON.stringify(values.map((value) => [value]))}`;
}

/** Values that differ in each save. */
function valuesOf({ learner, saves }: Test, number = saves): string[] {
  return Array.from({ length: QUESTIONS }, (_, index) => String((Math.floor(number / 4 ** index) + learner) % 4));
}

function bodyOf(test: Test, number: number): object {
  const values = valuesOf(test, number);
  const responses = test.responseIds.map((id, index) => [id, { value: [values[index]], type: 'array' }]);
  return { save_number: number, responses: Object.fromEntries(responses), items: [], elapsed_seconds: 0 };
}
