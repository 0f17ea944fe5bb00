import { SystemClock } from '#kernel';
import { Browser, PASSWORD } from '../support/browser';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { json, type Settings } from '../support/processes';
import { serviceOfSuite, startService } from '../support/service';

interface Link {
  link: string;
  ends_at: string;
}

describe.each(anEngine(__filename))('people from the command line on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let settings: Settings;
  beforeAll(async () => {
    // Commands use the system clock.
    service.clock.advance(new SystemClock().now() - service.clock.now());
    ({ settings } = service);
  });

  const user = (...args: string[]) => commandHere(['user', ...args], { settings });
  const outputOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await user(...args);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  const errorOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await user(...args);
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };
  const secretOf = (link: string) => /\/console\/link#([\w-]{43})$/.exec(link)![1]!;
  const create = async (email: string, role = 'author', ...more: string[]) =>
    json<Link & { id: string }>(user('create', email, '--organisation', '1', '--role', role, '--json', ...more));
  const createSignedIn = async (email: string) => {
    const made = await create(email);
    service.clock.advance(6_000);
    const browser = new Browser(service.url);
    expect((await browser.useLink(secretOf(made.link), PASSWORD)).status).toBe(204);
    return { ...made, browser };
  };

  it('creates an account, and prints a link for choosing the password', async () => {
    const stdout = await outputOf(
      'create',
      'anna@example.org',
      '--organisation',
      '1',
      '--role',
      'author, reviewer',
      '--firstname',
      'Anna',
    );
    expect(stdout).toMatch(
      /^The account of anna@example.org is made\. With this link the person chooses a password:$/m,
    );
    const [, link] = /^ {2}(http\S+)$/m.exec(stdout)!;
    expect(stdout).toMatch(/^It works once, until \d{4}-\d\d-\d\dT.*Z\.$/m);
    const browser = new Browser(service.url);
    expect((await browser.useLink(secretOf(link!), PASSWORD)).status).toBe(204);
    expect((await browser.readSession()).body).toMatchObject({
      person: { email: 'anna@example.org', firstname: 'Anna', lastname: '' },
      organisations: [{ id: 1, roles: ['author', 'reviewer'] }],
    });
  });

  it('prints links that begin with the given address', async () => {
    const { link } = await create('url@example.org', 'viewer', '--url', 'https://bank.example.org/');
    expect(link).toMatch(/^https:\/\/bank\.example\.org\/console\/link#[\w-]{43}$/);
  });

  it('keeps the former link when the given address is wrong', async () => {
    const { link } = await create('wrong-url@example.org', 'viewer');
    expect(await errorOf('link', 'wrong-url@example.org', '--url', 'bank.example.org')).toMatch(
      /Write the address as http:/,
    );
    expect((await new Browser(service.url).useLink(secretOf(link), PASSWORD)).status).toBe(204);
  });

  it.each([
    [
      ['no-address', '--organisation', '1', '--role', 'viewer'],
      /email must be an e-mail address, such as anna@example\.org/,
    ],
    [
      ['x@example.org', '--organisation', '1', '--role', 'owner'],
      /"owner" is not a role; there are viewer, author, reviewer, marker, analyst, operator/,
    ],
    [['x@example.org', '--organisation', '1', '--role', 'toString'], /"toString" is not a role/],
    [['x@example.org', '--organisation', '1', '--role', ''], /"" is not a role/],
    [['x@example.org', '--organisation', '1', '--role', 'none'], /at least one role/],
    [['x@example.org', '--organisation', '99', '--role', 'viewer'], /Organisation 99 does not exist; create it first/],
    [['x@example.org', '--organisation', '0', '--role', 'viewer'], /whole number from 1/],
    [
      ['ANNA@example.org', '--organisation', '1', '--role', 'viewer'],
      /There is an account for ANNA@example\.org already/,
    ],
    [
      ['x@example.org', '--organisation', '1', '--role', 'viewer', '--firstname', 'x'.repeat(51)],
      /firstname must have 0 to 50 characters/,
    ],
  ])('refuses to create %j', async (args, message) => {
    expect(await errorOf('create', ...args)).toMatch(message);
  });

  it('lists people with their roles, as a table and as JSON, without passwords', async () => {
    await create('listed@example.org', 'marker');
    const stdout = await outputOf('list');
    expect(stdout).toMatch(/^listed@example\.org +active +1: marker +never$/m);
    expect(stdout).toMatch(/^anna@example\.org +active +1: author, reviewer +\d{4}-/m);
    const listed = await outputOf('list', '--json');
    expect(JSON.parse(listed)).toContainEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      email: 'listed@example.org',
      firstname: '',
      lastname: '',
      status: 'active',
      roles: { 1: ['marker'] },
      signed_in_at: null,
    });
    expect(listed).not.toContain('argon2');
  });

  it('disables a person at once, and enables them', async () => {
    const { browser } = await createSignedIn('status@example.org');
    expect(await outputOf('disable', 'Status@example.org')).toBe('The account of status@example.org is disabled.\n');
    expect((await browser.call('itembank/items', 'get')).status).toBe(401);
    expect(await errorOf('link', 'status@example.org')).toMatch(/This account is disabled; enable it first/);
    expect(await outputOf('enable', 'status@example.org')).toBe('The account of status@example.org is active.\n');
    expect((await browser.signIn('status@example.org', PASSWORD)).status).toBe(204);
  });

  it('replaces roles in one organisation and leaves others alone', async () => {
    const { browser } = await createSignedIn('roles@example.org');
    expect(await outputOf('role', 'roles@example.org', 'viewer,marker', '--organisation', '2')).toBe(
      'roles@example.org is viewer, marker in organisation 2.\n',
    );
    expect(await outputOf('role', 'roles@example.org', 'none', '--organisation', '1')).toBe(
      'roles@example.org has no role in organisation 1.\n',
    );
    expect((await browser.readSession()).body.organisations).toMatchObject([{ id: 2, roles: ['marker', 'viewer'] }]);
    expect(await errorOf('role', 'roles@example.org', 'viewer', '--organisation', '99')).toMatch(/does not exist/);
  });

  it('makes links for signing in and for a new password, and each link works once', async () => {
    const { id } = await create('links@example.org');
    const first = await json<Link>(user('link', 'links@example.org', '--json'));
    const reset = await json<Link>(user('link', 'links@example.org', '--for', 'reset', '--json'));
    service.clock.advance(6_000);
    expect((await new Browser(service.url).useLink(secretOf(first.link))).status).toBe(401);
    expect((await new Browser(service.url).useLink(secretOf(reset.link), PASSWORD)).status).toBe(204);
    expect((await new Browser(service.url).useLink(secretOf(reset.link), PASSWORD)).status).toBe(401);
    expect(await outputOf('link', 'links@example.org')).toMatch(
      /^ {2}http:\/\/127\.0\.0\.1:\d+\/console\/link#[\w-]{43}$/m,
    );
    const rows = await service.database.rows(`SELECT operation FROM audit WHERE subject_key = ? ORDER BY id`, [id]);
    expect(rows.map((row) => (row as { operation: string }).operation)).toEqual([
      'create person',
      ...new Array<string>(3).fill('make link'),
      'set password',
      'make link',
    ]);
  });

  it('exports all stored data about a person, but no secret', async () => {
    const { id, browser } = await createSignedIn('export@example.org');
    await browser.call('itembank/questions', 'set', { questions: [{ reference: 'x-1', type: 'mcq', data: {} }] });
    const address = { status: ['archived'] };
    await browser.call('itembank/views', 'set', {
      views: [{ reference: 'x-view', screen: 'items', name: 'Mine', shared: false, address }],
    });
    const stdout = await outputOf('export', 'export@example.org');
    expect(JSON.parse(stdout)).toEqual({
      person: {
        id,
        email: 'export@example.org',
        firstname: '',
        lastname: '',
        status: 'active',
        roles: { 1: ['author'] },
        signed_in_at: expect.any(String),
        created_at: expect.any(String),
        has_password: true,
      },
      identities: [],
      sign_ins: [
        {
          browser: 'Test browser',
          signed_in_at: expect.any(String),
          seen_at: expect.any(String),
          confirmed_at: expect.any(String),
        },
      ],
      authors: [{ organisation: 1, id, email: 'export@example.org' }],
      saved_views: [
        {
          organisation: 1,
          reference: 'x-view',
          screen: 'items',
          name: 'Mine',
          shared: false,
          address: { status: ['archived'] },
        },
      ],
      audit: [
        expect.objectContaining({
          operation: 'create person',
          author: null,
          detail: { email: 'export@example.org', roles: { 1: ['author'] } },
        }),
        expect.objectContaining({ operation: 'make link' }),
        expect.objectContaining({ operation: 'set password', author: id, detail: {} }),
      ],
    });
    expect(stdout).not.toMatch(/argon2/);
    const [cookie] = browser.cookies.values();
    expect(stdout).not.toContain(cookie);
  });

  it('removes an account with names and address everywhere, and keeps the id in the history', async () => {
    const { id, browser } = await createSignedIn('leaver@example.org');
    await browser.call('itembank/questions', 'set', { questions: [{ reference: 'x-2', type: 'mcq', data: {} }] });
    expect(await outputOf('remove', 'leaver@example.org')).toBe('The account of leaver@example.org is removed.\n');
    for (const table of ['person', 'author', 'audit'])
      expect(JSON.stringify(await service.database.rows(`SELECT * FROM ${table}`))).not.toContain('leaver@');
    const { data } = await service.client.get('itembank/history', { kind: 'question', references: ['x-2'] });
    expect(data[0].created_by).toBe(id);
    expect(await errorOf('export', 'leaver@example.org')).toMatch(/There is no account for leaver@example\.org/);
  });

  it.each(['disable', 'enable', 'remove', 'link', 'export'])('reports an unknown address: %s', async (command) => {
    expect(await errorOf(command, 'nobody@example.org')).toMatch(/There is no account for nobody@example\.org/);
  });
});
