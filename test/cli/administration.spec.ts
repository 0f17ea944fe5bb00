import { SystemClock } from '#kernel';
import { Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { anEngine, emptyDatabase, type EmptyDatabase } from '../support/engines';
import { itembank, json, ServiceProcess, temporaryFolders } from '../support/processes';
import { waitForCode } from './consumers';

interface Made {
  key: string;
  secret: string;
}

const folder = temporaryFolders();

describe.each(anEngine(__filename))('administration from the command line on %s', (engine) => {
  let database: EmptyDatabase;
  let service: ServiceProcess;
  let place: { settings: Record<string, string> };
  beforeAll(async () => {
    database = await emptyDatabase(engine);
    place = { settings: { DATABASE_URL: database.url, DATA_DIR: folder(), SECRETS_KEY: 'ef'.repeat(32) } };
    // With an organisation, the embedded database gets no demo bank.
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

  const client = ({ key, secret }: Made) => new Client(service.url, key, secret, new SystemClock());
  let made: Made;

  it('creates a consumer while the service runs', async () => {
    made = await json<Made>(
      commandHere(['consumer', 'create', '--organisation', '7', '--label', 'First', '--json'], place),
    );
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
    const listed = await commandHere(['consumer', 'list'], place);
    expect(listed.stdout).toMatch(new RegExp(`^${made.key} +active +7:write \\(primary\\) +localhost +First$`, 'm'));
    expect(listed.stdout).not.toContain(made.secret);
  });

  it('shows the revisions of a record and the changes between two', async () => {
    const caller = client(made);
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

    const table = await commandHere(['history', 'items', 'i2', '--organisation', '7'], place);
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
    const lines = table.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^# +TIME +AUTHOR +OPERATION +STATUS +DOCUMENT +REFERENCE$/);
    expect(lines[1]).toMatch(new RegExp(`^1 +${time} +ann +set itembank/items +unpublished +[0-9a-f]{12} +i1$`));
    expect(lines[2]).toMatch(new RegExp(`^2 +${time} +manual-user +set itembank/items +published +[0-9a-f]{12} +i1$`));
    expect(lines[3]).toMatch(new RegExp(`^3 +${time} +bob +set itembank/items/tags +published +[0-9a-f]{12} +i1$`));
    expect(lines[4]).toMatch(new RegExp(`^4 +${time} +manual-user +set itembank/items +published +[0-9a-f]{12} +i2$`));

    const diff = (...revisions: string[]) =>
      json(commandHere(['history', 'items', 'i2', '--organisation', '7', '--diff', ...revisions], place));
    expect(await diff('1', '2')).toEqual(
      expect.arrayContaining([
        { op: 'replace', path: '/status', value: 'published' },
        { op: 'replace', path: '/title', value: 'Two' },
      ]),
    );
    expect(await diff('2', '3')).toEqual([{ op: 'add', path: '/tags/0', value: { type: 'Subject', name: 'Maths' } }]);

    const revisions = await json<object[]>(
      commandHere(['history', 'questions', 'q1', '--organisation', '7', '--json'], place),
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
    const none = await commandHere(['history', 'activities', 'a1', '--organisation', '7'], place);
    expect([none.code, none.stdout]).toEqual([1, '']);
    expect(none.stderr).toMatch(/^itembank: There is no activity "a1" in organisation 7\.$/m);
  });

  it('lists names with line breaks and control characters on one line, as escapes', async () => {
    const user = { id: 'eve\n\u001b[2J' };
    const feature = {
      type: 'audioplayer',
      reference: 'f1',
      data: { type: 'audioplayer', src: 'https://example.org/a.mp3' },
    };
    expect((await client(made).set('itembank/features', { features: [feature], meta: { user } })).meta).toMatchObject({
      status: true,
    });
    const history = await commandHere(['history', 'features', 'f1', '--organisation', '7'], place);
    expect(history.stdout.trimEnd().split('\n').slice(1)).toEqual([
      expect.stringContaining('  eve\\u000a\\u001b[2J  '),
    ]);

    await commandHere(['organisation', 'create', '8', 'Eighth\r\n9   Ninth'], place);
    const organisations = await commandHere(['organisation', 'list'], place);
    expect(organisations.stdout).toBe('ID  NAME\n7   Seventh\n8   Eighth\\u000d\\u000a9   Ninth\n');
  });

  it('rejects the calls of a disabled consumer until it is enabled again', async () => {
    expect((await commandHere(['consumer', 'disable', made.key], place)).code).toBe(0);
    await waitForCode(client(made), 41009);
    expect((await commandHere(['consumer', 'enable', made.key], place)).code).toBe(0);
    await waitForCode(client(made), undefined);
  });
});
