import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type TestService } from '../test/support/service';
import { Client as WireClient } from '../test/support/client';
import { signedStart } from '../test/support/page';
import { findChromium } from '../test/support/servers/chromium';
import { HostPage } from '../test/player/host-page';
import { SystemClock } from '#kernel';
import { Config, Database, migrate } from '#platform';
import { createService } from '../apps/api/src/service';
import { type Engine, note, openEmptyDatabase } from './databases';
import { Client, load } from './load';
import { markdownTable, median } from './measure';
import { newConsumer, processorMilliseconds, type Running, start } from './processes';
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

const SIDES = ['floor', 'service'] as const;
type Side = (typeof SIDES)[number];
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
  for (const engine of engines) {
    const database = await openEmptyDatabase(engine);
    const folder = mkdtempSync(join(tmpdir(), 'itembank-bench-'));
    const environment = {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      DATA_DIR: folder,
      // All requests of the bench come from one address, so the limits per address must use `X-Forwarded-For`.
      TRUSTED_PROXIES: 'loopback',
    };
    try {
      versions.push(`${engine} ${database.version}`);
      await seed(environment);
      const caller = await newConsumer(environment);
      const service = await start(['dist/apps/api/src/main.js'], environment);
      try {
        await saveOneSession(service, caller);
        const floor = await start(['-r', './test/support/ts.cjs', 'bench/delivery-floor.ts'], {
          DATABASE_URL: database.url,
        });
        try {
          for (const measure of [starts, saves]) rates!.push(await measure(engine, { floor, service }, caller, size));
        } finally {
          await floor.stop();
        }
        together!.push(await learners(engine, service, caller, size));
        waits!.push(await browser(engine, service, caller, quick));
      } finally {
        await service.stop();
      }
    } finally {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(`Tests of 20 items with a question each; ${versions.join(', ')}; Node ${process.version}\n`);
  const head = ['in pages', 'engine', 'floor, /s', 'service, /s', 'ratio', 'lowest', 'highest', 'goal'];
  console.log(markdownTable([...head, 'Node, ms of processor: floor, service'], rates!));
  console.log(
    `\n${markdownTable(['learners at once', 'engine', 'saves', 'median, ms', 'p99, ms', 'goal', 'errors'], together!)}`,
  );
  console.log(
    `\n${markdownTable(['browser, processor slowed down 4 times', 'engine', 'first question, ms', 'goal', 'next item, ms', 'goal'], waits!)}`,
  );
}

async function seed(environment: Record<string, string>): Promise<void> {
  const app = await createService(Config.read({ ...environment, LOG_LEVEL: 'silent' }));
  try {
    await migrate(app.get(Database));
    await app.init();
    await seedContent(app, PAGE_ITEMS);
  } finally {
    await app.close();
  }
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

async function starts(engine: Engine, sides: Record<Side, Running>, caller: Caller, size: Size): Promise<string[]> {
  const made: Prepared[] = [];
  return compareSides('sessions started', engine, sides, size, {
    ready: async () => {
      while (made.length < size.seconds * 2_500) made.push(prepareStart(caller));
    },
    next: () => made.pop() ?? prepareStart(caller),
  });
}

async function saves(engine: Engine, sides: Record<Side, Running>, caller: Caller, size: Size): Promise<string[]> {
  const learnersOf: Partial<Record<Side, Learner[]>> = {};
  let nextLearner = 0;
  let present: Learner[] = [];
  return compareSides('saves', engine, sides, size, {
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
  });
}

async function compareSides(
  name: string,
  engine: Engine,
  sides: Record<Side, Running>,
  { rounds, seconds }: Size,
  { ready, next }: { ready: (side: Side) => Promise<void>; next: () => Prepared },
): Promise<string[]> {
  const rates: Record<Side, number[]> = { floor: [], service: [] };
  const processor: Record<Side, number[]> = { floor: [], service: [] };
  for (let round = -1; round < rounds; round++)
    for (const side of round % 2 ? SIDES.toReversed() : SIDES) {
      await ready(side);
      const before = processorMilliseconds(sides[side].pid);
      const { perSecond, answered } = await load(sides[side].port, next, seconds);
      // The first round warms up.
      if (round < 0) continue;
      rates[side].push(perSecond);
      processor[side].push((processorMilliseconds(sides[side].pid) - before) / answered);
    }
  const each = rates.service.map((rate, round) => rate / rates.floor[round]!);
  note(`${engine}: ${name}: ${median(rates.floor).toFixed(0)}/s, ${median(rates.service).toFixed(0)}/s`);
  return [
    name,
    engine,
    ...SIDES.map((side) => median(rates[side]).toFixed(0)),
    ...[median(each), Math.min(...each), Math.max(...each)].map((value) => value.toFixed(2)),
    '0.50',
    SIDES.map((side) => median(processor[side]).toFixed(1)).join(', '),
  ];
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
