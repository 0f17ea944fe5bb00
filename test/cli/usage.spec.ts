import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import rows from '../spec/operations.json';
import { commandHere } from '../support/command-line';
import { itembank, json, type Place, ServiceProcess, shell, temporaryFolders } from '../support/processes';
import { freePort } from '../support/servers/free-port';
import { run } from '../support/servers/run';
import { parseLines } from '../support/ndjson';

const folder = temporaryFolders();
const root = resolve(__dirname, '../..');

describe('the command line', () => {
  it.each([
    [['consume'], /unknown command 'consume'\s+\(Did you mean consumer\?\)/],
    [['organisation', 'create', 'one', 'One'], /'one' is invalid.*whole number from 1 to 2147483647/],
    [['consumer', 'create'], /Say which organisation the consumer may use: --organisation 1/],
    [
      ['consumer', 'create', '--organisation', '1', '--domain', 'https://example.org'],
      /A domain is a host without scheme/,
    ],
    [
      ['consumer', 'create', '--organisation', '1', '--rate-limit', 'sett itembank/items=5'],
      /Write a limit as 'set itembank\/\*=100'/,
    ],
    [['consumer', 'rotate-secret', 'k', '--overlap', '1 day'], /Write a duration as 90s, 30m, 24h or 7d/],
    [['call'], /missing required argument 'path'/],
    [['call', 'itembank/items', '{limit:2}'], /The request is not valid JSON/],
    [['call', 'itembank/items', 'set', '{}', '--all'], /--all reads pages/],
    [['call', 'itembank/items'], /There are no credentials in \S+credentials\.json/],
    [['history', 'item', 'x'], /Allowed choices are items, questions, features, activities/],
    [['history', 'items', 'x', '--diff', '0', '1'], /Revisions are numbered/],
    [['operations', 'extra'], /too many arguments/],
    [['learner', 'erase', 'x'], /required option '--organisation <id>' not specified/],
    [['learner', 'export', '--organisation', '1'], /missing required argument 'user'/],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, stdout, stderr } = await commandHere(args, { settings: { DATA_DIR: folder() } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^itembank: /);
    expect(stderr).toMatch(message);
  });

  it.each([
    [['help', 'consume'], 'Usage: itembank [options] [command]', 'consume'],
    [['jobs', 'help', 'sow'], 'Usage: itembank jobs [options] [command]', 'sow'],
  ])('names the unknown command of %j after the list of known ones', async (args, usage, name) => {
    const { code, stdout, stderr } = await commandHere(args, { settings: { DATA_DIR: folder() } });
    expect([code, stdout, stderr.split('\n', 1)[0]]).toEqual([1, '', usage]);
    expect(stderr).toMatch(new RegExp(`\nitembank: unknown command '${name}'\n$`));
  });

  it.each([[['consume']], [['call', 'itembank/items', '{limit:2}']], [['jobs', '--help']], [['operations', '--json']]])(
    'prints the same in a process of its own as within the tests: %j',
    async (args) => {
      const settings = { DATA_DIR: folder() };
      expect(await itembank(args, { settings })).toEqual(await commandHere(args, { settings }));
    },
  );

  it('says in one line that its output cannot be written', async () => {
    const full = await shell('npm run -s itembank -- operations > /dev/full');
    expect(full).toEqual({ code: 1, stdout: '', stderr: 'itembank: The output cannot be written (ENOSPC).\n' });
  });

  it.each([
    ['--help', []],
    ['operations', []],
    ['call --help', ['@sinclair/typebox', 'ulid']],
  ])('loads only the libraries that `%s` needs', async (words, needed) => {
    const program = [
      'require("./test/support/ts.cjs");',
      'const { runCommand } = require("./apps/cli/src/program");',
      `runCommand(${JSON.stringify(words.split(' '))}).then(() => console.error(JSON.stringify(Object.keys(require.cache))));`,
    ].join('\n');
    const { stderr } = await run([process.execPath, '-e', program], { cwd: root });
    const loaded = (JSON.parse(stderr) as string[]).flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    const expected = new Set(['commander', ...needed]);
    // The compiler is loaded too when a source has changed.
    expect([...new Set(loaded)].filter((name) => !name.startsWith('@swc/')).sort()).toEqual([...expected].sort());
  });

  it('explains every command, with an example', async () => {
    const program = await itembank(['--help']);
    expect(program.code).toBe(0);
    const commands = [
      'migrate',
      'organisation',
      'consumer',
      'provision',
      'call',
      'operations',
      'history',
      'lint',
      'reindex',
      'jobs',
      'learner',
      'user',
    ];
    for (const name of commands) expect(program.stdout).toMatch(new RegExp(`^  ${name} .+[a-z]\\.$`, 'm'));
    const leaves = [
      ...['migrate', 'provision', 'call', 'operations', 'history', 'reindex'].map((name) => [name]),
      ...['create', 'list'].map((name) => ['organisation', name]),
      ...['create', 'list', 'disable', 'enable', 'rotate-secret'].map((name) => ['consumer', name]),
      ...['items', 'bank'].map((name) => ['lint', name]),
      ...['list', 'show', 'cancel', 'retry', 'watch'].map((name) => ['jobs', name]),
      ...['erase', 'export'].map((name) => ['learner', name]),
      ...['create', 'list', 'disable', 'enable', 'role', 'export', 'remove', 'link'].map((name) => ['user', name]),
    ];
    for (const leaf of leaves) {
      const { code, stdout } = await commandHere([...leaf, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}itembank /);
      expect(stdout).toContain(`\n  itembank ${leaf.join(' ')}`);
    }
  });

  it('lists the 47 operations of the specification and the additional ones, without a database', async () => {
    const DATA_DIR = join(folder(), 'none');
    const all = await json<{ path: string; action: string; when?: string; beyond?: true; summary: string }[]>(
      itembank(['operations', '--json'], { settings: { DATA_DIR } }),
    );
    const operations = all.filter(({ beyond }) => !beyond);
    const named = ({ path, action, when = '' }: { path: string; action: string; when?: string }) =>
      [path, action, when].join(' ');
    expect(operations.map(named).sort()).toEqual(rows.map(named).sort());
    expect(operations.map(named)).toHaveLength(47);
    for (const { summary } of all) expect(summary).toMatch(/\.$/);
    const { stdout } = await itembank(['operations']);
    expect(stdout).toMatch(/^itembank\/items +set +\S/m);
    expect(all.filter(({ beyond }) => beyond)).toContainEqual(
      expect.objectContaining({ path: 'itembank/history', action: 'get' }),
    );
    expect(stdout).toMatch(/^itembank\/history +get +yes +\S/m);
    expect(stdout).toMatch(/\n47 are of the specification, and \d+ are beyond it\.\n$/);
  });
});

describe('call', () => {
  let place: Required<Pick<Place, 'settings'>>;
  let service: ServiceProcess;
  beforeAll(async () => {
    place = { settings: { DATA_DIR: folder() } };
    service = await ServiceProcess.listening(place);
  });
  afterAll(() => service?.end('SIGKILL'));

  const call = (args: string[]) => commandHere(['call', ...args], place);

  it('prints the answer, with or without an action and a request', async () => {
    const one = { references: ['demo-math-primes'] };
    const expected = { meta: { status: true, records: 1 }, data: [{ reference: 'demo-math-primes' }] };
    const text = JSON.stringify(one);
    const answers = await Promise.all([
      call(['itembank/items', text]),
      call(['itembank/items', 'get', text]),
      call(['/v2023.1.LTS/itembank/items/', 'get', text]),
      itembank(['call', 'itembank/items', '-'], { ...place, input: `${text}\n` }),
      itembank(['call', 'itembank/items', 'get', '-'], { ...place, input: text }),
    ]);
    for (const { code, stdout } of answers) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject(expected);
    }
    const [plain, list] = await Promise.all([call(['itembank/tagging/tags']), call(['itembank/tagging/tags', '[]'])]);
    expect(JSON.parse(list.stdout).data).toEqual(JSON.parse(plain.stdout).data);
    expect(JSON.parse(plain.stdout).meta).toMatchObject({ status: true, records: 21 });
  });

  it('prints an error answer on standard error and exits with 1', async () => {
    const { code, stdout, stderr } = await itembank(['call', 'itembank/items', '{"status":["lost"]}'], place);
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      meta: { status: false, code: 20004, message: expect.stringMatching(/status/) },
    });
  });

  it('follows the pages of lists and of keyed answers', async () => {
    const items = JSON.parse((await call(['itembank/items', '{"limit":7}', '--all'])).stdout) as {
      reference: string;
    }[];
    expect(items).toHaveLength(20);
    expect(new Set(items.map(({ reference }) => reference)).size).toBe(20);
    const request = { limit: 1, item_references: ['demo-math-fractions', 'demo-science-air'] };
    const { stdout } = await call(['itembank/questions', 'get', JSON.stringify(request), '--all']);
    const keyed = JSON.parse(stdout) as Record<string, { reference: string }[]>;
    expect(
      Object.fromEntries(
        Object.entries(keyed).map(([key, list]) => [key, list.map(({ reference }) => reference).sort()]),
      ),
    ).toEqual({
      'demo-math-fractions': ['demo-math-fractions-line', 'demo-math-fractions-shade'],
      'demo-science-air': ['demo-science-air-boiling', 'demo-science-air-gas'],
    });
  });

  it('makes a call for each line, up to the first refusal', async () => {
    const lines = (input: string) => itembank(['call', 'itembank/tagging/tags', 'set', '--lines'], { ...place, input });
    const tag = (name: string) => JSON.stringify({ tags: [{ type: 'By line', name }] });
    const { code, stdout, stderr } = await lines(
      [tag('first'), '', tag('second'), '{"tags":[{"type":7,"name":"x"}]}', tag('never')].join('\n'),
    );
    const statuses = parseLines<{ meta: { status: boolean } }>(stdout).map(({ meta }) => meta.status);
    expect([code, statuses]).toEqual([1, [true, true]]);
    expect(stderr).toMatch(/^itembank: line 4 was refused\n/);
    expect(JSON.parse(stderr.slice(stderr.indexOf('{'))).meta.message).toMatch(/tags\[0\]\.type/);
    const stored = await call(['itembank/tagging/tags', '{"types":["By line"],"sort_field":"sort_key"}', '--all']);
    expect(
      JSON.parse(stored.stdout)
        .map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(['first', 'second']);
    expect(await lines('{"tags":')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Line 1 is not valid JSON/),
    });
    for (const further of [['{}'], ['--all']])
      expect(await call(['itembank/items', 'get', ...further, '--lines'])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/--lines reads the requests from standard input/),
      });
  });

  it("waits when it reaches the consumer's rate limit between pages", async () => {
    const made = await json<{ key: string }>(
      commandHere(
        ['consumer', 'create', '--organisation', '1', '--rate-limit', 'get itembank/items=2', '--json'],
        place,
      ),
    );
    const { stdout } = await call(['itembank/items', '{"limit":7}', '--all', '--key', made.key]);
    expect(JSON.parse(stdout)).toHaveLength(20);
  });

  it('signs with a named consumer, on a domain that it may use', async () => {
    const { key } = await json<{ key: string }>(
      commandHere(
        ['consumer', 'create', '--organisation', '1', '--grant', '1:read', '--domain', '*.example.org', '--json'],
        place,
      ),
    );
    const read = await call(['itembank/items', '{"references":[]}', '--key', key]);
    expect(JSON.parse(read.stdout)).toMatchObject({ meta: { status: true }, data: [] });
    const written = await call(['itembank/items', 'set', '{"items":[]}', '--key', key]);
    expect(JSON.parse(written.stderr).meta.code).toBe(40003);
    const elsewhere = await call(['itembank/items', '--key', key, '--domain', 'example.com']);
    expect(JSON.parse(elsewhere.stderr).meta.code).toBe(41005);
  });

  it('signs with the consumer of the environment, if there is one', async () => {
    const { key, secret } = await json<{ key: string; secret: string }>(
      commandHere(['consumer', 'create', '--organisation', '1', '--json'], place),
    );
    const settings = {
      DATA_DIR: folder(),
      ITEMBANK_KEY: key,
      ITEMBANK_SECRET: secret,
      PORT: new URL(service.url).port,
    };
    const read = ['call', 'itembank/items', '{"limit":1}'];
    expect(JSON.parse((await commandHere(read, { settings })).stdout).meta.records).toBe(1);
    const wrong = await commandHere(read, { settings: { ...settings, ITEMBANK_SECRET: '0'.repeat(40) } });
    expect(JSON.parse(wrong.stderr).meta.code).toBe(41003);
    const half = await commandHere(read, { settings: { ...settings, ITEMBANK_SECRET: '' } });
    expect([half.code, half.stderr]).toEqual([1, expect.stringMatching(/Set both ITEMBANK_KEY and ITEMBANK_SECRET/)]);
  });

  it('reports that no service answers, or that another program answers', async () => {
    const other: Server = createServer((_request, response) => response.end('<html>Hello</html>'));
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${port}`;
    const elsewhere = await call(['itembank/items', '--url', url]);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringMatching(/is not answered by this service \(HTTP 200\): <html>/),
    ]);
    await new Promise((resolve) => other.close(resolve));
    const nobody = await call(['itembank/items', '--url', url]);
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      expect.stringMatching(/^itembank: No service answers at http\S+ \(ECONNREFUSED\)/),
    ]);
  });

  it('reports a mistake in edited credentials', async () => {
    const DATA_DIR = folder();
    writeFileSync(join(DATA_DIR, 'credentials.json'), 'key and secret');
    const { code, stderr } = await commandHere(['call', 'itembank/items'], { settings: { DATA_DIR } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/credentials\.json does not hold credentials/)]);
  });
});
