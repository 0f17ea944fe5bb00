import { startService, type TestService } from '../support/service';

// No statement of these pages reaches the database: one engine is enough.
describe('the description of the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService('sqlite');
  });
  afterAll(() => service?.close());

  const get = (path: string, init: RequestInit = {}) => fetch(service.url + path, { redirect: 'manual', ...init });

  it('begins at / with links to what there is, and each of them answers', async () => {
    const response = await get('/');
    expect(response.status).toBe(200);
    const links = (await response.json()) as Record<string, string>;
    expect(links).toEqual({ docs: '/docs', openapi: '/openapi.json', health: '/health/ready' });
    for (const link of Object.values(links)) expect((await get(link)).status).toBe(200);
  });

  it('is an OpenAPI document for programs', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', paths: { '/v1/itembank/items': {} } });
  });

  describe.each(['/docs', '/docs/'])('the page at %s', (path) => {
    /** Addresses of the files that the page names, as a browser resolves them. */
    async function files(): Promise<string[]> {
      const html = await (await get(path)).text();
      const named = [...html.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)];
      return named.map(([, file]) => new URL(file!, service.url + path).pathname);
    }

    it('is HTML without a script or a style of its own, under a policy that allows none', async () => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const html = await response.text();
      expect(html).not.toMatch(/<script>|<style|style=| on[a-z]+=|https?:\/\//);
    });

    it('names files that are there, with the types that browsers want', async () => {
      const types: Record<string, string> = {};
      for (const file of await files()) {
        const response = await get(file);
        expect([file, response.status, response.headers.get('x-content-type-options')]).toEqual([file, 200, 'nosniff']);
        types[file] = response.headers.get('content-type')!;
        expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
      }
      expect(types).toEqual({
        '/docs/favicon-32x32.png': 'image/png',
        '/docs/swagger-ui.css': 'text/css; charset=utf-8',
        '/docs/page.css': 'text/css; charset=utf-8',
        '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
        '/docs/page.js': 'text/javascript; charset=utf-8',
      });
    });
  });

  it('shows the document of this service, and offers no calls: a browser has no secret', async () => {
    const script = await (await get('/docs/page.js')).text();
    expect(script).toContain("new URL('../openapi.json', document.currentScript.src)");
    expect(script).toContain('supportedSubmitMethods: []');
  });

  it.each(['/', '/openapi.json', '/docs', '/docs/page.js', '/docs/swagger-ui-bundle.js'])(
    '%s answers HEAD like GET, without a body',
    async (path) => {
      const [read, head] = [await get(path), await get(path, { method: 'HEAD' })];
      expect(head.status).toBe(200);
      for (const name of ['content-type', 'content-length'])
        expect(head.headers.get(name)).toBe(read.headers.get(name));
      expect(await head.text()).toBe('');
    },
  );

  it.each(['/', '/openapi.json', '/docs', '/docs/page.js'])('%s refuses other methods in JSON', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const response = await get(path, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.json()).toMatchObject({ meta: { status: false, code: 40001 } });
    }
  });

  it.each([
    '/docs/none',
    '/docs/index.html',
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e%5cpackage.json',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/a/b',
    '/openapi.yaml',
  ])('%s is nothing, in JSON', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ meta: { status: false, code: 20012 } });
  });
});
