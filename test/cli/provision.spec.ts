import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { parse } from 'yaml';
import { SystemClock } from '#kernel';
import { Database } from '#platform';
import { Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { anEngine, type EmptyDatabase } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { itembank, json, type Settings, ServiceProcess, temporaryFolders } from '../support/processes';
import { waitForCode } from './consumers';

const folder = temporaryFolders();
const [FIRST, SECOND, THIRD] = ['first-secret-0123456789', 'second secret 0123456789', 'third-secret-0123456789'];

interface Provisioned {
  dry_run: boolean;
  changes: { change: string; kind: string; organisation: number | null; key: string }[];
}

const template = {
  reference: 'a b:c',
  name: 'Größe 😀',
  json: { regions: { items: [{ type: 'slider_element' }] }, n: 1.5 },
};

const press = {
  id: 5,
  name: 'Example Press',
  settings: { enforce_workflow_moves: true },
  tag_hierarchies: [
    { reference: 'curriculum', tag_types: ['Subject', { name: 'Grade', description: 'School year' }] },
    { reference: 'skills', tag_types: [{ name: 'Skill', description: null }] },
  ],
  player_templates: [template],
  base_templates: [
    { reference: 'practice', data: { config: { title: 'P' } } },
    { reference: 'test', description: 'Timed', status: 'archived', data: {} },
  ],
};

const authoring = {
  key: 'Site-1',
  label: 'Authoring site',
  domains: ['localhost', '*.example.org'],
  features: ['offlinepackage'],
  rate_limits: { 'get itembank/playertemplates': 500 },
  grants: [
    { organisation: 6, access: 'read' },
    { organisation: 5, access: 'write', primary: true },
    { organisation: 1, access: 'read', primary: false },
  ],
  secrets: [{ env: 'FIRST' }, { file: 'second' }],
};

const shared = { id: 6, name: 'Shared' };
const idle = { key: 'idle', status: 'disabled', grants: [], secrets: [] };
const site = { organisations: [press, shared], consumers: [authoring, idle] };

type Description = { organisations?: object[]; consumers?: object[] };

describe.each(anEngine(__filename))('provision on %s', (engine) => {
  let database: EmptyDatabase;
  let reader: Database;
  let service: ServiceProcess;
  let place: { settings: Settings; cwd: string };
  let other: { key: string; secret: string };
  beforeAll(async () => {
    database = await migratedDatabase(engine);
    const cwd = folder();
    place = { settings: { DATABASE_URL: database.url, DATA_DIR: folder(), SECRETS_KEY: 'ab'.repeat(32), FIRST }, cwd };
    expect((await commandHere(['organisation', 'create', '1', 'Not described'], place)).code).toBe(0);
    other = await json(commandHere(['consumer', 'create', '--organisation', '1', '--json'], place));
    writeFileSync(join(cwd, 'second'), `${SECOND}\n`);
    reader = await Database.open(database.url);
    service = await ServiceProcess.listening(place);
  });
  afterAll(async () => {
    await service?.end('SIGKILL');
    await reader?.close();
    await database?.drop();
  });

  /** Runs the command on a description in JSON and returns its lines. */
  async function provision(description: Description, ...options: string[]): Promise<string[]> {
    writeFileSync(join(place.cwd, 'site.json'), JSON.stringify(description));
    const { code, stdout, stderr } = await commandHere(['provision', 'site.json', ...options], place);
    expect([code, stderr]).toEqual([0, '']);
    return stdout.trimEnd().split('\n');
  }

  const client = (secret: string, key = 'Site-1') => new Client(service.url, key, secret, new SystemClock());
  const auditEntries = () =>
    reader.rows<{ organisation_id: number; subject: string; subject_key: string; detail: string }>(
      "SELECT organisation_id, subject, subject_key, detail FROM audit WHERE operation = 'provision' ORDER BY organisation_id, id",
    );
  const storedSecrets = () =>
    reader.rows<{ id: string; valid_until: number | null }>(
      "SELECT id, sealed, valid_until FROM consumer_secret WHERE consumer_key = 'Site-1' ORDER BY id",
    );

  const CREATED = [
    '+ organisation 5: name "Example Press"; settings {"enforce_workflow_moves":true}',
    '+ organisation 6: name "Shared"',
    expect.stringMatching(/^\+ tag hierarchy "curriculum" of organisation 5: tag_types \[\{"name":"Subject",/),
    '+ tag hierarchy "skills" of organisation 5: tag_types [{"name":"Skill","description":null}]',
    expect.stringMatching(/^\+ player template "a b:c" of organisation 5: name "Größe 😀"; json \{"regions":/),
    '+ base template "practice" of organisation 5: status "published"; data {"config":{"title":"P"}}',
    '+ base template "test" of organisation 5: description "Timed"; status "archived"',
    expect.stringMatching(/^\+ consumer Site-1: label "Authoring site"; status "active"; .+; secrets: 2 new$/),
    '+ consumer idle: status "disabled"; domains ["localhost"]',
  ];

  it('prints the changes with --dry-run, and makes none', async () => {
    const before = await reader.rows('SELECT * FROM organisation');
    expect(await provision(site, '--dry-run')).toEqual([...CREATED, '9 changes to make; nothing was written.']);
    expect(await reader.rows('SELECT * FROM organisation')).toEqual(before);
    expect(await reader.rows('SELECT * FROM consumer WHERE consumer_key <> ?', [other.key])).toEqual([]);
    expect(await auditEntries()).toEqual([]);
    expect((await client(FIRST).get('itembank/items')).meta.code).toBe(41002);
  });

  it('creates everything in the description, and prints it', async () => {
    expect(await provision(site)).toEqual([...CREATED, '9 changes made.']);
    for (const secret of [FIRST, SECOND]) await waitForCode(client(secret), undefined);
    const read = async (path: string, request = {}) => (await client(FIRST).get(`itembank/${path}`, request)).data;
    const revision: unknown = expect.any(Number);
    expect(await read('tagging/hierarchies')).toEqual([
      {
        reference: 'curriculum',
        tag_types: [
          { name: 'Subject', description: null },
          { name: 'Grade', description: 'School year' },
        ],
        revision,
      },
      { reference: 'skills', tag_types: [{ name: 'Skill', description: null }], revision },
    ]);
    expect(await read('playertemplates')).toEqual([template]);
    expect(await read('activities/templates')).toEqual([
      { reference: 'practice', description: '', status: 'published', data: { config: { title: 'P' } } },
      { reference: 'test', description: 'Timed', status: 'archived', data: {} },
    ]);
    for (const organisation of [1, 6])
      expect(await read('playertemplates', { organisation_id: organisation })).toEqual([]);
    const consumers = await json<{ key: string }[]>(commandHere(['consumer', 'list', '--json'], place));
    expect(consumers.find(({ key }) => key === 'Site-1')).toEqual({
      key: 'Site-1',
      label: 'Authoring site',
      status: 'active',
      organisation: 5,
      grants: expect.arrayContaining([
        { organisation: 1, access: 'read' },
        { organisation: 5, access: 'write' },
        { organisation: 6, access: 'read' },
      ]),
      domains: ['localhost', '*.example.org'],
      features: ['offlinepackage'],
      legacy_signatures: false,
      rate_limits: { 'get itembank/playertemplates': 500 },
    });
    expect(await reader.row('SELECT name, settings FROM organisation WHERE id = 5')).toEqual({
      name: 'Example Press',
      settings: '{"enforce_workflow_moves":true}',
    });
  });

  it('changes nothing the second time, whatever the order of members and the notation', async () => {
    const before = await storedSecrets();
    const entries = (await auditEntries()).length;
    expect(await provision(site)).toEqual(['Nothing to change.']);
    const { json: body, ...rest } = template;
    const reordered = { json: { n: body.n, regions: body.regions }, ...rest };
    const shuffled = {
      consumers: [idle, { ...authoring, grants: authoring.grants.toReversed() }],
      organisations: [shared, { ...press, player_templates: [reordered] }],
    };
    expect(await provision(shuffled)).toEqual(['Nothing to change.']);
    expect(await json<Provisioned>(commandHere(['provision', 'site.json', '--json'], place))).toEqual({
      dry_run: false,
      changes: [],
    });
    expect(await storedSecrets()).toEqual(before);
    expect(await auditEntries()).toHaveLength(entries);
  });

  it('keeps the data of absent sections, and makes lists exactly as described', async () => {
    const { tag_hierarchies: _left, ...first } = press;
    const changed = {
      organisations: [
        {
          ...first,
          name: 'Example \u009b Press',
          settings: {},
          player_templates: [],
          base_templates: [
            { reference: 'test', description: 'Timed', data: { a: { 'x\ny': [1, 2] } } },
            { reference: 'Test', data: {} },
          ],
        },
      ],
      consumers: [
        {
          key: 'Site-1',
          rate_limits: { '*': 90 },
          domains: ['*.example.org', 'localhost'],
          secrets: [{ file: 'second' }],
        },
      ],
    };
    const lines = [
      '~ organisation 5: name "Example Press" → "Example \\u009b Press"',
      '- player template "a b:c" of organisation 5',
      '~ base template "test" of organisation 5: status "archived" → "published"; data.a unset → {"x\\ny":[1,2]}',
      '+ base template "Test" of organisation 5: status "published"',
      '- base template "practice" of organisation 5',
      '~ consumer Site-1: domains in another order; rate_limits.get itembank/playertemplates 500 → unset; rate_limits.* unset → 90; secrets: 1 ended',
    ];
    const secrets = await storedSecrets();
    expect(await provision(changed, '--dry-run')).toEqual([...lines, '6 changes to make; nothing was written.']);
    expect(await storedSecrets()).toEqual(secrets);
    expect(await provision(changed)).toEqual([...lines, '6 changes made.']);
    await waitForCode(client(FIRST), 41003);
    await waitForCode(client(SECOND), undefined);
    const [ended, kept] = await storedSecrets();
    expect([{ ...ended, valid_until: null }, kept]).toEqual(secrets);
    expect(ended!.valid_until).not.toBeNull();
    const caller = client(SECOND);
    expect((await caller.get('itembank/tagging/hierarchies')).data).toHaveLength(2);
    expect((await caller.get('itembank/playertemplates')).data).toEqual([]);
    const templates = (await caller.get('itembank/activities/templates')).data;
    expect(templates.map(({ reference }: { reference: string }) => reference)).toEqual(['Test', 'test']);
    expect(await reader.row('SELECT settings FROM organisation WHERE id = 5')).toEqual({
      settings: '{"enforce_workflow_moves":true}',
    });
    // The description does not contain this consumer.
    await waitForCode(client(other.secret, other.key), undefined);
    expect((await commandHere(['organisation', 'list'], place)).stdout).toMatch(/^1 +Not described$/m);
    expect(await provision(changed)).toEqual(['Nothing to change.']);
    const back = await provision(site);
    expect(back).toContain(
      '~ consumer Site-1: domains in another order; rate_limits.* 90 → unset; rate_limits.get itembank/playertemplates unset → 500; secrets: 1 new',
    );
    expect(back.at(-1)).toBe('6 changes made.');
    await waitForCode(client(FIRST), undefined);
  });

  it('revokes permissions in a running service', async () => {
    const consumers = [{ ...authoring, status: 'disabled' }];
    expect(await provision({ consumers })).toEqual([
      '~ consumer Site-1: status "active" → "disabled"',
      '1 change made.',
    ]);
    await waitForCode(client(FIRST), 41009);
    const grants = [{ organisation: 6, access: 'write', primary: true }];
    expect(await provision({ consumers: [{ key: 'Site-1', status: 'active', grants }] })).toEqual([
      expect.stringMatching(
        /^~ consumer Site-1: status "disabled" → "active"; grants (-\{\S+\} ){3}\+\{"organisation":6,"access":"write","primary":true\}$/,
      ),
      '1 change made.',
    ]);
    await waitForCode(client(FIRST), undefined);
    expect((await client(FIRST).get('itembank/items', { organisation_id: 5 })).meta.code).toBe(40003);
    await provision(site);
  });

  it('ends the secrets that are not described, and removes the end of those that are', async () => {
    const rotated = await json<{ secret: string }>(
      commandHere(['consumer', 'rotate-secret', 'Site-1', '--overlap', '1h', '--json'], place),
    );
    expect(await provision(site)).toEqual([
      '~ consumer Site-1: secrets: 2 without an end from now on, 1 ended',
      '1 change made.',
    ]);
    await waitForCode(client(rotated.secret), 41003);
    for (const secret of [FIRST, SECOND]) await waitForCode(client(secret), undefined);
    place.settings.THIRD = THIRD;
    const moved = { consumers: [{ key: 'Site-1', secrets: [{ env: 'THIRD' }, { env: 'FIRST' }] }] };
    expect(await provision(moved)).toEqual(['~ consumer Site-1: secrets: 1 new, 1 ended', '1 change made.']);
    await waitForCode(client(SECOND), 41003);
    for (const secret of [FIRST, THIRD]) await waitForCode(client(secret), undefined);
    expect(await provision(moved)).toEqual(['Nothing to change.']);
  });

  it('writes an audit entry for every change, without secrets', async () => {
    const entries = await auditEntries();
    const kinds = new Set(entries.map(({ organisation_id, subject }) => `${organisation_id} ${subject}`));
    expect([...kinds].sort()).toEqual([
      '0 consumer',
      '0 organisation',
      '5 base_template',
      '5 player_template',
      '5 tag_hierarchy',
    ]);
    const details = entries
      .filter(({ subject_key }) => subject_key === 'practice')
      .map(({ detail }) => JSON.parse(detail) as unknown);
    const practice = { reference: 'practice', description: '', status: 'published', data: { config: { title: 'P' } } };
    expect(details).toEqual([
      { before: null, after: practice },
      { before: practice, after: null },
      { before: null, after: practice },
    ]);
    const first = JSON.parse(entries.find(({ subject_key }) => subject_key === 'Site-1')!.detail) as object;
    expect(first).toMatchObject({ before: null, after: { label: 'Authoring site' }, secrets: { added: 2, ended: 0 } });
    for (const { detail } of entries) for (const secret of [FIRST, SECOND, THIRD]) expect(detail).not.toContain(secret);
  });

  it('rejects a description that contradicts the stored data, reports all faults, and changes nothing', async () => {
    const { text, places } = parseMarks(`organisations: [{id: 8, name: Eight}]
consumers:
  - key: Site-1
    label: not to be
    grants: [{organisation: 8, access: read}, {organisation: «999, access: read}]
  - «key: newcomer
    grants: []
  - key: another
    secrets: []
    grants: [{organisation: «4, access: write}]
`);
    writeFileSync(join(place.cwd, 'wrong.yaml'), text);
    for (const options of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await commandHere(['provision', 'wrong.yaml', ...options], place);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.trimEnd().split('\n')).toEqual([
        'itembank: wrong.yaml is not as it should be; nothing was changed.',
        `wrong.yaml:${places[0]}: consumers[0].grants[1].organisation: there is no organisation 999; describe it as well.`,
        `wrong.yaml:${places[1]}: consumers[1] is new: it needs grants and secrets; write [] for none.`,
        `wrong.yaml:${places[2]}: consumers[2].grants[0].organisation: there is no organisation 4; describe it as well.`,
      ]);
    }
    expect(await reader.rows('SELECT * FROM organisation WHERE id = 8')).toEqual([]);
    expect(await reader.rows("SELECT * FROM consumer WHERE label = 'not to be'")).toEqual([]);
  });

  it('does not encrypt secrets with another key than that of the stored ones', async () => {
    writeFileSync(join(place.cwd, 'site.json'), JSON.stringify(site));
    const before = await storedSecrets();
    const wrong = { ...place, settings: { ...place.settings, SECRETS_KEY: 'cd'.repeat(32) } };
    const { code, stderr } = await commandHere(['provision', 'site.json'], wrong);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/secrets of consumer Site-1 do not open; SECRETS_KEY must be/),
    ]);
    expect(await storedSecrets()).toEqual(before);
  });

  it('creates everything once when it runs twice at the same time', async () => {
    writeFileSync(join(place.cwd, 'fresh.json'), JSON.stringify(siteAs(7, 'Fresh-1')));
    const results = await Promise.all(
      [1, 2].map(() => json<Provisioned>(itembank(['provision', 'fresh.json', '--json'], place))),
    );
    expect(results.map(({ changes }) => changes.length).sort()).toEqual([0, 7]);
    const secrets = await reader.rows("SELECT id FROM consumer_secret WHERE consumer_key = 'Fresh-1'");
    expect(secrets).toHaveLength(2);
  });

  it('makes no change at all when it is killed', async () => {
    writeFileSync(join(place.cwd, 'killed.json'), JSON.stringify(siteAs(9, 'Killed-1')));
    const wanted = () => json<Provisioned>(commandHere(['provision', 'killed.json', '--dry-run', '--json'], place));
    const before = await wanted();
    expect(before.changes).toHaveLength(7);
    await (engine === 'sqlite' ? killOnFile : killOnServer)(database.url, place);
    expect(await wanted()).toEqual(before);
    const made = await json<Provisioned>(commandHere(['provision', 'killed.json', '--json'], place));
    expect(made).toEqual({ ...before, dry_run: false });
    expect((await wanted()).changes).toEqual([]);
  });

  /** Describes the organisation and the consumer of the site under other names. */
  const siteAs = (id: number, key: string): Description => ({
    organisations: [{ ...press, id }],
    consumers: [{ ...authoring, key, grants: [{ organisation: id, access: 'write', primary: true }] }],
  });
});

interface Where {
  settings: Settings;
  cwd: string;
}

/** Kills the command while it waits for a row that another transaction is writing. */
async function killOnServer(url: string, place: Where): Promise<void> {
  const connection = await createConnection(url);
  try {
    await connection.query('START TRANSACTION');
    await connection.query(
      "INSERT INTO base_template (organisation_id, reference, description, status, data) VALUES (9, 'test', '', 'published', '{}')",
    );
    await killInTheMiddle(place, async () => {
      const [rows] = await connection.query('SHOW FULL PROCESSLIST');
      const name = new URL(url).pathname.slice(1);
      return (rows as { db: string; Info: string | null }[]).some(
        ({ db, Info }) => db === name && /^INSERT INTO base_template/.test(Info ?? ''),
      );
    });
    await connection.query('ROLLBACK');
  } finally {
    await connection.end();
  }
}

/** Slows down the last write to the file. Kills the command when it has blocked other writers for some time. */
async function killOnFile(url: string, place: Where): Promise<void> {
  const database = await Database.open(url);
  const many = new Array(9).fill("json_each('[1,2,3,4,5,6,7,8,9,10]')").map((table, index) => `${table} t${index}`);
  try {
    await database.write(
      `CREATE TRIGGER slow BEFORE INSERT ON base_template BEGIN SELECT COUNT(*) FROM ${many.join(', ')}; END`,
    );
    const connection = new SqliteConnection(url.slice('file:'.length));
    let refusals = 0;
    await killInTheMiddle(place, async () => {
      refusals = connection.isWritable() ? 0 : refusals + 1;
      return refusals >= 20;
    });
    connection.close();
    await database.write('DROP TRIGGER slow');
  } finally {
    await database.close();
  }
}

class SqliteConnection {
  private readonly connection: { exec(sql: string): void; close(): void };

  constructor(path: string) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- libsql ships no types for this form
    const Connection = require('libsql') as new (path: string, options: object) => SqliteConnection['connection'];
    this.connection = new Connection(path, { timeout: 0 });
  }

  isWritable(): boolean {
    try {
      this.connection.exec('BEGIN IMMEDIATE');
      this.connection.exec('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.connection.close();
  }
}

/** Runs the command and kills it in the middle of its work. */
async function killInTheMiddle(place: Where, isInTheMiddle: () => Promise<boolean>): Promise<void> {
  let pid: number | undefined;
  let ended = false;
  const running = itembank(['provision', 'killed.json'], { ...place, started: (id) => (pid = id) }).finally(
    () => (ended = true),
  );
  while (!(await isInTheMiddle())) {
    if (ended) throw new Error(`The command ended before it could be killed: ${JSON.stringify(await running)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.kill(pid!, 'SIGKILL');
  expect((await running).code).toBeNull();
}

/** Returns the text without its marks «, and the lines and columns of the marks. */
function parseMarks(text: string): { text: string; places: string[] } {
  const places: string[] = [];
  const plain = text.split('\n').map((line, index) => {
    const parts = line.split('«');
    for (let mark = 1; mark < parts.length; mark++)
      places.push(`${index + 1}:${parts.slice(0, mark).join('').length + 1}`);
    return parts.join('');
  });
  return { text: plain.join('\n'), places };
}

describe('a description', () => {
  let place: Where;
  beforeAll(async () => {
    place = { settings: { DATA_DIR: folder(), FIRST }, cwd: folder() };
    expect((await commandHere(['migrate'], place)).code).toBe(0);
  });

  async function provision(text: string | Buffer, name = 'site.yaml', settings: Settings = {}) {
    writeFileSync(join(place.cwd, name), text);
    return commandHere(['provision', name], { ...place, settings: { ...place.settings, ...settings } });
  }

  /** Expects that the text is rejected at each of its marks, with these messages. */
  async function expectRefused(textWithMarks: string, ...sentences: (string | RegExp)[]): Promise<void> {
    const { text, places } = parseMarks(textWithMarks);
    const { code, stdout, stderr } = await provision(text);
    const [head, ...lines] = stderr.trimEnd().split('\n');
    expect([code, stdout, head]).toEqual([1, '', 'itembank: site.yaml is not as it should be; nothing was changed.']);
    expect(lines.map((line) => line.replace(/^site\.yaml:(\d+:\d+): .*/, '$1'))).toEqual(places);
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual(
      sentences.map((sentence) => (typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))),
    );
  }

  it('is rejected with all its faults, each at its place', async () => {
    await expectRefused(
      `organisations:
  - «id: «0
    «nmae: One
    settings: {«enforce: true, enforce_workflow_moves: «yes}
    tag_hierarchies: «
    player_templates:
      - {reference: a, name: A, json: {}}
      - {reference: «a, name: «"", json: «[]}
      - «reference: «"b\\"c"
        name: B
    «templates: []
    base_templates: [{reference: x, data: {}, status: «old}, {reference: «${'x'.repeat(151)}, data: {}}]
  - id: 1
    name: «" "
    tag_hierarchies:
      - {reference: h, tag_types: [Groß, {name: «GROSS}, «5, {name: «5, «colour: 1}]}
      - {reference: i, tag_types: «[]}
  - {id: «1, name: «2}
consumers:
  - {key: «-a, secrets: [], grants: []}
  - key: b
    domains: [«"https://x", a.example]
    features: «[a, a]
    status: «off
    label: «${'x'.repeat(256)}
    legacy_signatures: «0
    rate_limits: {«sett x: 1, set itembank/*: «-1, "*": «"5"}
    grants: [{organisation: 1, access: read, primary: true}, {organisation: «1, access: «admin, primary: «true}, ««{}]
  - key: «b
  - «text
«extra: 1
`,
      'organisations[0].name is required.',
      'organisations[0].id must be a whole number from 1 to 2147483647.',
      /^organisations\[0\]\.nmae is not known here; known are id, name, settings, tag_hierarchies, player_templates, /,
      'organisations[0].settings.enforce is not known here; known are enforce_workflow_moves.',
      'organisations[0].settings.enforce_workflow_moves must be true or false.',
      'organisations[0].tag_hierarchies must be a list ([] for an empty one).',
      'organisations[0].player_templates[1].reference is that of organisations[0].player_templates[0] already.',
      'organisations[0].player_templates[1].name must have 1 to 255 characters; it has 0.',
      'organisations[0].player_templates[1].json must be an object.',
      'organisations[0].player_templates[2].json is required.',
      'organisations[0].player_templates[2].reference must be printable ASCII characters except " \' and `.',
      /^organisations\[0\]\.templates is not known here/,
      'organisations[0].base_templates[0].status must be published or archived.',
      'organisations[0].base_templates[1].reference must have 1 to 150 characters; it has 151.',
      'organisations[1].name must be more than blanks.',
      /^organisations\[1\]\.tag_hierarchies\[0\]\.tag_types\[1\]\.name is the same tag type as \S+tag_types\[0\]: tag types ignore case/,
      'organisations[1].tag_hierarchies[0].tag_types[2] must be a name, or an object with name and description.',
      'organisations[1].tag_hierarchies[0].tag_types[3].name must be text (a number in quotes).',
      'organisations[1].tag_hierarchies[0].tag_types[3].colour is not known here; known are name, description.',
      'organisations[1].tag_hierarchies[1].tag_types must hold 1 to 50 entries; it holds 0.',
      'organisations[2].id is that of organisations[1] already.',
      'organisations[2].name must be text (a number in quotes).',
      /^consumers\[0\]\.key must be letters, digits, dot, underscore and dash, beginning with a letter or a digit/,
      /^consumers\[1\]\.domains\[0\] must be a host without scheme, port and path/,
      'consumers[1].features must not hold the same entry twice.',
      'consumers[1].status must be active or disabled.',
      'consumers[1].label must have 0 to 255 characters; it has 256.',
      'consumers[1].legacy_signatures must be true or false.',
      "consumers[1].rate_limits.sett x is not an action and path. Write a limit as 'set itembank/*': 100.",
      'consumers[1].rate_limits.set itembank/* must be a whole number from 0 to 999999999.',
      'consumers[1].rate_limits.* must be a whole number.',
      'consumers[1].grants[1].organisation is that of consumers[1].grants[0] already.',
      'consumers[1].grants[1].access must be read or write.',
      'consumers[1].grants[1] is primary, and so is consumers[1].grants[0]: at most one may be.',
      'consumers[1].grants[2].organisation is required.',
      'consumers[1].grants[2].access is required.',
      'consumers[2].key is that of consumers[1] already.',
      'consumers[3] must be an object.',
      'extra is not known here; known are $schema, organisations, consumers.',
    );
  });

  it('works as in the manual, in YAML and in JSON', async () => {
    const manual = readFileSync(resolve(__dirname, '../../docs/provisioning.md'), 'utf8');
    const example = /```yaml\n([^]+?)```/.exec(manual)![1]!;
    mkdirSync(join(place.cwd, 'secrets'));
    writeFileSync(join(place.cwd, 'secrets/authoring'), `${SECOND}\r\n`);
    const secrets = { AUTHORING_SECRET: FIRST, GRADEBOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
    const made = await provision(example, 'example.yaml', secrets);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toMatch(/\n8 changes made\.\n$/);
    const inJson = JSON.stringify({ $schema: 'provision.schema.json', ...parse(example) }, null, '\t');
    // This file begins with a byte order mark.
    const again = await provision(`\ufeff${inJson}`, 'example.json', secrets);
    expect([again.stdout, again.stderr]).toEqual(['Nothing to change.\n', '']);
  });

  it('changes the secret of the quick start together with its stored credentials', async () => {
    const path = join(place.settings.DATA_DIR!, 'credentials.json');
    const credentials = { key: 'Quick-1', secret: 'the-former-secret-0123', organisation: 1, domain: 'localhost' };
    writeFileSync(path, JSON.stringify(credentials));
    const description = (...secrets: string[]) =>
      JSON.stringify({ consumers: [{ key: 'Quick-1', grants: [], secrets: secrets.map((env) => ({ env })) }] });
    const settings = { FORMER: credentials.secret, FIRST, SECOND };
    expect((await provision(description('FIRST', 'FORMER'), 'quick.json', settings)).code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(credentials);
    expect((await provision(description('SECOND', 'FIRST'), 'quick.json', settings)).code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...credentials, secret: SECOND });
  });

  it('changes nothing when it is empty', async () => {
    expect((await provision('{}')).stdout).toBe('Nothing to change.\n');
    expect((await provision('organisations: []\nconsumers: []\n')).stdout).toBe('Nothing to change.\n');
    await expectRefused('«', 'The description must be an object.');
  });

  it('causes an error message of one line if it cannot be read', async () => {
    for (const [name, why] of [
      ['none.yaml', /^itembank: none\.yaml cannot be read \(ENOENT\)\.\n$/],
      ['.', /^itembank: \. cannot be read \(EISDIR\)\.\n$/],
    ] as const) {
      const { code, stdout, stderr } = await commandHere(['provision', name], place);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(why)]);
    }
    const { code, stderr } = await provision(Buffer.from('organisations: [{id: 1, name: "Gr\xfc\xdfe"}]', 'latin1'));
    expect([code, stderr]).toEqual([1, 'itembank: site.yaml is not text in UTF-8.\n']);
  });
});
