import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { SignIns } from '#people';
import { Browser, newPerson, PASSWORD, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { exchange } from '../support/raw-http';
import { serviceOfSuite, startService } from '../support/service';

/** Calls with an effect, and one that reads. */
const CALLS = [
  ['an operation', 'POST', '/console/api/v1/itembank/questions', { action: 'set', request: { questions: [] } }],
  ['a read operation', 'POST', '/console/api/v1/itembank/items', { action: 'get', request: {} }],
  ['the list of people', 'GET', '/console/people', undefined],
  [
    'a new person',
    'POST',
    '/console/people',
    { email: 'x@example.org', roles: [{ organisation: 1, roles: ['viewer'] }] },
  ],
  ['a sign-out', 'DELETE', '/console/session', undefined],
  ['a new password', 'POST', '/console/session/password', { current: PASSWORD, password: 'another horse battery' }],
] as const;

describe.each(anEngine(__filename))('the console API on %s:', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let page: Browser;
  beforeAll(async () => {
    page = (await signedIn(service, ['operator'], { email: 'olga@example.org' })).browser;
  });
  beforeEach(() => service.clock.advance(6_000));

  describe.each(CALLS)('%s', (_, method, path, body) => {
    it.each<[string, Record<string, string | undefined>]>([
      ['a page of another host', { Origin: 'https://evil.example' }],
      ['a page of another port', { Origin: 'http://127.0.0.1:1' }],
      ['a page without an origin of its own', { Origin: 'null' }],
      ['a header that is not an origin', { Origin: 'x'.repeat(5_000) }],
      ['a page that the browser calls cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
      ['a page of a sister host', { 'Sec-Fetch-Site': 'same-site' }],
      ['a page without the token', { 'X-CSRF-Token': undefined }],
      ['a page with an empty token', { 'X-CSRF-Token': '' }],
      ['a page with another token', { 'X-CSRF-Token': '0'.repeat(64) }],
      ['a page with a token of letters beyond ASCII', { 'X-CSRF-Token': 'ä'.repeat(32) }],
      ['a page with as many letters beyond ASCII', { 'X-CSRF-Token': 'ä'.repeat(64) }],
      ['a page with a long token', { 'X-CSRF-Token': '0'.repeat(10_000) }],
    ])('is refused to %s', async (__, headers) => {
      const { status, body: answer } = await page.send(method, path, body, headers);
      expect([status, answer.meta.code]).toEqual([403, 41005]);
    });

    it('is refused without the cookie', async () => {
      const { status, body: answer } = await page.send(method, path, body, { Cookie: undefined });
      expect([status, answer.meta.code]).toEqual([401, 41003]);
    });
  });

  it('refuses the token of another person', async () => {
    const other = (await signedIn(service, ['operator'])).browser;
    const { status } = await page.send('GET', '/console/people', undefined, { 'X-CSRF-Token': other.csrf });
    expect(status).toBe(403);
  });

  it('accepts a call without Origin and Sec-Fetch-Site if it has the token', async () => {
    const headers = { Origin: undefined, 'Sec-Fetch-Site': undefined };
    expect((await page.send('GET', '/console/people', undefined, headers)).status).toBe(200);
  });

  it('never allows pages of other origins to call by CORS', async () => {
    for (const path of ['/console/session', '/console/api/v1/itembank/items', '/console/people']) {
      const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
      const { headers: answer } = await page.send('OPTIONS', path, undefined, headers);
      expect(answer['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
    'application/jsonp',
    undefined,
  ])(
    'refuses bodies of the type %j, which pages of other origins may send without a preflight request',
    async (type) => {
      const sent = { email: 'olga@example.org', password: PASSWORD };
      for (const [path, body] of [
        ['/console/session', sent],
        ['/console/api/v1/itembank/items', { action: 'get' }],
        ['/console/people', {}],
      ] as const) {
        const { status, body: answer } = await page.send('POST', path, body, { 'Content-Type': type });
        expect([path, status, answer.meta.code]).toEqual([path, 400, 20009]);
      }
    },
  );

  it.each([
    ['no JSON', '{'],
    ['no object', '"text"'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['nothing', ''],
    ['half a surrogate pair', '{"email":"\\ud800","password":"x"}'],
    ['a NUL', '{"email":"\\u0000","password":"x"}'],
    ['a prototype', '{"__proto__":{"email":"x"},"password":"x"}'],
    ['a deep list', `{"email":${'['.repeat(40_000)}${']'.repeat(40_000)},"password":"x"}`],
    ['a deep object', `{"email":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},"password":"x"}`],
    ['a constructor', '{"email":{"constructor":"x"},"password":{"constructor":{"name":"x"}}}'],
    ['members named like methods', '{"email":"x","password":"x","toString":1,"hasOwnProperty":1,"then":1}'],
    ['numbers', '{"email":1,"password":2}'],
    ['lists', '{"email":["x"],"password":["y"]}'],
    ['nulls', '{"email":null,"password":null}'],
    ['long texts', `{"email":"${'x'.repeat(2_000)}","password":"${'y'.repeat(2_000)}"}`],
    ['more than 100 kB', `{"email":"${'x'.repeat(100_000)}","password":"y"}`],
  ])('answers bodies that hold %s without an internal error', async (_, body) => {
    for (const path of ['', '/link', '/link/look', '/confirmation', '/password'])
      expect([400, 401, 413]).toContain((await page.send('POST', `/console/session${path}`, body)).status);
    for (const path of ['/console/people', '/console/consumers', '/console/consumers/x/secrets'])
      expect([400, 413]).toContain((await page.send('POST', path, body)).status);
    expect([200, 400]).toContain((await page.send('POST', '/console/api/v1/itembank/items', body)).status);
  });

  it.each([
    ['request is a list', { action: 'get', request: [1] }, 400],
    ['request is text', { action: 'get', request: '{}' }, 400],
    ['request is null', { action: 'get', request: null }, 400],
    ['action is a number', { action: 1, request: {} }, 400],
    ['action is unknown', { action: 'take', request: {} }, 404],
    ['action is absent', { request: {} }, 200],
    ['request is absent', { action: 'get' }, 200],
  ])('answers a call of an operation whose %s', async (_, body, status) => {
    expect((await page.send('POST', '/console/api/v1/itembank/items', body)).status).toBe(status);
  });

  it('answers unknown addresses and methods without an internal error', async () => {
    for (const [method, path, status] of [
      ['GET', '/console/api/v1/itembank/items', 405],
      ['POST', '/console/api/v1/nothing', 404],
      ['POST', '/console/api/itembank/items', 404],
      ['POST', '/console/api//v1/itembank/items', 404],
      ['POST', '/console/people/%E0%A4%A', 404],
      ['PATCH', '/console/people/%00', 400],
      ['GET', '/console/session/nothing', 404],
    ] as const)
      expect([path, (await page.send(method, path, method === 'GET' ? undefined : {})).status]).toEqual([path, status]);
  });

  describe('the cookie', () => {
    const cookie = () => [...page.cookies][0]!;
    const isKnown = async (header: string) => {
      const { status, body } = await page.send('GET', '/console/session', undefined, { Cookie: header });
      return [status, body?.person !== null];
    };

    it('is found among other cookies', async () => {
      const [name, value] = cookie();
      expect(await isKnown(`a=b; ${name}=${value}; c`)).toEqual([200, true]);
    });

    it('does not count if the call has two of its name, so that nobody can add another one before it', async () => {
      const [name, value] = cookie();
      expect(await isKnown(`${name}=${value}; ${name}=${'A'.repeat(43)}`)).toEqual([200, false]);
      expect(await isKnown(`${name}=${value}; ${name}=${value}`)).toEqual([200, false]);
      expect(await isKnown(`${name}=; ${name}=${value}`)).toEqual([200, false]);
    });

    it('does not count under its plain name beside a secure one, or behind a proxy', async () => {
      const [name, value] = cookie();
      expect(await isKnown(`${name}=${value}; __Host-itembank=${'A'.repeat(43)}`)).toEqual([200, false]);
      const secure = '__Host-itembank=a';
      expect(await isKnown(`${name}=${value}; ${secure}; ${secure}`)).toEqual([200, false]);
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      expect((await page.send('POST', '/console/api/v1/itembank/items', { action: 'get' }, headers)).status).toBe(401);
    });

    it.each(['', 'x', 'A'.repeat(43), 'ä'.repeat(43), '%00', 'x'.repeat(5_000), '"quoted"'])(
      'with the value %j signs nobody in',
      async (value) => {
        expect(await isKnown(`${cookie()[0]}=${value}`)).toEqual([200, false]);
      },
    );

    it('is a new one with each sign-in, never one that the browser brought', async () => {
      const brought = 'A'.repeat(43);
      const victim = new Browser(service.url);
      victim.cookies.set(cookie()[0], brought);
      expect((await victim.signIn('olga@example.org', PASSWORD)).status).toBe(204);
      expect(victim.cookies.get(cookie()[0])).toMatch(/^[\w-]{43}$/);
      expect(victim.cookies.get(cookie()[0])).not.toBe(brought);
      expect(await isKnown(`${cookie()[0]}=${brought}`)).toEqual([200, false]);
      const twice = victim.cookies.get(cookie()[0]);
      await victim.signIn('olga@example.org', PASSWORD);
      expect(victim.cookies.get(cookie()[0])).not.toBe(twice);
    });

    it('is stored as a hash, as are links and tokens', async () => {
      const rows = JSON.stringify(await service.database.rows('SELECT * FROM sign_in'));
      expect(rows).not.toContain(cookie()[1]);
      expect(rows).not.toContain(page.csrf);
    });
  });

  describe('an unencrypted connection', () => {
    const sent = { email: 'olga@example.org', password: PASSWORD };
    it.each([
      ['of another host', { Host: 'bank.example.org' }],
      ['of a name that begins like this machine', { Host: 'localhost.evil.example' }],
      ['that a proxy forwards', { 'X-Forwarded-For': '192.0.2.1' }],
      ['that an untrusted proxy calls encrypted', { Host: 'bank.example.org', 'X-Forwarded-Proto': 'https' }],
    ])('signs nobody in: %s', async (_, headers) => {
      const victim = new Browser(service.url);
      const origin = { Origin: 'Host' in headers ? `http://${headers.Host}` : service.url };
      for (const [path, body] of [
        ['', sent],
        ['/link', { link: 'A'.repeat(43), password: PASSWORD }],
        ['/link/look', { link: 'A'.repeat(43) }],
      ] as const) {
        const {
          status,
          body: answer,
          headers: given,
        } = await victim.send('POST', `/console/session${path}`, body, { ...headers, ...origin });
        expect([status, answer.meta.code, answer.meta.message]).toEqual([403, 41005, expect.stringMatching(/HTTPS/)]);
        expect(given['set-cookie']).toBeUndefined();
      }
    });

    it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST:8080'])(
      'of this machine by the name %s signs in',
      async (host) => {
        const victim = new Browser(service.url);
        const headers = { Host: host, Origin: `http://${host}` };
        expect((await victim.send('POST', '/console/session', sent, headers)).status).toBe(204);
      },
    );

    it('is refused without a Host', async () => {
      const body = JSON.stringify(sent);
      const head = `POST /console/session HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      expect((await exchange(service.url, head + body)).status).toBe(403);
    });
  });

  it('refuses the call of a stranger before it reads the body', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /console/api/v1/itembank/items HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{',
    );
    const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe.each(anEngine(__filename))('the console API behind a trusted proxy on %s:', (engine) => {
  const service = serviceOfSuite(() => startService(engine, { TRUSTED_PROXIES: 'loopback' }));

  const variables: Record<string, string> = {
    $http_host: 'bank.example.org',
    $scheme: 'https',
    $remote_addr: '192.0.2.1',
  };
  // As nginx sends them with the configuration in the guide, beside those of the browser.
  const guide = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');
  const forwarded = [...guide.matchAll(/proxy_set_header (\S+) (\$\w+);/g)].map(([, name, value]) => [
    name!,
    variables[value!]!,
  ]);
  const secure = {
    Host: 'itembank',
    Origin: 'https://bank.example.org',
    ...(Object.fromEntries(forwarded) as Record<string, string>),
  };

  it('sets a cookie only for this host and TLS on an encrypted connection', async () => {
    const person = await newPerson(service, ['viewer']);
    const page = new Browser(service.url);
    const { secret } = await service.get(SignIns).newLink(person.id, 'invitation');
    const used = await page.send('POST', '/console/session/link', { link: secret, password: PASSWORD }, secure);
    expect(used.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-itembank=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    const { body } = await page.send('GET', '/console/session', undefined, secure);
    expect(body.person.email).toBe(person.email);
    page.csrf = body.csrf;
    const call = { action: 'get', request: {} };
    expect((await page.send('POST', '/console/api/v1/itembank/items', call, secure)).status).toBe(200);
  });

  it('limits attempts by the address of the browser, not of the proxy', async () => {
    service.clock.advance(60_000);
    const attempt = async (address: string, email: string) => {
      const headers = { ...secure, 'X-Forwarded-For': address };
      return (await new Browser(service.url).send('POST', '/console/session', { email, password: PASSWORD }, headers))
        .status;
    };
    for (let count = 0; count < 20; count++) expect(await attempt('192.0.2.1', `a-${count}@example.org`)).toBe(401);
    expect(await attempt('192.0.2.1', 'b@example.org')).toBe(429);
    expect(await attempt('192.0.2.2', 'b@example.org')).toBe(401);
  });
});
