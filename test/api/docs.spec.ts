import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anchor } from '../../apps/api/src/declaration/describe/markdown';
import { declarationOf, spellWhen } from '../../apps/api/src/declaration/operation';
import { Registry } from '../../apps/api/src/declaration/registry';
import { operations } from '../../apps/api/src/operations';
import { limitFor } from '../../libs/access/src/domain/rate-limits';
import { serviceOfSuite, startService } from '../support/service';

// These pages do not use the database, so one engine is enough.
describe('the description of the service', () => {
  const service = serviceOfSuite(() => startService('sqlite'));

  const get = (path: string, init: RequestInit = {}) => fetch(service.url + path, { redirect: 'manual', ...init });

  it('begins at / with links that all work', async () => {
    const response = await get('/');
    expect(response.status).toBe(200);
    const links = (await response.json()) as Record<string, string>;
    expect(links).toEqual({ docs: '/docs', openapi: '/openapi.json', health: '/health/ready' });
    for (const link of Object.values(links)) expect((await get(link)).status).toBe(200);
  });

  it('is available as an OpenAPI document for programs', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', paths: { '/v1/itembank/items': {} } });
  });

  it('shows a page at / to a browser and links to all other clients', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await get('/', { headers: { accept } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('Accept');
    expect(await page.text()).toMatch(/Itembank is running[^]*Version \d+\.\d+\.\d+[^]*href="docs"/);
    for (const accept of ['application/json', '*/*', 'image/png']) {
      const response = await get('/', { headers: { accept } });
      expect([accept, response.headers.get('content-type')]).toEqual([accept, 'application/json; charset=utf-8']);
      expect(response.headers.get('vary')).toBe('Accept');
    }
  });

  const texts = readdirSync(join(__dirname, '../../docs'), { recursive: true, encoding: 'utf8' });
  const pages = [
    '/',
    '/docs',
    '/docs/',
    ...texts.filter((name) => name.endsWith('.md')).map((name) => `/docs/${name}`),
  ];
  const shown = (path: string) => get(path, { headers: { accept: 'text/html' } });

  describe.each(pages)('the page at %s', (path) => {
    /** The addresses on the page, as a browser resolves them. */
    async function addresses(): Promise<URL[]> {
      const html = await (await shown(path)).text();
      return [...html.matchAll(/<(?:a|link)[^>]* href="([^"]+)"/g)].map(
        ([, href]) => new URL(href!, service.url + path),
      );
    }

    it('is HTML without scripts and inline styles, under a policy that forbids them', async () => {
      const response = await shown(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*|script/);
      const html = await response.text();
      expect(html).not.toMatch(/<script|<style|<img| style=| on[a-z]+=/);
      expect(html).toMatch(/<html lang="en">[^]*<title>[^<]+<\/title>[^]*<main id="text">\s*<h1>/);
    });

    it('links only to existing pages, files and headings', async () => {
      const ids = new Map<string, Set<string>>();
      for (const { origin, pathname, hash } of await addresses()) {
        if (origin !== new URL(service.url).origin) continue;
        if (!ids.has(pathname)) {
          const response = await shown(pathname);
          expect([pathname, response.status, response.headers.get('x-content-type-options')]).toEqual([
            pathname,
            200,
            'nosniff',
          ]);
          ids.set(pathname, new Set([...(await response.text()).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)));
        }
        if (hash !== '')
          expect([pathname, [...ids.get(pathname)!]]).toEqual([
            pathname,
            expect.arrayContaining([decodeURIComponent(hash.slice(1))]),
          ]);
      }
      expect([...ids.keys()]).toEqual(expect.arrayContaining(['/docs/page.css', '/docs/icon.svg', '/docs', '/']));
    });
  });

  it('begins the reference with a call, and shows an example and the parameters of each operation', async () => {
    const html = await (await get('/docs')).text();
    const headings = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(headings[0]).toBe('a-first-call');
    for (const handler of operations) {
      const { path, action, when } = declarationOf(handler);
      const heading = `${action} ${path}${when ? ` with ${spellWhen(when)}` : ''}`;
      const section = html.split(`<h3 id="${anchor(heading)}">`)[1]!.split('<h3 ')[0]!;
      expect(section).toContain(`npm run -s itembank -- call ${path} ${action} &#39;{`);
    }
    expect(html).toMatch(/<h3 id="get-itembankitems">[^]*?<td data-title="Parameter"><code>references<\/code><\/td>/);
  });

  it('says of a list of texts also what each text may be', async () => {
    const html = await (await get('/docs')).text();
    const described = (heading: string, parameter: string) => {
      const section = html.split(`<h3 id="${anchor(heading)}">`)[1]!.split('<h3 ')[0]!;
      return section.split(`<td data-title="Parameter"><code>${parameter}</code></td>`)[1]!.split('</tr>')[0];
    };
    expect(described('get sessions/statuses', 'status')).toContain('Completed, Incomplete, Discarded, Pending Scoring');
    const submission = described('set sessions with data_format=failed_submission', 'data');
    expect(submission).toContain('Base64 of a JSON document');
    expect(described('get itembank/tagging/tags', 'names')).toContain('Ignores case.');
  });

  it('names the rate limit of each operation', async () => {
    const { info } = (await (await get('/openapi.json')).json()) as { info: { description: string } };
    const rows = [...info.description.matchAll(/^\| `([^`]+)` \| (\d+) \|$/gm)];
    const limits = new Map(rows.map(([, calls, limit]) => [calls, Number(limit)]));
    for (const { path, action } of operations.map(declarationOf)) {
      const documented = limits.get(`${action} ${path}`) ?? limits.get(action);
      expect([action, path, documented]).toEqual([action, path, limitFor(action, path)]);
    }
  });

  it('explains what an answer with faults and warnings contains', async () => {
    const html = await (await get('/docs')).text();
    for (const member of ['errors', 'request_uuid', 'warnings', 'sanitised', 'sanitised_at'])
      expect(html).toContain(`<code>meta.${member}</code>`);
  });

  it('shows examples that the validation accepts', () => {
    const registry = service.get(Registry);
    for (const handler of operations) {
      const declaration = declarationOf(handler);
      const { path, action, example } = declaration;
      const endpoint = registry.chosen(registry.find(path, action)!, example);
      expect([path, action, endpoint.declaration.when]).toEqual([path, action, declaration.when]);
      expect(() => endpoint.check.read(structuredClone(example), 0)).not.toThrow();
    }
  });

  it('shows examples that follow each other, from a question to the report on its answers', async () => {
    const { client } = service;
    const named = new Map(
      operations
        .map(declarationOf)
        .map(({ path, action, when, example }) => [
          `${action} ${path}${when ? ` with ${spellWhen(when)}` : ''}`,
          { path, action, example },
        ]),
    );
    for (const name of [
      'set itembank/questions',
      'set itembank/items',
      'set itembank/activities',
      'set sessions with data_format=failed_submission',
      'update sessions/responses/scores',
      'update jobs/sessions/statuses',
      'set jobs/sessions/metadata',
      'get jobs/sessions/scores/subscores',
      'update sessions/item',
      'set jobs/reports/datasets',
    ]) {
      const { path, action, example } = named.get(name)!;
      const { meta, data } = await client.call(path, action, example);
      expect([name, meta.message, meta.warnings]).toEqual([name, undefined, undefined]);
      if (data.job_reference === undefined) continue;
      const job = await client.ended(data.job_reference);
      const refused = job.results.refused ?? 0;
      expect([name, job.status, Array.isArray(refused) ? refused.length : refused]).toEqual([name, 'completed', 0]);
    }
  });

  it.each(['/', '/openapi.json', '/docs', '/docs/authoring.md', '/docs/page.css'])(
    '%s answers HEAD like GET, without a body',
    async (path) => {
      const [read, head] = [await get(path), await get(path, { method: 'HEAD' })];
      expect(head.status).toBe(200);
      for (const name of ['content-type', 'content-length'])
        expect(head.headers.get(name)).toBe(read.headers.get(name));
      expect(await head.text()).toBe('');
    },
  );

  it.each(['/', '/openapi.json', '/docs', '/docs/authoring.md', '/docs/page.css'])(
    '%s rejects other methods in JSON',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        const response = await get(path, { method });
        expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(await response.json()).toMatchObject({ meta: { status: false, code: 40001 } });
      }
    },
  );

  it.each([
    '/docs/none',
    '/docs/none.md',
    '/docs/openapi.json',
    '/docs/..%2fREADME.md',
    '/docs/%2e%2e/README.md',
    '/docs/index.html',
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e%5cpackage.json',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/a/b',
    '/openapi.yaml',
  ])('%s does not exist, and the answer is JSON', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ meta: { status: false, code: 20012 } });
  });
});
