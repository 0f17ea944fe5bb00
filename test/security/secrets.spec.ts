import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Consumers } from '#access';
import { type Database } from '#platform';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectFailure } from '../support/failure';
import { type Settings, temporaryFolders } from '../support/processes';
import { serviceOfSuite, startService } from '../support/service';

const folder = temporaryFolders();
const KEY = 'c0ffee11'.repeat(8);
const WEBHOOK = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const GIVEN = 'a-secret-that-an-operator-gives';
const PASSWORD = 'pa55-w0rd-7c2e';

/** Returns the encodings in which a secret may occur. */
const spellings = (secret: string): string[] => {
  const bytes = [Buffer.from(secret), Buffer.from(secret, 'hex'), Buffer.from(secret.replace(/^whsec_/, ''), 'base64')];
  return [
    secret,
    secret.replace(/^whsec_/, ''),
    ...bytes.flatMap((each) => [each.toString('base64url'), each.toString('hex')]),
  ]
    .map((text) => text.toLowerCase())
    .filter((text) => text.length > 8);
};

describe.each(anEngine(__filename))('secrets on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine, { SECRETS_KEY: KEY }));
  let settings: Settings;
  /** Secrets that nobody may see. */
  let secrets: string[];
  const outputs: string[] = [];

  beforeAll(async () => {
    settings = { ...service.settings, HOOK: WEBHOOK, GIVEN };
    const rotated = await service.get(Consumers).rotateSecret(service.client.key, 60_000);
    secrets = [service.client.secret, rotated, GIVEN, WEBHOOK, KEY];
  });

  const secretsIn = (text: string) =>
    secrets.filter((secret) => spellings(secret).some((spelling) => text.toLowerCase().includes(spelling)));

  it('do not occur in the output of commands', async () => {
    const cwd = folder();
    const site = {
      organisations: [
        {
          id: 1,
          name: 'Organisation 1',
          events: { webhooks: [{ name: 'hook', url: 'https://example.org/hook', secret: { env: 'HOOK' } }] },
        },
      ],
      consumers: [{ key: 'Given-1', secrets: [{ env: 'GIVEN' }], grants: [{ organisation: 1, access: 'write' }] }],
    };
    writeFileSync(join(cwd, 'site.json'), JSON.stringify(site));
    for (const args of [
      ['provision', 'site.json', '--dry-run'],
      ['provision', 'site.json'],
      ['provision', 'site.json', '--json'],
      ['consumer', 'list'],
      ['consumer', 'list', '--json'],
      ['events', 'list', '--json'],
      ['organisation', 'list', '--json'],
    ]) {
      const { code, stdout, stderr } = await commandHere(args, { settings, cwd });
      expect([args, code, stderr]).toEqual([args, 0, '']);
      outputs.push(stdout);
    }
    expect(outputs.join('\n')).toContain('Given-1');
    expect(secretsIn(outputs.join('\n'))).toEqual([]);
  });

  it('do not occur in the database or its files', async () => {
    const rows = await dump(service.database);
    // All secrets are stored, but encrypted.
    for (const name of ['Given-1', 'hook', 'v1.']) expect(rows).toContain(name);
    expect(secretsIn(rows)).toEqual([]);
    const databaseUrl = settings.DATABASE_URL!;
    if (!databaseUrl.startsWith('file:')) return;
    const place = join(databaseUrl.slice('file:'.length), '..');
    for (const file of readdirSync(place))
      expect([file, secretsIn(readFileSync(join(place, file), 'latin1'))]).toEqual([file, []]);
  });

  it('do not occur in error answers', async () => {
    const { client } = service;
    const wrong = { signature: `$02$${'0'.repeat(64)}` };
    const answers = [
      await client.post('itembank/items', client.fields('{', 'get')),
      await client.post('itembank/items', client.fields('{}', 'get', wrong)),
      await client.post('itembank/items', client.fields('{}', 'get', { domain: 'elsewhere.example' })),
      await client.post('itembank/items', client.fields('{}', 'get', { scheme: 'legacy' })),
      await client.post('itembank/items', client.fields('{}', 'get', { expires: '20200101-0000' })),
    ];
    for (const { text } of answers) expect(secretsIn(text)).toEqual([]);
  });

  it('and internal details do not occur in the answer to an internal error', async () => {
    // A missing table causes an internal error.
    await service.database.write('DROP TABLE tag_hierarchy');
    const answer = await service.client.get('itembank/tagging/hierarchies');
    expectFailure(
      answer,
      500,
      10000,
      /^An internal error occurred; the log of the service records it under [0-9a-f-]{36}\.$/,
    );
    expect(answer.text).not.toMatch(/hierarch|SELECT|sql|\.ts|\/|node_modules/i);
  });
});

describe('passwords in settings', () => {
  it.each<[string, Settings, string[]]>([
    ['an unreachable database', { DATABASE_URL: `mysql://user:${PASSWORD}@127.0.0.1:1/bank` }, ['migrate']],
    ['a database without a name', { DATABASE_URL: `mysql://user:${PASSWORD}@127.0.0.1:1` }, ['migrate']],
    ['another kind of database', { DATABASE_URL: `postgres://user:${PASSWORD}@127.0.0.1/bank` }, ['migrate']],
    ['no address', { DATABASE_URL: `mysql://user:${PASSWORD}@[/bank` }, ['migrate']],
    [
      'an unreachable queue',
      { QUEUE_URL: `redis://:${PASSWORD}@127.0.0.1:1` },
      ['jobs', 'retry', '01JZX3M5V2Q4T6W8Y0A1B2C3D4', '--organisation', '1'],
    ],
    ['another kind of queue', { QUEUE_URL: `amqp://:${PASSWORD}@127.0.0.1:1` }, ['jobs', 'list']],
    ['files with a password', { ASSETS_URL: `https://user:${PASSWORD}@127.0.0.1/x` }, ['consumer', 'list']],
    ['a key that is too short', { SECRETS_KEY: PASSWORD }, ['consumer', 'list']],
  ])('do not occur in the error message for %s', async (_, wrong, args) => {
    const cwd = folder();
    const { code, stdout, stderr } = await commandHere(args, {
      settings: { DATA_DIR: cwd, SECRETS_KEY: KEY, START_WAIT_SECONDS: '0', ...wrong },
    });
    expect(code).not.toBe(0);
    expect(stderr).not.toBe('');
    expect(`${stdout}${stderr}`).not.toContain(PASSWORD);
  });
});

/** Returns every row of every table, as in a dump. */
async function dump(database: Database): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    database.dialect.engine === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const rows = [];
  for (const { name } of tables) rows.push(JSON.stringify(await database.rows(`SELECT * FROM ${name}`)));
  return rows.join('\n');
}
