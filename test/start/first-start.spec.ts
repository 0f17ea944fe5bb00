import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { escaped } from '../../apps/api/src/http/html-page';
import { firstCall } from '../../apps/api/src/declaration/describe/first-call';
import { commandHere } from '../support/command-line';
import { aServer, emptyDatabase, type EmptyDatabase } from '../support/engines';
import { bash, json, ServiceProcess, shell, type Settings, temporaryFolders } from '../support/processes';

// A test starts up to nine processes one after another. The limit only ends a test that hangs.
jest.setTimeout(600_000);

interface Credentials {
  key: string;
  secret: string;
  organisation: number;
  domain: string;
}

const folder = temporaryFolders();
const credentialsIn = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
/** Returns the commands in the greeting of a start. */
const commandsIn = (greeting: string) =>
  [...greeting.matchAll(/^ {2}(.*npm run -s itembank -- .*)$/gm)].map((match) => match[1]!);

describe('the first start', () => {
  let cwd: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    cwd = folder();
    service = await ServiceProcess.listening({ cwd });
  });
  afterAll(() => service?.end('SIGKILL'));

  it('prints the address, the place of the credentials and one command, before its log', () => {
    const lines = service.greeting.split('\n');
    expect(lines).toContain(`Itembank answers at ${service.url}`);
    expect(lines).toContain(`Credentials are kept in ${join(cwd, '.data', 'credentials.json')}`);
    expect(commandsIn(service.greeting)).toEqual([`npm run -s itembank -- call itembank/items '{"limit":2}'`]);
    for (const line of service.stdout.slice(service.greeting.length).trimEnd().split('\n'))
      expect(() => void JSON.parse(line)).not.toThrow();
    expect(service.stderr).toBe('');
  });

  it('prints a command that works unchanged in the same folder', async () => {
    const [command] = commandsIn(service.greeting);
    const { meta, data } = await json<{ meta: object; data: { reference: string }[] }>(shell(command!, { cwd }));
    expect(meta).toMatchObject({ status: true, records: 2 });
    expect(data.map(({ reference }) => reference)).toEqual([
      expect.stringMatching(/^demo-/),
      expect.stringMatching(/^demo-/),
    ]);
  });

  it('shows the same command and the path of the credentials on its page', async () => {
    const page = await (await fetch(service.url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain(`<code>${escaped(commandsIn(service.greeting)[0]!)}</code>`);
    expect(page).toContain(join(cwd, '.data', 'credentials.json'));
    expect(page).not.toContain(credentialsIn(join(cwd, '.data')).secret);
  });

  it.each([
    ['in the folder of the service', { elsewhere: false }],
    ['anywhere, with DATA_DIR', { elsewhere: true }],
  ])('has documented first calls that work unchanged %s', async (_where, { elsewhere }) => {
    const place = elsewhere ? { cwd: folder(), settings: { DATA_DIR: join(cwd, '.data') } } : { cwd };
    const [commandLine, curl] = [...firstCall.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, command]) => command!);
    expect(curl).toContain('openssl');
    for (const command of [commandLine!, curl!]) {
      const answer = await json<{ meta: object }>(shell(command, place));
      expect(answer.meta).toMatchObject({ status: true, records: 2 });
    }
  });

  it('stores the database, which has the answers of learners, for the user alone', () => {
    const files = readdirSync(join(cwd, '.data')).filter((name) => name.startsWith('itembank.sqlite'));
    const modes = files.map((name) => (statSync(join(cwd, '.data', name)).mode & 0o777).toString(8));
    expect([files.length > 0, [...new Set(modes)]]).toEqual([true, ['600']]);
  });

  it('stores the credentials for the user alone and prints no secret', () => {
    const path = join(cwd, '.data', 'credentials.json');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    const credentials = credentialsIn(join(cwd, '.data'));
    expect(credentials).toMatchObject({
      key: expect.stringMatching(/^[A-Za-z0-9]{16}$/) as string,
      secret: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      organisation: 1,
      domain: 'localhost',
    });
    expect(service.stdout).not.toContain(credentials.secret);
  });

  it('creates one consumer that may write to organisation 1 and has the offline package', async () => {
    const consumers = await json<object[]>(commandHere(['consumer', 'list', '--json'], { cwd }));
    expect(consumers).toEqual([
      expect.objectContaining({
        key: credentialsIn(join(cwd, '.data')).key,
        organisation: 1,
        grants: [{ organisation: 1, access: 'write' }],
        domains: ['localhost', '127.0.0.1'],
        features: ['offlinepackage'],
      }),
    ]);
  });

  it('loads the demo bank: 20 items, two activities, tags of four types, all by the author demo', async () => {
    const all = (path: string, request: object) =>
      json<Record<string, unknown>[]>(commandHere(['call', path, JSON.stringify(request), '--all'], { cwd }));
    const items = await all('itembank/items', { include: { items: ['created_by'] } });
    expect(items).toHaveLength(20);
    expect(new Set(items.map((item) => item.created_by))).toEqual(new Set(['demo']));
    expect(await all('itembank/activities', {})).toHaveLength(2);
    const tags = await all('itembank/tagging/tags', {});
    expect(new Set(tags.map(({ type }) => type))).toEqual(new Set(['Subject', 'Grade', 'Difficulty', 'Standard']));
  });
});

describe('the page of a service that others can reach', () => {
  it('names no path and no command', async () => {
    const service = await ServiceProcess.listening({ settings: { HOST: '0.0.0.0', DATA_DIR: folder() } });
    try {
      const address = service.url.replace('0.0.0.0', '127.0.0.1');
      const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
      expect(page).toContain('signed with the key and the secret of a consumer');
      expect(page).not.toMatch(/credentials\.json|itembank --|\/tmp/);
    } finally {
      await service.end('SIGKILL');
    }
  });
});

describe('a start with OpenID Connect', () => {
  it('warns of a rule whose organisation does not exist', async () => {
    const rule = (organisation: number) => ({ domain: 'example.org', organisation, roles: ['viewer'] });
    const settings = {
      DATA_DIR: folder(),
      LOG_LEVEL: 'info',
      PUBLIC_URL: 'https://bank.example.org',
      OPENID_ISSUER: 'https://login.example.org',
      OPENID_CLIENT_ID: 'itembank',
      OPENID_CLIENT_SECRET: 'secret',
      OPENID_RULES: JSON.stringify([rule(1), rule(7)]),
    };
    const service = await ServiceProcess.listening({ settings });
    expect(await service.end('SIGINT')).toBe(0);
    expect(service.stdout.match(/OPENID_RULES: rule \d+ names an organisation that does not exist/g)).toEqual([
      'OPENID_RULES: rule 2 names an organisation that does not exist',
    ]);
  });
});

describe('a later start', () => {
  it('keeps existing data, adds nothing and prints the address again', async () => {
    const DATA_DIR = join(folder(), 'with blank');
    const settings = { DATA_DIR };
    const first = await ServiceProcess.listening({ settings });
    const item = { reference: 'mine', definition: { widgets: [{ reference: 'demo-math-fractions-line' }] } };
    await json(commandHere(['call', 'itembank/items', 'set', JSON.stringify({ items: [item] })], { settings }));
    expect(await first.end('SIGINT')).toBe(0);
    const before = credentialsIn(DATA_DIR);

    const second = await ServiceProcess.listening({ settings });
    const [command] = commandsIn(second.greeting);
    expect(second.greeting).toContain(`Itembank answers at ${second.url}\n`);
    expect(second.greeting).toContain(`Credentials are kept in ${join(DATA_DIR, 'credentials.json')}\n`);
    expect(command).toBe(`DATA_DIR='${DATA_DIR}' npm run -s itembank -- call itembank/items '{"limit":2}'`);
    const { data } = await json<{ data: { reference: string }[] }>(shell(command!));
    expect(data[0]!.reference).toBe('mine');
    expect(credentialsIn(DATA_DIR)).toMatchObject({ key: before.key, secret: before.secret });
    const revisions = await json<object[]>(
      commandHere(['history', 'items', 'demo-math-fractions', '--json'], { settings }),
    );
    expect(revisions).toHaveLength(1);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('completes a first start that was killed at any point', async () => {
    const DATA_DIR = folder();
    const settings = { DATA_DIR };
    // A start creates the credentials first and the demo bank last, a tenth of a second later.
    for (const wait of [0, 10, 30, 60]) {
      const killed = new ServiceProcess({ settings });
      await waitForFile(DATA_DIR, 'credentials.json');
      await new Promise((resolve) => setTimeout(resolve, wait));
      expect(await killed.end('SIGKILL')).toBe('SIGKILL');
    }
    const { key } = credentialsIn(DATA_DIR);
    const healed = await ServiceProcess.listening({ settings });
    try {
      const count = async (path: string) =>
        (await json<object[]>(commandHere(['call', path, '--all'], { settings }))).length;
      expect([await count('itembank/items'), await count('itembank/activities')]).toEqual([20, 2]);
      const consumers = await json<{ key: string }[]>(commandHere(['consumer', 'list', '--json'], { settings }));
      expect(consumers.map((consumer) => consumer.key)).toEqual([key]);
    } finally {
      await healed.end('SIGKILL');
    }
  });

  it('says how to create a consumer when there are no stored credentials', async () => {
    const DATA_DIR = folder();
    const settings = { DATA_DIR };
    for (const args of [['migrate'], ['organisation', 'create', '1', 'Own']])
      expect((await commandHere(args, { settings })).code).toBe(0);
    const service = await ServiceProcess.listening({ settings });
    await service.end('SIGINT');
    expect(commandsIn(service.greeting)).toEqual([
      `DATA_DIR=${DATA_DIR} npm run -s itembank -- consumer create --organisation 1`,
    ]);
    expect(existsSync(join(DATA_DIR, 'credentials.json'))).toBe(false);
  });
});

// The suites of migrations compare the tables of all servers, so one server is enough here.
for (const engine of aServer())
  describe(`the first start on ${engine}`, () => {
    let database: EmptyDatabase;
    beforeAll(async () => {
      database = await emptyDatabase(engine);
    });
    afterAll(() => database?.drop());

    it('creates no data by itself, and prints the commands that do', async () => {
      const cwd = folder();
      const settings = { DATABASE_URL: database.url, SECRETS_KEY: 'ab'.repeat(32) };
      const service = await ServiceProcess.listening({ settings, cwd });
      try {
        expect(existsSync(join(cwd, '.data'))).toBe(false);
        const [organisation, consumer, ...others] = commandsIn(service.greeting);
        expect(others).toEqual([]);
        expect(organisation).toMatch(/ organisation create 1 /);
        expect(consumer).toMatch(/ consumer create --organisation 1$/);
        expect((await shell(organisation!, { settings, cwd })).code).toBe(0);
        const { stdout } = await shell(consumer!, { settings, cwd });
        const [, key] = /key +(\w+)/.exec(stdout)!;
        const call = ['call', 'itembank/items', '--key', key!, '--url', service.url];
        const answer = await json<{ data: object[] }>(commandHere(call, { settings, cwd }));
        expect(answer.data).toEqual([]);
        const page = await (await fetch(service.url, { headers: { accept: 'text/html' } })).text();
        expect(page).not.toMatch(/credentials\.json|itembank --|\/tmp/);
      } finally {
        expect(await service.end('SIGINT')).toBe(0);
      }
    });
  });

describe('a start that fails', () => {
  /** Starts the service and returns its error message. */
  async function errorAtStart(settings: Settings): Promise<string> {
    const service = new ServiceProcess({ settings, cwd: folder() });
    expect(await service.ended).toBe(1);
    expect(service.stdout).toBe('');
    expect(service.stderr.trimEnd().split('\n')).toHaveLength(1);
    return service.stderr;
  }

  it('reports that the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    try {
      expect(await errorAtStart({ PORT: String(port) })).toMatch(
        new RegExp(`^itembank: Port ${port} .* in use .*PORT\\.$`, 'm'),
      );
      expect(await errorAtStart({ OPERATIONS_PORT: String(port) })).toMatch(
        new RegExp(`^itembank: Port ${port} of 127.0.0.1 is in use .*OPERATIONS_PORT\\.$`, 'm'),
      );
    } finally {
      other.close();
    }
  });

  it('reports that the data folder cannot be used', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(await errorAtStart({ DATA_DIR: join(file, 'data') })).toMatch(
      /^itembank: \S+data cannot be used .*DATA_DIR\.$/m,
    );
    expect(await errorAtStart({ DATA_DIR: '/proc/itembank/data' })).toMatch(
      /^itembank: \/proc\/itembank cannot be used .*DATA_DIR\.$/m,
    );
  });

  it('reports that there is no room on the disk', async () => {
    const errorWithoutRoom = async (settings: Settings) => {
      // Files cannot grow, as on a full disk.
      const start = 'ulimit -f 0 && npm run -s itembank -- migrate';
      const { code, stderr } = await bash(start, { settings: { DATA_DIR: folder(), ...settings } });
      expect(code).toBe(1);
      return stderr;
    };
    expect(await errorWithoutRoom({})).toMatch(
      /^itembank: A file cannot be written, because .* no room .*make some\.$/m,
    );
    expect(await errorWithoutRoom({ SECRETS_KEY: 'ab'.repeat(32) })).toMatch(
      /^itembank: The database file \S+itembank\.sqlite cannot grow; make room on its disk, .*DATABASE_URL\.$/m,
    );
  });

  it('reports that the database file is not a database', async () => {
    const DATA_DIR = folder();
    writeFileSync(join(DATA_DIR, 'itembank.sqlite'), 'This is a letter, and no database, '.repeat(100));
    expect(await errorAtStart({ DATA_DIR })).toMatch(/^itembank: \S+itembank\.sqlite is not an SQLite database/m);
    mkdirSync(join(DATA_DIR, 'folder'));
    expect(await errorAtStart({ DATA_DIR, DATABASE_URL: `file:${DATA_DIR}/folder` })).toMatch(
      /folder cannot be opened/,
    );
  });

  it('reports a wrong setting', async () => {
    expect(await errorAtStart({ PORT: 'eighty' })).toMatch(/^itembank: PORT is not valid/);
    expect(await errorAtStart({ HOST: '192.0.2.1' })).toMatch(
      /^itembank: HOST 192\.0\.2\.1 is not an address of this machine/,
    );
    expect(await errorAtStart({ DATABASE_URL: 'mysql://root@127.0.0.1:1/none' })).toMatch(
      /^itembank: SECRETS_KEY is required/,
    );
  });

  it('reports an unreachable database server, without the password', async () => {
    const message = await errorAtStart({
      DATABASE_URL: 'mysql://me:tellnobody@127.0.0.1:1/none',
      SECRETS_KEY: 'ab'.repeat(32),
      START_WAIT_SECONDS: '0',
    });
    expect(message).toMatch(/^itembank: The database server 127\.0\.0\.1:1 cannot be reached/);
    expect(message).not.toContain('tellnobody');
  });

  it('reports that SECRETS_KEY cannot open stored secrets, as verify and creating consumers do', async () => {
    const settings = { DATA_DIR: folder(), SECRETS_KEY: 'ab'.repeat(32) };
    const service = await ServiceProcess.listening({ settings });
    expect(await service.end('SIGINT')).toBe(0);
    const wrong = { ...settings, SECRETS_KEY: 'cd'.repeat(32) };
    const says = /^itembank: The stored secrets of consumer \w+ do not open; SECRETS_KEY must be the one/;
    expect(await errorAtStart(wrong)).toMatch(says);
    const verified = await commandHere(['verify'], { settings: wrong });
    expect([verified.code, verified.stderr]).toEqual([2, expect.stringContaining('SECRETS_KEY must be the one')]);
    const created = await commandHere(['consumer', 'create', '--organisation', '1'], { settings: wrong });
    expect([created.code, created.stderr]).toEqual([1, expect.stringContaining('SECRETS_KEY must be the one')]);
    expect((await commandHere(['verify'], { settings })).code).toBe(0);
  });

  it('reports a mistake in edited credentials', async () => {
    const DATA_DIR = folder();
    writeFileSync(join(DATA_DIR, 'credentials.json'), '{"key": "only"}');
    expect(await errorAtStart({ DATA_DIR })).toMatch(/credentials\.json does not hold credentials/);
  });
});

/** Resolves as soon as the file is written. */
function waitForFile(dir: string, file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dir, (_event, name) => {
      if (name !== file) return;
      watcher.close();
      resolve();
    });
  });
}
