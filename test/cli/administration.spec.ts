import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock } from '#kernel';
import { Client } from '../support/client';
import { emptyDatabase, type EmptyDatabase, engines } from '../support/engines';
import { itembank, json, ServiceProcess, temporaryFolders } from '../support/processes';

interface Made {
  key: string;
  secret: string;
}

const folder = temporaryFolders();

describe.each(engines)('administration from the command line on %s', (engine) => {
  let database: EmptyDatabase;
  let service: ServiceProcess;
  let place: { settings: Record<string, string> };
  beforeAll(async () => {
    database = await emptyDatabase(engine);
    place = { settings: { DATABASE_URL: database.url, DATA_DIR: folder(), SECRETS_KEY: 'ef'.repeat(32) } };
    // The organisation comes first, so that the embedded database gets no demo bank.
    const migrated = await itembank(['migrate'], place);
    expect([migrated.code, migrated.stderr]).toEqual([0, '']);
    const made = await itembank(['organisation', 'create', '7', 'Seventh'], place);
    expect([made.code, made.stderr]).toEqual([0, '']);
    service = await ServiceProcess.listening(place);
  });
  afterAll(async () => {
    await service?.end('SIGKILL');
    await database?.drop();
  });

  const create = (...args: string[]) => json<Made>(itembank(['consumer', 'create', ...args, '--json'], place));
  const client = ({ key, secret }: Made) => new Client(service.url, key, secret, new SystemClock());
  /** The code that a call gets once it has changed from the one it had. */
  async function changedCode(caller: Client, from: number | undefined): Promise<number | undefined> {
    for (;;) {
      const { code } = (await caller.get('itembank/items')).meta;
      if (code !== from) return code;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it('makes consumers while the service runs', async () => {
    const made = await create('--organisation', '7', '--label', 'First');
    expect(made).toEqual({
      key: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      secret: expect.stringMatching(/^[0-9a-f]{40}$/),
      label: 'First',
      status: 'active',
      organisation: 7,
      grants: [{ organisation: 7, access: 'write' }],
      domains: ['localhost'],
      features: [],
      legacy_signatures: false,
      rate_limits: {},
    });
    expect((await client(made).get('itembank/items')).meta).toMatchObject({ status: true, records: 0 });
    const listed = await itembank(['consumer', 'list'], place);
    expect(listed.stdout).toMatch(new RegExp(`^${made.key} +active +7:write \\(primary\\) +localhost +First$`, 'm'));
    expect(listed.stdout).not.toContain(made.secret);
  });

  it('refuses the calls of a consumer once it is disabled, until it is enabled', async () => {
    const made = await create('--organisation', '7');
    const caller = client(made);
    expect((await caller.get('itembank/items')).meta.status).toBe(true);
    expect((await itembank(['consumer', 'disable', made.key], place)).code).toBe(0);
    expect(await changedCode(caller, undefined)).toBe(41009);
    expect((await itembank(['consumer', 'enable', made.key], place)).code).toBe(0);
    expect(await changedCode(caller, 41009)).toBeUndefined();
  });

  it('gives a new secret, beside which the old one stays valid as long as asked', async () => {
    const first = await create('--organisation', '7');
    const rotate = async (overlap: string) => ({
      key: first.key,
      secret: (
        await json<Made>(itembank(['consumer', 'rotate-secret', first.key, '--overlap', overlap, '--json'], place))
      ).secret,
    });
    const second = await rotate('1h');
    expect(second.secret).toMatch(/^[0-9a-f]{40}$/);
    expect(second.secret).not.toBe(first.secret);
    for (const made of [first, second]) expect((await client(made).get('itembank/items')).meta.status).toBe(true);
    const third = await rotate('0s');
    for (const made of [first, second]) expect(await changedCode(client(made), undefined)).toBe(41003);
    expect((await client(third).get('itembank/items')).meta.status).toBe(true);
  });

  it('shows the revisions of a record and what changed between two', async () => {
    const caller = client(await create('--organisation', '7'));
    const user = { id: 'ann', firstname: 'Ann' };
    const question = { type: 'mcq', reference: 'q1', data: { type: 'mcq', stimulus: 'Old' } };
    const item = { reference: 'i1', title: 'One', definition: { widgets: [{ reference: 'q1' }] } };
    const writes = [
      ['questions', { questions: [question], meta: { user } }],
      ['items', { items: [item], meta: { user } }],
      ['items', { items: [{ ...item, title: 'Two', status: 'published' }] }],
      ['items/tags', { items: [{ reference: 'i1', tags: { Subject: ['Maths'] } }], meta: { user: { id: 'bob' } } }],
      [
        'items',
        { items: [{ ...item, new_reference: 'i2', tags: { Subject: ['Maths'] }, title: 'Two', status: 'published' }] },
      ],
    ] as const;
    for (const [path, request] of writes)
      expect((await caller.set(`itembank/${path}`, request)).meta).toMatchObject({ status: true });

    const table = await itembank(['history', 'items', 'i2', '--organisation', '7'], place);
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
    const lines = table.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^# +TIME +AUTHOR +OPERATION +STATUS +DOCUMENT +REFERENCE$/);
    expect(lines[1]).toMatch(new RegExp(`^1 +${time} +ann +set itembank/items +unpublished +[0-9a-f]{12} +i1$`));
    expect(lines[2]).toMatch(new RegExp(`^2 +${time} +- +set itembank/items +published +[0-9a-f]{12} +i1$`));
    expect(lines[3]).toMatch(new RegExp(`^3 +${time} +bob +set itembank/items/tags +published +[0-9a-f]{12} +i1$`));
    expect(lines[4]).toMatch(new RegExp(`^4 +${time} +- +set itembank/items +published +[0-9a-f]{12} +i2$`));

    const diff = (...revisions: string[]) =>
      json(itembank(['history', 'items', 'i2', '--organisation', '7', '--diff', ...revisions], place));
    expect(await diff('1', '2')).toEqual(
      expect.arrayContaining([
        { op: 'replace', path: '/status', value: 'published' },
        { op: 'replace', path: '/title', value: 'Two' },
      ]),
    );
    expect(await diff('2', '3')).toEqual([{ op: 'add', path: '/tags/0', value: { type: 'Subject', name: 'Maths' } }]);

    const revisions = await json<object[]>(
      itembank(['history', 'questions', 'q1', '--organisation', '7', '--json'], place),
    );
    expect(revisions).toEqual([
      expect.objectContaining({
        number: 1,
        author: 'ann',
        operation: 'set itembank/questions',
        reference: 'q1',
        ended_at: null,
      }),
    ]);
    const none = await itembank(['history', 'activities', 'a1', '--organisation', '7'], place);
    expect([none.code, none.stdout]).toEqual([1, '']);
    expect(none.stderr).toMatch(/^itembank: There is no activity a1 in organisation 7\.$/m);
  });

  it('signs calls with a consumer that is named, on a domain that it may use', async () => {
    const made = await create(
      '--organisation',
      '7',
      '--domain',
      '*.example.org',
      '--grant',
      '7:read',
      '--rate-limit',
      'get itembank/*=2',
    );
    const call = (...args: string[]) => itembank(['call', ...args, '--key', made.key, '--url', service.url], place);
    expect(await json(call('itembank/items', '{"references":[]}'))).toMatchObject({ meta: { status: true }, data: [] });
    const refused = await call('itembank/items', 'set', '{"items":[]}');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(JSON.parse(refused.stderr)).toMatchObject({ meta: { status: false, code: 40003 } });
    const listed = await json<{ key: string }[]>(itembank(['consumer', 'list', '--json'], place));
    expect(listed.find(({ key }) => key === made.key)).toMatchObject({
      grants: [{ organisation: 7, access: 'read' }],
      domains: ['*.example.org'],
      rate_limits: { 'get itembank/*': 2 },
    });
  });
});

describe('administration of an embedded database', () => {
  const here = () => ({ settings: { DATA_DIR: folder() } });

  it('lists what was made', async () => {
    const place = here();
    for (const args of [
      ['migrate'],
      ['organisation', 'create', '2', 'Second'],
      ['organisation', 'create', '1', 'First'],
    ])
      expect((await itembank(args, place)).code).toBe(0);
    expect((await itembank(['migrate'], place)).stdout).toBe('The database is up to date.\n');
    expect((await itembank(['organisation', 'list'], place)).stdout).toBe('ID  NAME\n1   First\n2   Second\n');
    expect(await json(itembank(['organisation', 'list', '--json'], place))).toEqual([
      { id: 1, name: 'First' },
      { id: 2, name: 'Second' },
    ]);
    const made = await json<Made>(
      itembank(
        [
          ...[
            'consumer',
            'create',
            '--organisation',
            '1',
            '--grant',
            '2:read',
            '--domain',
            'a.example',
            '--domain',
            'b.example',
          ],
          ...['--feature', 'offlinepackage', '--legacy-signatures', '--json'],
        ],
        place,
      ),
    );
    const { secret, ...shown } = made;
    expect(shown).toMatchObject({
      organisation: 1,
      grants: [
        { organisation: 1, access: 'write' },
        { organisation: 2, access: 'read' },
      ],
      domains: ['a.example', 'b.example'],
      features: ['offlinepackage'],
      legacy_signatures: true,
    });
    expect(secret).toMatch(/^[0-9a-f]{40}$/);
    expect(await json(itembank(['consumer', 'list', '--json'], place))).toEqual([shown]);
  });

  it('keeps the stored credentials in step with a new secret', async () => {
    const place = here();
    const path = join(place.settings.DATA_DIR, 'credentials.json');
    const service = await ServiceProcess.listening(place);
    try {
      const before = JSON.parse(readFileSync(path, 'utf8')) as Made;
      const rotated = await itembank(['consumer', 'rotate-secret', before.key, '--overlap', '0s'], place);
      const after = JSON.parse(readFileSync(path, 'utf8')) as Made;
      expect(after).toEqual({ ...before, secret: expect.stringMatching(/^[0-9a-f]{40}$/) as string });
      expect(after.secret).not.toBe(before.secret);
      expect(rotated.stdout).toContain(after.secret);
      expect((await itembank(['call', 'itembank/tagging/tags'], place)).code).toBe(0);
    } finally {
      await service.end('SIGKILL');
    }
  });

  it.each([
    [['organisation', 'create', '1', 'Again'], /Organisation 1 exists already\./],
    [['consumer', 'create', '--organisation', '3'], /Organisation 3 does not exist; create it first\./],
    [['consumer', 'disable', 'nobody'], /There is no consumer nobody\./],
    [['consumer', 'rotate-secret', 'nobody'], /There is no consumer nobody\./],
    [['call', 'itembank/items', '--key', 'nobody'], /There is no consumer nobody\./],
    [['history', 'items', 'x', '--diff', '1', '2'], /There is no item x in organisation 1\./],
    [['history', 'items', 'x', '--diff', '1'], /--diff takes two revision numbers/],
  ])('%j is refused', async (args, message) => {
    const place = await migrated();
    const { code, stdout, stderr } = await itembank(args, place);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  let shared: Promise<{ settings: Record<string, string> }> | undefined;
  /** A database with organisation 1 and nothing else. */
  function migrated() {
    const make = async () => {
      const place = here();
      for (const args of [['migrate'], ['organisation', 'create', '1', 'One']])
        expect((await itembank(args, place)).code).toBe(0);
      return place;
    };
    return (shared ??= make());
  }

  it('says what to do where there is no database, and makes none', async () => {
    const place = here();
    const listed = await itembank(['consumer', 'list'], place);
    expect([listed.code, listed.stdout]).toEqual([1, '']);
    expect(listed.stderr).toMatch(
      /^itembank: There is no database \S+itembank\.sqlite\. Start the service once or run itembank migrate/,
    );
    writeFileSync(join(place.settings.DATA_DIR, 'itembank.sqlite'), '');
    expect((await itembank(['consumer', 'list'], place)).stderr).toMatch(/run the command migrate first/);
  });
});
