import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type TestService } from '../test/support/service';
import { Client as WireClient } from '../test/support/client';
import { signedStart } from '../test/support/page';
import { findChromium } from '../test/support/servers/chromium';
import { HostPage } from '../test/player/host-page';
import { SystemClock } from '#kernel';
import { COMPARED, compareSides, type Comparison, type Side, type Sides } from './compared';
import { type Engine, note, openEmptyDatabase } from './databases';
import { withApi, withFloor, withInstallation, withService } from './installation';
import { Client } from './load';
import { markdownTable, median } from './measure';
import { newConsumer, type Running } from './processes';
import { type Caller, type Prepared } from './requests';
import { itemReference, PAGE_ITEMS, seedContent } from './session-seed';

interface Size {
  rounds: number;
  seconds: number;
  /** The number of concurrent learners. */
  learners: number;
  /** The period in which the learners start. */
  startSeconds: number;
  /** The average interval between the saves of a learner. */
  saveSeconds: number;
  saves: number;
}

const ORIGIN = 'http://localhost:3000';

/**
 * Measures tests in pages: starts and saves per second against a floor that stores the same rows, the duration of saves
 * with many concurrent learners, and the waiting times of a learner in a slow browser.
 */
export async function delivery({ engines, quick }: { engines: readonly Engine[]; quick: boolean }): Promise<void> {
  const size: Size = quick
    ? { rounds: 3, seconds: 1, learners: 100, startSeconds: 2, saveSeconds: 2, saves: 3 }
    : { rounds: 7, seconds: 3, learners: 500, startSeconds: 10, saveSeconds: 10, saves: 6 };
  const [rates, together, waits]: string[][][] = [[], [], []];
  const versions: string[] = [];
  for (const engine of engines)
    await withInstallation(openEmptyDatabase(engine), async ({ version }, settings) => {
      // All requests of the bench come from one address, so the limits per address must use `X-Forwarded-For`.
      const environment = { ...settings, TRUSTED_PROXIES: 'loopback' };
      versions.push(`${engine} ${version}`);
      await withService(environment, (app) => seedContent(app, PAGE_ITEMS));
      const caller = await newConsumer(environment);
      await withApi(environment, async (service) => {
        await saveOneSession(service, caller);
        await withFloor('delivery-floor.ts', environment, async (floor) => {
          const comparison = { engine, sides: { floor, service }, goal: '0.50', ...size };
          for (const load of [starts(caller, size), saves(caller, comparison.sides)])
            rates!.push(await compareSides({ ...comparison, ...load }));
        });
        together!.push(await learners(engine, service, caller, size));
        waits!.push(await browser(engine, service, caller, quick));
      });
    });
  console.log(`Tests of 20 items with a question each; ${versions.join(', ')}; Node ${process.version}\n`);
  console.log(markdownTable(['in pages', ...COMPARED], rates!));
  console.log(
    `\n${markdownTable(['learners at once', 'engine', 'saves', 'median, ms', 'p99, ms', 'goal', 'errors'], together!)}`,
  );
  console.log(
    `\n${markdownTable(['browser, processor slowed down 4 times', 'engine', 'first question, ms', 'goal', 'next item, ms', 'goal'], waits!)}`,
  );
}

const request = (items: number) => ({
  session_id: randomUUID(),
  user_id: `learner-${randomBytes(4).toString('hex')}`,
  activity_id: 'bench',
  rendering_type: 'assess',
  type: 'submit_practice',
  items: Array.from({ length: items }, (_, index) => itemReference(index)),
});

/** Prepares a signed start for a new learner. */
export function prepareStart({ key, secret }: Caller, items = PAGE_ITEMS): Prepared {
  return post('sessions', signedStart({ key, secret }, Date.now(), request(items)));
}

/** Prepares a request of a learner's browser that comes through a proxy. */
function post(
  path: string,
  body: object,
  { method = 'POST', token }: { method?: string; token?: string } = {},
): Prepared {
  const text = JSON.stringify(body);
  const address = `10.${[...randomBytes(3)].join('.')}`;
  return Buffer.from(
    `${method} /delivery/v1/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${ORIGIN}\r\nContent-Type: application/json\r\n` +
      `X-Forwarded-For: ${address}\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** A learner in a started session. Each call of `save` makes the next save. */
export class Learner {
  private saved = 0;

  constructor(
    private readonly token: string,
    private readonly responses: readonly string[],
  ) {}

  save(): Prepared {
    this.saved += 1;
    const id = this.responses[this.saved % this.responses.length]!;
    const response = { value: [String(this.saved % 4)], type: 'array' };
    const body = { save_number: this.saved, responses: { [id]: response }, items: [], elapsed_seconds: this.saved };
    return post('sessions/current/responses', body, { method: 'PUT', token: this.token });
  }
}

export async function startLearner(client: Client, prepared: Prepared): Promise<Learner> {
  const started = JSON.parse((await client.send(prepared)).toString()) as {
    token: string;
    items: { response_ids?: string[] }[];
  };
  const responses = started.items.flatMap((item) => item.response_ids ?? []);
  return new Learner(started.token, responses.length > 0 ? responses : ['any']);
}

/** Starts and saves one session. The floor copies its rows. */
async function saveOneSession(service: Running, caller: Caller): Promise<void> {
  const client = await Client.open(service.port);
  const learner = await startLearner(client, prepareStart(caller));
  await client.send(learner.save());
  client.close();
}

type Load = Pick<Comparison, 'name' | 'ready' | 'next'>;

function starts(caller: Caller, { seconds }: Size): Load {
  const made: Prepared[] = [];
  return {
    name: 'sessions started',
    ready: async () => {
      while (made.length < seconds * 2_500) made.push(prepareStart(caller));
    },
    next: () => made.pop() ?? prepareStart(caller),
  };
}

function saves(caller: Caller, sides: Sides): Load {
  const learnersOf: Partial<Record<Side, Learner[]>> = {};
  let nextLearner = 0;
  let present: Learner[] = [];
  return {
    name: 'saves',
    ready: async (side) => {
      if (!learnersOf[side]) {
        const client = await Client.open(sides[side].port);
        learnersOf[side] = [];
        for (let index = 0; index < 200; index++)
          learnersOf[side].push(await startLearner(client, prepareStart(caller)));
        client.close();
      }
      present = learnersOf[side];
    },
    next: () => present[nextLearner++ % present.length]!.save(),
  };
}

/** Starts learners within some seconds. Then each learner saves several times. */
async function learners(engine: Engine, service: Running, caller: Caller, size: Size): Promise<string[]> {
  const times: number[] = [];
  let errors = 0;
  const take = async (index: number) => {
    await delay((index / size.learners) * size.startSeconds * 1000);
    const client = await Client.open(service.port);
    try {
      const learner = await startLearner(client, prepareStart(caller));
      for (let count = 0; count < size.saves; count++) {
        // A random interval, because people do not save at the same moment.
        await delay(size.saveSeconds * 1000 * (0.75 + Math.random() / 2));
        const sent = performance.now();
        await client.send(learner.save());
        times.push(performance.now() - sent);
      }
    } catch (error) {
      errors++;
      note(String(error));
    } finally {
      client.close();
    }
  };
  await Promise.all(Array.from({ length: size.learners }, (_, index) => take(index)));
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0);
  return [String(size.learners), engine, String(times.length), at(0.5), at(0.99), '250', String(errors)];
}

/** Measures the waiting times of a learner on a slow machine: for the first question, and for the next item. */
async function browser(engine: Engine, service: Running, { key, secret }: Caller, quick: boolean): Promise<string[]> {
  const clock = new SystemClock();
  const url = `http://127.0.0.1:${service.port}`;
  const { path } = await findChromium();
  process.env.TEST_CHROMIUM = path;
  const host = new HostPage();
  host.service = { url, client: new WireClient(url, key, secret, clock), clock } as unknown as TestService;
  await host.open();
  const [first, next]: number[][] = [[], []];
  try {
    for (let round = 0; round < (quick ? 2 : 7); round++) {
      await host.newLearner();
      await host.context.addInitScript('globalThis.began = 0');
      const page = await host.visit(
        { ...request(PAGE_ITEMS), config: { navigation: { show_intro: false } } },
        { init: '(began = performance.now(), LearnosityItems.init(signed, callbacks))', slowdown: 4 },
      );
      const shown = (name: string) =>
        page.evaluate<number>(`new Promise((done) => {
          const look = () => document.querySelector('.itembank-item:not([hidden])')?.getAttribute('aria-label') === ${JSON.stringify(name)}
            ? done(performance.now()) : requestAnimationFrame(look);
          look();
        })`);
      first!.push((await shown(`Item 1 of ${PAGE_ITEMS}`)) - (await page.evaluate<number>('began')));
      for (let item = 2; item <= PAGE_ITEMS; item++) {
        const pressed = await page.evaluate<number>(`(() => {
          const at = performance.now();
          [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Next').click();
          return at;
        })()`);
        next!.push((await shown(`Item ${item} of ${PAGE_ITEMS}`)) - pressed);
      }
      await host.context.close();
    }
  } finally {
    await host.close();
  }
  return ['20 items', engine, median(first!).toFixed(0), '1000', median(next!).toFixed(0), '100'];
}
