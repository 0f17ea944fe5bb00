import { SystemClock } from '#kernel';
import { People } from '#people';
import { Browser, newPerson } from '../support/browser';
import { anEngine } from '../support/engines';
import { startProvider } from '../support/openid-provider';
import { freePort } from '../support/servers/free-port';
import { startService, type TestService } from '../support/service';

const client = { id: 'itembank', secret: 'a-secret-of-the-provider' };

/** The claims of the provider about each of its users. */
const USERS: Record<string, Record<string, unknown>> = {
  anna: { email: 'anna@example.org', email_verified: true, given_name: 'Anna', family_name: 'Ask' },
  unverified: { email: 'eve@example.org', email_verified: false, groups: ['authors'] },
  unsaid: { email: 'una@example.org' },
  grouped: {
    email: 'greta@elsewhere.example',
    groups: ['others', 'authors'],
    given_name: 'x'.repeat(90),
    family_name: 'a\nb',
  },
  stranger: { email: 'sam@elsewhere.example', email_verified: true },
  lookalike: { email: 'lara@notexample.org', email_verified: true },
  nameless: { groups: 'authors' },
  taken: { email: 'TAKEN@example.org', email_verified: true },
  crowd: { email: 'crowd@example.org', email_verified: true },
};

const RULES = [
  { domain: 'Example.org', organisation: 1, roles: ['viewer'] },
  { claim: 'groups', value: 'authors', organisation: 1, roles: ['author'] },
  { claim: 'groups', value: 'authors', organisation: 2, roles: ['reviewer'] },
];

describe.each(anEngine(__filename))('OpenID Connect on %s', (engine) => {
  let service: TestService;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeAll(async () => {
    // The address must be known before the service and the provider start.
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await startProvider(client, `${url}/console/openid/callback`, (user) => USERS[user]);
    service = await startService(engine, {
      PORT: String(port),
      PUBLIC_URL: `${url}/`,
      OPENID_ISSUER: provider.issuer,
      OPENID_CLIENT_ID: client.id,
      OPENID_CLIENT_SECRET: client.secret,
      OPENID_RULES: JSON.stringify(RULES),
    });
    // The provider knows no test clock.
    service.clock.advance(new SystemClock().now() - service.clock.now());
  });
  beforeEach(() => service.clock.advance(6_000));
  afterAll(async () => {
    await service?.close();
    await provider?.close();
  });

  const CROSS_SITE = { Origin: undefined, 'Sec-Fetch-Site': 'cross-site' };

  const begin = async (page: Browser, query = '') => {
    const { status, headers } = await page.send('GET', `/console/openid${query}`);
    expect(status).toBe(303);
    return new URL(headers.location!);
  };

  /** Follows the provider's redirects until it sends the browser back; returns the path of the callback. */
  const authenticate = async (address: URL, user: string, cookies = new Map<string, string>()) => {
    address.searchParams.set('login_hint', user);
    for (let next = address.href; ;) {
      if (next.startsWith(`${service.url}/`)) return next.slice(service.url.length);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
      next = new URL(location, next).href;
    }
  };

  const back = async (page: Browser, path: string) =>
    (await page.send('GET', path, undefined, CROSS_SITE)).headers.location;
  const signIn = async (user: string) => {
    const page = new Browser(service.url);
    const location = await back(page, await authenticate(await begin(page), user));
    return { page, location, session: (await page.readSession()).body };
  };

  it('tells the page that it is available', async () => {
    expect((await new Browser(service.url).readSession()).body).toEqual({ person: null, openid: true });
  });

  it('leads to the provider with state, nonce and PKCE, and keeps them in a cookie for 10 minutes', async () => {
    const page = new Browser(service.url);
    const { status, headers } = await page.send('GET', '/console/openid');
    expect(status).toBe(303);
    const { origin, searchParams } = new URL(headers.location!);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: `${service.url}/console/openid/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^itembank-local-openid=[\w-]+; Max-Age=600; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('creates the account of an unknown person once, with the roles of the fitting rule', async () => {
    const { location, session } = await signIn('anna');
    expect(location).toBe('/console/');
    expect(session).toMatchObject({
      person: { email: 'anna@example.org', firstname: 'Anna', lastname: 'Ask', has_password: false },
      organisations: [{ id: 1, roles: ['viewer'] }],
    });
    await service.get(People).change(session.person.id, { roles: new Map([[1, ['marker']]]) });
    const before = USERS.anna!;
    USERS.anna = { ...before, email: 'anna.new@elsewhere.example' };
    const again = await signIn('anna');
    USERS.anna = before;
    expect(again.session).toMatchObject({
      person: { id: session.person.id, email: 'anna@example.org' },
      organisations: [{ roles: ['marker'] }],
    });
    expect((await again.page.call('itembank/items', 'get')).status).toBe(200);
  });

  it('gives the roles of all rules that fit, and shortens names to those that an account can have', async () => {
    const { session } = await signIn('grouped');
    expect(session).toMatchObject({
      person: { email: 'greta@elsewhere.example', firstname: 'x'.repeat(50), lastname: 'a b' },
      organisations: [
        { id: 1, roles: ['author'] },
        { id: 2, roles: ['reviewer'] },
      ],
    });
  });

  it.each([
    ['stranger', 'refused'],
    ['lookalike', 'refused'],
    ['unverified', 'refused'],
    ['unsaid', 'refused'],
    ['nameless', 'refused'],
    ['refuses', 'failed'],
  ])('gives no account to the user %s: %s', async (user, reason) => {
    const before = await service.database.rows('SELECT id FROM person');
    const { location, session } = await signIn(user);
    expect([location, session.person]).toEqual([`/console/?openid=${reason}`, null]);
    expect(await service.database.rows('SELECT id FROM person')).toEqual(before);
  });

  it('does not take over an account with the same address', async () => {
    const { id } = await newPerson(service, ['operator'], { email: 'taken@example.org' });
    const { location, session } = await signIn('taken');
    expect([location, session.person]).toEqual(['/console/?openid=taken', null]);
    expect(await service.database.rows('SELECT hash FROM person_identity WHERE person_id = ?', [id])).toEqual([]);
  });

  it('does not sign in a disabled person', async () => {
    const { session } = await signIn('anna');
    await service.get(People).change(session.person.id, { status: 'disabled' });
    expect((await signIn('anna')).location).toBe('/console/?openid=refused');
    await service.get(People).change(session.person.id, { status: 'active' });
  });

  it('creates one account for a person who signs in twice at once', async () => {
    const pages = [new Browser(service.url), new Browser(service.url)];
    const paths: string[] = [];
    for (const page of pages) paths.push(await authenticate(await begin(page), 'crowd'));
    const locations = await Promise.all(pages.map((page, index) => back(page, paths[index]!)));
    expect(locations).toEqual(['/console/', '/console/']);
    expect(await service.database.rows(`SELECT email FROM person WHERE email_key = 'crowd@example.org'`)).toHaveLength(
      1,
    );
  });

  it('accepts an answer of the provider once, and only from the browser that began the sign-in', async () => {
    const page = new Browser(service.url);
    const path = await authenticate(await begin(page), 'anna');
    const other = new Browser(service.url);
    expect(await back(other, path)).toBe('/console/?openid=failed');
    await begin(other);
    expect(await back(other, path)).toBe('/console/?openid=failed');
    expect((await other.readSession()).body.person).toBeNull();
    const kept = new Map(page.cookies);
    expect(await back(page, path)).toBe('/console/');
    for (const [name, value] of kept) other.cookies.set(name, value);
    expect(await back(other, path)).toBe('/console/?openid=failed');
  });

  it.each([
    ['another state', (path: string) => path.replace(/state=[^&]+/, 'state=x')],
    ['no state', (path: string) => path.replace(/state=[^&]+&?/, '')],
    ['another code', (path: string) => path.replace(/code=[^&]+/, 'code=x')],
    ['another issuer', (path: string) => path.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
    ['nothing', () => '/console/openid/callback'],
    ['two states', (path: string) => `${path}&state=y`],
    ['unreadable parameters', () => '/console/openid/callback?code=%E0%A4%A&state=%00'],
  ])('refuses an answer with %s', async (_, change) => {
    const page = new Browser(service.url);
    const path = await authenticate(await begin(page), 'anna');
    expect(await back(page, change(path))).toBe('/console/?openid=failed');
    expect((await page.readSession()).body.person).toBeNull();
  });

  it.each(['', 'x', 'e30', Buffer.from('null').toString('base64url'), Buffer.from('[1]').toString('base64url')])(
    'refuses a cookie that holds %j',
    async (value) => {
      const page = new Browser(service.url);
      page.cookies.set('itembank-local-openid', value);
      expect(await back(page, '/console/openid/callback?code=x&state=y')).toBe('/console/?openid=failed');
    },
  );

  it('refuses a nonce that this browser did not send', async () => {
    const page = new Browser(service.url);
    const path = await authenticate(await begin(page), 'anna');
    const begun = JSON.parse(Buffer.from(page.cookies.get('itembank-local-openid')!, 'base64url').toString()) as object;
    const changed = { ...begun, nonce: 'another' };
    page.cookies.set('itembank-local-openid', Buffer.from(JSON.stringify(changed)).toString('base64url'));
    expect(await back(page, path)).toBe('/console/?openid=failed');
  });

  it('counts as a proof of identity only for a while, and a confirmation requires a new one', async () => {
    const cookies = new Map<string, string>();
    const page = new Browser(service.url);
    await back(page, await authenticate(await begin(page, '?confirm'), 'anna', cookies));
    expect((await page.readSession()).body.is_fresh).toBe(true);
    service.clock.advance(15 * 60_000);
    expect((await page.readSession()).body.is_fresh).toBe(false);
    const { status, body } = await page.send('POST', '/console/session/confirmation', { password: '' });
    expect([status, body.meta.code]).toEqual([400, 41007]);
    const address = await begin(page, '?confirm');
    expect([address.searchParams.get('prompt'), address.searchParams.get('max_age')]).toEqual(['login', '60']);
  });

  it('does not start for a browser on another host without encryption', async () => {
    const page = new Browser(service.url);
    for (const path of ['/console/openid', '/console/openid/callback?code=x&state=y']) {
      const { headers } = await page.send('GET', path, undefined, { Host: 'bank.example.org' });
      expect([headers.location, headers['set-cookie']]).toEqual(['/console/?openid=failed', undefined]);
    }
  });
});

describe.each(anEngine(__filename))('OpenID Connect without a provider on %s', (engine) => {
  it('is not available', async () => {
    const service = await startService(engine);
    const page = new Browser(service.url);
    expect((await page.readSession()).body).toEqual({ person: null, openid: false });
    expect((await page.send('GET', '/console/openid')).headers.location).toBe('/console/?openid=off');
    await service.close();
  });

  it('reports a provider that does not answer, and asks again at the next call', async () => {
    const settings = {
      PUBLIC_URL: 'http://127.0.0.1',
      OPENID_ISSUER: 'http://127.0.0.1:1',
      OPENID_CLIENT_ID: 'x',
      OPENID_CLIENT_SECRET: 'y',
    };
    const service = await startService(engine, settings);
    for (let count = 0; count < 2; count++)
      expect((await new Browser(service.url).send('GET', '/console/openid')).headers.location).toBe(
        '/console/?openid=unavailable',
      );
    await service.close();
  });

  it.each<[Record<string, string>, RegExp]>([
    [
      { OPENID_ISSUER: 'https://id.example' },
      /OPENID_ISSUER needs PUBLIC_URL, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET/,
    ],
    [
      { OPENID_CLIENT_ID: 'x' },
      /^OPENID_CLIENT_ID, OPENID_CLIENT_SECRET and OPENID_RULES need OPENID_ISSUER beside them/,
    ],
    [{ OPENID_CLIENT_SECRET: 'y' }, /need OPENID_ISSUER/],
    [{ OPENID_ISSUER: 'http://id.example' }, /OPENID_ISSUER is not valid/],
    [{ OPENID_ISSUER: 'http://localhost.evil.example' }, /OPENID_ISSUER is not valid/],
    [{ PUBLIC_URL: 'https://x.example/path' }, /PUBLIC_URL is not valid/],
    [{ OPENID_ISSUER: '', OPENID_RULES: '[{"domain":"x","organisation":1,"roles":["viewer"]}]' }, /need OPENID_ISSUER/],
    [{ OPENID_RULES: '{' }, /OPENID_RULES is not JSON/],
    [{ OPENID_RULES: '{}' }, /OPENID_RULES must be a list/],
    [{ OPENID_RULES: '[{"organisation":1,"roles":["viewer"]}]' }, /rule 1 must have either domain, or claim and value/],
    [{ OPENID_RULES: '[{"domain":"x","organisation":1,"roles":["constructor"]}]' }, /rule 1 must have/],
    [
      { OPENID_RULES: '[{"domain":"x","claim":"y","value":"z","organisation":1,"roles":["viewer"]}]' },
      /rule 1 must have/,
    ],
  ])('does not start with the settings %j', async (wrong, message) => {
    const rest: Record<string, string> =
      'OPENID_RULES' in wrong
        ? {
            PUBLIC_URL: 'https://x.example',
            OPENID_ISSUER: 'https://id.example',
            OPENID_CLIENT_ID: 'x',
            OPENID_CLIENT_SECRET: 'y',
          }
        : {};
    await expect(startService(engine, { ...rest, ...wrong })).rejects.toThrow(message);
  });
});
