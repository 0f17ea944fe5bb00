import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../test/support/servers/chromium';
import { type Engine, note, openBenchDatabase, openBenchFile } from './databases';
import { type Environment, withApi, withInstallation } from './installation';
import { markdownTable, median } from './measure';
import { output, type Running } from './processes';

const CLI = 'dist/apps/cli/src/main.js';
const EMAIL = 'bench@example.org';
const SCROLL_STEPS = 200;

/**
 * Measures the waiting times of an author in the bank of the console: until the list is shown, until a filter is
 * answered, and how long rows stay blank while the list scrolls.
 */
export async function consoleBank({
  engines,
  quick,
}: {
  engines: readonly (Engine | 'sqlite')[];
  quick: boolean;
}): Promise<void> {
  const items = quick ? 10_000 : 100_000;
  const rows: string[][] = [];
  for (const engine of engines) {
    const bench = engine === 'sqlite' ? openBenchFile(items) : openBenchDatabase(engine, items);
    await withInstallation(bench, async (_, environment) => {
      await output([CLI, 'user', 'create', EMAIL, '--organisation', '1', '--role', 'author,operator'], environment);
      note(`${engine}: ${(await output([CLI, 'reindex'], environment)).trim()}`);
      rows.push([engine, ...(await withApi(environment, (service) => measureInBrowser(service, environment, quick)))]);
    });
  }
  console.log(`${items} items with two questions each, on loopback; Node ${process.version}\n`);
  const head = ['bank in the console', 'list shown, ms', 'goal', 'filter answered, median ms', 'p95', 'goal'];
  console.log(
    markdownTable(
      [...head, 'filters', 'numbers beside the choices, p95', 'rows scrolled', 'blank rows at most, ms', 'goal'],
      rows,
    ),
  );
}

async function measureInBrowser(service: Running, environment: Environment, quick: boolean): Promise<string[]> {
  const url = `http://127.0.0.1:${service.port}`;
  const { path } = await findChromium();
  const browser = await chromium.launch({ executablePath: path });
  try {
    const { link } = JSON.parse(await output([CLI, 'user', 'link', EMAIL, '--url', url, '--json'], environment)) as {
      link: string;
    };
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('button', { name: `Sign in as ${EMAIL}` }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();

    const shown: number[] = [];
    for (let round = 0; round < (quick ? 3 : 7); round++) {
      await page.goto(`${url}/console/items`);
      shown.push(await page.evaluate<number>(`(${whenRows})(undefined)`));
    }
    const [answered, counted]: [number[], number[]] = [[], []];
    const filters = filtersOf(quick ? 3 : 10);
    for (const filter of filters) {
      const times = await page.evaluate<[number, number]>(`(${whenFiltered})(${JSON.stringify(filter)})`);
      answered.push(times[0]);
      counted.push(times[1]);
    }
    const { rows, blank } = await scrollList(page, url);
    const whole = (value: number) => value.toFixed(0);
    return [
      whole(median(shown)),
      '1000',
      whole(median(answered)),
      whole(p95(answered)),
      '300',
      String(filters.length),
      whole(p95(counted)),
      String(rows),
      whole(blank),
      '200',
    ];
  } finally {
    await browser.close();
  }
}

/** Returns distinct filters for the address of the bank, so that the console cannot answer from memory. */
function filtersOf(rounds: number): string[] {
  const filters: Record<string, unknown>[] = [];
  for (let round = 0; round < rounds; round++) {
    const number = String(round).padStart(2, '0');
    filters.push(
      { tags: [`Subject:Subject ${number}`] },
      { tags: [`Subject:Subject ${number}`, `Topic:Topic ${String((round * 5) % 50).padStart(2, '0')}`] },
      { tags: [`Course:Course ${number}`, `Grade:`], without: [`Unit:Unit ${number}`] },
      { tags: [`Level:Level ${number}`], match: 'any', types: ['orderlist'] },
      { types: ['clozetext'], tags: [`Skill:Skill ${number}`], sort: 'title', ascending: round % 2 === 0 },
      { text: `${100 + round * 7} ocean` },
      { unused: true, sort: 'reference', tags: [`Standard:Standard ${number}`] },
    );
  }
  return filters.map((filter) =>
    Object.entries(filter)
      .map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
      .join('&'),
  );
}

/** Runs in the page. Waits until the first row differs from `before`. Returns the time since the page was opened. */
const whenRows = `(before) => new Promise((done, fail) => {
  const started = performance.now();
  const look = () => {
    const row = document.querySelector('tr[data-index="0"]');
    if (row && row !== before) done(performance.now());
    else if (performance.now() > started + 30_000) fail(new Error('No rows were shown: ' + location));
    else requestAnimationFrame(look);
  };
  look();
})`;

/**
 * Runs in the page. Applies another filter. Returns the time until its rows are shown, and the time until the numbers
 * beside the choices of the filters are known.
 */
const whenFiltered = `async (filter) => {
  const before = document.querySelector('tr[data-index="0"]');
  performance.clearResourceTimings();
  const pressed = performance.now();
  history.pushState({}, '', '/console/items?' + filter);
  dispatchEvent(new PopStateEvent('popstate'));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const countsShown = (async () => {
    const isOfCounts = ({ name, responseEnd }) => name.endsWith('/itembank/facets') && responseEnd > pressed;
    for (;;) {
      const call = performance.getEntriesByType('resource').find(isOfCounts);
      if (call) return call.responseEnd - pressed;
      await new Promise(requestAnimationFrame);
    }
  })();
  const shown = (await (${whenRows})(before)) - pressed;
  return [shown, await countsShown];
}`;

/** Turns the wheel over the list as fast as a person does, and measures how long no row is in view. */
async function scrollList(page: Page, url: string): Promise<{ rows: number; blank: number }> {
  await page.goto(`${url}/console/items`);
  await page.evaluate(`(${whenRows})(undefined)`);
  const list = page.getByRole('region', { name: 'Items' });
  const box = (await list.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.evaluate(`(() => {
    globalThis.blank = 0;
    let last = performance.now();
    const look = () => {
      const now = performance.now();
      if (document.elementFromPoint(${x}, ${y})?.closest('tr[data-index]')) last = now;
      globalThis.blank = Math.max(globalThis.blank, now - last);
      requestAnimationFrame(look);
    };
    look();
  })()`);
  for (let step = 0; step < SCROLL_STEPS; step++) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(50);
  }
  const rows = await page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('tr[data-index]')].map((row) => Number(row.dataset.index)))`,
  );
  return { rows, blank: await page.evaluate<number>('globalThis.blank') };
}

const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1]!;
