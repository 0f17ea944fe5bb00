import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDatabase, type EmptyDatabase, type Engine, engines } from '../support/engines';
import { itembank, json, type Place, ServiceProcess, temporaryFolders } from '../support/processes';
import { expectPromised, perform, stepsOf } from './page';

const folder = temporaryFolders();
const steps = stepsOf(readFileSync(join(__dirname, '../../docs/authoring.md'), 'utf8'));

it('docs/authoring.md shows its commands in order', () => {
  const expectedCommands = [
    'itembank/workflows set',
    'itembank/items set',
    'itembank/items/duplicate set',
    'itembank/upload/assets',
    'curl -s -T',
    'curl -s "http:.public"',
    'itembank/history/restore set',
  ];
  expect(steps.map(({ command }) => command).join('')).toMatch(new RegExp(expectedCommands.join('[^]*')));
});

describe.each(engines)('docs/authoring.md on %s', (engine) => {
  let database: EmptyDatabase | undefined;
  let service: ServiceProcess | undefined;
  let reader: Place;
  beforeAll(async () => {
    ({ service, reader, database } = engine === 'sqlite' ? await quickStart() : await installation(engine));
  });
  afterAll(async () => {
    await service?.end('SIGKILL');
    await database?.drop();
  });

  it('answers every command as the page shows', async () => {
    const outcomes = await perform(steps, reader);
    for (const [index, outcome] of outcomes.entries()) expectPromised(steps[index]!, outcome);
    expect(outcomes).toHaveLength(steps.length);
  }, 660_000);
});

interface Running {
  service: ServiceProcess;
  /** The folder and the settings of the reader. */
  reader: Place;
  database?: EmptyDatabase;
}

/** The installation that `npm start` creates. */
async function quickStart(): Promise<Running> {
  const cwd = folder();
  return { service: await ServiceProcess.listening({ cwd }), reader: { cwd } };
}

/** The installation that an operator creates on a database server. */
async function installation(engine: Engine): Promise<Running> {
  const database = await emptyDatabase(engine);
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder(), SECRETS_KEY: 'ef'.repeat(32) };
  for (const args of [['migrate'], ['organisation', 'create', '1', 'Readers']])
    expect((await itembank(args, { settings })).code).toBe(0);
  const made = itembank(['consumer', 'create', '--organisation', '1', '--json'], { settings });
  const { key, secret } = await json<{ key: string; secret: string }>(made);
  const service = await ServiceProcess.listening({ settings });
  const { hostname: HOST, port: PORT } = new URL(service.url);
  return {
    database,
    service,
    reader: { cwd: folder(), settings: { ...settings, HOST, PORT, ITEMBANK_KEY: key, ITEMBANK_SECRET: secret } },
  };
}
