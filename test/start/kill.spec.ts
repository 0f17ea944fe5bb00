import { SystemClock } from '#kernel';
import { Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { anEngine, emptyDatabase, type EmptyDatabase } from '../support/engines';
import { json, ServiceProcess, temporaryFolders } from '../support/processes';

/** The number of sets that the writers send, and of entries in each. */
const SETS = 1000;
const ENTRIES = 50;
const WRITERS = 4;
/** The service is killed after this many answers, while writers wait for others. */
const ANSWERED = 40;

const folder = temporaryFolders();

describe.each(anEngine(__filename))('kill -9 in the middle of 1,000 sets of 50 items on %s', (engine) => {
  let database: EmptyDatabase;
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    database = await emptyDatabase(engine);
  });
  afterAll(async () => {
    await service?.end('SIGKILL');
    await database?.drop();
  });

  it('leaves only complete sets, and every set that was answered', async () => {
    const place = {
      settings: { DATABASE_URL: database.url, DATA_DIR: folder(), SECRETS_KEY: 'cd'.repeat(32), LOG_LEVEL: 'info' },
    };
    for (const args of [['migrate'], ['organisation', 'create', '1', 'Killed']])
      expect((await commandHere(args, place)).code).toBe(0);
    const { key, secret } = await json<{ key: string; secret: string }>(
      commandHere(['consumer', 'create', '--organisation', '1', '--rate-limit', '*=1000000', '--json'], place),
    );
    service = await ServiceProcess.listening(place);
    const writer = new Client(service.url, key, secret, new SystemClock());
    const question = { type: 'mcq', reference: 'q', data: { type: 'mcq', stimulus: 'Which?', options: [] } };
    expect((await writer.set('itembank/questions', { questions: [question] })).meta.status).toBe(true);

    const begun: number[] = [];
    const answered: number[] = [];
    const write = async () => {
      while (begun.length < SETS) {
        const set = begun.length;
        begun.push(set);
        const answer = await writer.set('itembank/items', { items: itemsOf(set) });
        if (answer.meta.status) answered.push(set);
        if (answered.length === ANSWERED) void service!.end('SIGKILL');
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: WRITERS }, write));
    expect(outcomes.map(({ status }) => status)).toEqual(new Array(WRITERS).fill('rejected'));
    expect(await service.ended).toBe('SIGKILL');
    expect(answered.length).toBeGreaterThanOrEqual(ANSWERED);

    service = await ServiceProcess.listening(place);
    const reader = new Client(service.url, key, secret, new SystemClock());
    const complete: number[] = [];
    for (const set of begun) {
      const byTag = await reader.get('itembank/items', { tags: [{ type: 'set', name: String(set) }] });
      const byReference = await reader.get('itembank/items', {
        references: itemsOf(set).map(({ reference }) => reference),
      });
      const byWidget = await reader.get('itembank/questions', {
        item_references: itemsOf(set).map(({ reference }) => reference),
      });
      const found = [byTag.meta.records, byReference.meta.records, byWidget.meta.records];
      expect([set, found]).toEqual([set, new Array(3).fill(found[0] === 0 ? 0 : ENTRIES)]);
      if (found[0] === ENTRIES) complete.push(set);
    }
    expect(complete).toEqual(expect.arrayContaining(answered));
    // Clients can write interrupted sets again.
    const again = await reader.set('itembank/items', { items: itemsOf(begun.at(-1)!) });
    expect(again.meta).toMatchObject({ status: true });
  });
});

function itemsOf(set: number) {
  return Array.from({ length: ENTRIES }, (_, entry) => ({
    reference: `set-${set}-${entry}`,
    definition: { widgets: [{ reference: 'q' }] },
    tags: { set: [String(set)] },
  }));
}
