import { get } from 'node:http';
import { type Page, type Response } from 'playwright-core';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { signal } from '../support/signal';
import { ConsoleBrowser, settled } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

/** The files that a page has loaded, with the bytes that were sent for each. */
async function loadedBy(page: Page, work: () => Promise<void>): Promise<Map<string, number>> {
  const answers: Response[] = [];
  page.on('response', (answer) => answers.push(answer));
  await work();
  await settled(page);
  const sizes = await Promise.all(
    answers.map(async (answer): Promise<[string, number]> => {
      const { responseBodySize } = await answer.request().sizes();
      return [new URL(answer.url()).pathname, responseBodySize];
    }),
  );
  return new Map(sizes);
}

const total = (sizes: Map<string, number>) => [...sizes.values()].reduce((sum, size) => sum + size, 0);

/** Sends a request as it stands. `fetch` would add headers and decompress the answer. */
const read = (path: string, accepted: string, more: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const request = get(console.service.url + path, { headers: { 'Accept-Encoding': accepted, ...more } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }),
      );
      answer.on('error', reject);
    });
    request.on('error', reject);
  });

describe('the first page of the console', () => {
  // A window of another width is a new one, with an empty cache.
  it.each([
    ['of a person who is not signed in', undefined, 1281],
    ['of an operator, with the bank', 'operator', 1282],
  ] as const)('takes at most 250 kB over the network, with all that it loads: %s', async (_, role, width) => {
    const { page, context } = await console.signIn(['operator'], { width });
    if (!role) await context.clearCookies();
    const sizes = await loadedBy(page, () => console.visit(page, '/items'));
    const main = [...sizes].find(([path]) => path.startsWith('/console/assets/index-'))!;
    expect(main[1]).toBeGreaterThan(20_000);
    expect(total(sizes)).toBeLessThanOrEqual(250_000);
  });

  it('shows the navigation and a placeholder while the code of its screen is loading', async () => {
    const { page } = await console.signIn(['operator'], { width: 1283 });
    const sent = signal();
    await page.route('**/assets/account-*', (route) => sent.promise.then(() => route.continue()));
    await page.goto(`${console.service.url}/console/account`);
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Bank', exact: true }).waitFor();
    sent.give();
    await page.locator('h1:focus').waitFor();
  });
});

describe('the files of the console and the player', () => {
  const plain = async (path: string) => (await read(path, 'identity')).body;
  const script = async () => /src="(\/console\/assets\/index-[^"]+)"/.exec((await plain('/console/')).toString())![1]!;

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['', undefined, undefined],
    ['identity', undefined, undefined],
    ['gzip;q=0, br;q=0', undefined, undefined],
  ] as const)('come in the encoding that a browser accepts by "%s"', async (accepted, encoding, decoded) => {
    for (const [path, type] of [
      [await script(), 'text/javascript; charset=utf-8'],
      ['/console/', 'text/html; charset=utf-8'],
      ['/player/items.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const { status, headers, body } = await read(path, accepted);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'content-type': type, vary: 'Accept-Encoding' });
      expect(headers['content-encoding']).toBe(encoding);
      expect(Number(headers['content-length'])).toBe(body.length);
      expect((decoded?.(body) ?? body).equals(await plain(path))).toBe(true);
    }
  });

  it('keep their headers for caches and their policies in every encoding', async () => {
    const asset = await script();
    for (const accepted of ['br', 'gzip', 'identity']) {
      expect((await read(asset, accepted)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect((await read(asset, accepted)).headers['access-control-allow-origin']).toBe('*');
      expect((await read('/player/items.js', accepted)).headers['cache-control']).toBe('public, max-age=300');
      const { headers } = await read('/console/', accepted);
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    }
  });

  it('get 304 in every encoding while they are unchanged', async () => {
    for (const accepted of ['br', 'gzip', 'identity'])
      for (const path of ['/player/items.js', '/console/']) {
        const { headers } = await read(path, accepted);
        const again = await read(path, accepted, { 'If-Modified-Since': headers['last-modified'] as string });
        expect([again.status, again.body.length, again.headers.vary]).toEqual([304, 0, 'Accept-Encoding']);
      }
  });

  it('do not exist under other names', async () => {
    for (const path of ['/player/missing.js', '/console/assets/missing.js'])
      expect((await read(path, 'br')).status).toBe(404);
  });
});
