import { buffer } from 'node:stream/consumers';
import { type JsonObject } from '#kernel';
import { write, fillPool } from '../support/bank';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { Importer } from '../support/imports';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { HOUR, SECOND } from '../support/time';
import { sha256, unzip } from '../support/unzip';
import { until } from '../support/until';
import { parseLines } from '../support/ndjson';

interface ReadExport {
  reference: string;
  status: string;
  file: { address: string; bytes: number; sha256: string } | null;
  notes: JsonObject[];
  [member: string]: unknown;
}

describe.each(anEngine(__filename))('exports on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  beforeAll(async () => {
    await write(client, {
      questions: [question('q-1', 'One'), question('q-2', 'Two'), question('q-loose', 'Loose')],
      features: [{ reference: 'passage', type: 'sharedpassage', data: { type: 'sharedpassage', content: 'Read' } }],
      items: [
        item('i-1', ['q-1', 'passage'], { Subject: ['Maths'], Level: ['1'] }),
        item('i-2', ['q-2'], { Subject: ['Maths'] }),
        item('i-3', ['q-1'], { Subject: ['Art'] }),
      ],
      activities: [activity('a-1', ['i-1', 'i-2'], { Subject: ['Maths'] }), activity('a-2', ['i-3'])],
    });
  });
  beforeEach(() => service.clock.advance(10 * SECOND));

  const question = (reference: string, stimulus: string) => ({
    reference,
    type: 'shorttext',
    data: { type: 'shorttext', stimulus, validation: { valid_response: { score: 1, value: 'x' } } },
  });
  const item = (reference: string, widgets: string[], tags: object = {}) => ({
    reference,
    status: 'published',
    definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
    tags,
  });
  const activity = (reference: string, items: string[], tags: object = {}) => ({
    reference,
    status: 'published',
    data: { items },
    tags,
  });

  async function start(request: object, as = client): Promise<string> {
    const answer = await as.set('itembank/exports', request);
    expectSuccess(answer);
    return answer.data.job_reference;
  }
  async function ended(reference: string): Promise<ReadExport> {
    // By then, all writes before the request are visible.
    service.clock.advance(2 * SECOND);
    return until(async () => {
      const { data } = await client.get('itembank/exports', { references: [reference] });
      const [found] = data as ReadExport[];
      return found && ['completed', 'halted'].includes(found.status) ? found : undefined;
    });
  }
  async function exported(request: object, as = client) {
    const found = await ended(await start(request, as));
    expect(found).toMatchObject({ status: 'completed', error: null });
    const zip = Buffer.from(await (await fetch(found.file!.address)).arrayBuffer());
    expect([zip.length, sha256(zip)]).toEqual([found.file!.bytes, found.file!.sha256]);
    return { found, files: await unzip(zip), zip };
  }
  const names = async (request: object, as = client) => {
    const { files } = await exported(request, as);
    return parseLines(files.get('bank.ndjson')!).map(
      ({ kind, reference }) => `${kind as string} ${reference as string}`,
    );
  };

  it('hold the whole bank unless the request names records', async () => {
    const requestedAt = service.clock.now();
    const { found, files } = await exported({});
    expect(found).toEqual({
      reference: expect.any(String),
      status: 'completed',
      dt_created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      dt_completed: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      file: {
        address: expect.any(String),
        expires_at: expect.any(String),
        content_type: 'application/zip',
        bytes: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      format: 'ndjson',
      as_of: new Date(requestedAt).toISOString(),
      num_files: 1,
      num_notes: 0,
      notes: [],
      error: null,
    });
    // The progress counts the records, since a single file may hold the whole bank.
    const { data } = await client.get('jobs', { references: [found.reference] });
    expect(data).toMatchObject([{ progress: { done: 6, total: 6 } }]);
    const lines = parseLines(files.get('bank.ndjson')!);
    const tags = lines.filter(({ kind }) => kind === 'tag');
    expect(tags.map(({ reference }) => reference as string).sort()).toEqual([
      'Level: 1',
      'Subject: Art',
      'Subject: Maths',
    ]);
    const content = lines.slice(tags.length);
    expect(content.map(({ reference }) => reference)).toEqual(['i-1', 'i-2', 'i-3', 'q-loose', 'a-1', 'a-2']);
    expect(content[0]).toMatchObject({
      kind: 'item',
      status: 'published',
      widgets: [{ reference: 'q-1', data: { stimulus: 'One' } }, { reference: 'passage' }],
      features: ['passage'],
    });
  });

  it.each<[string, object, string[]]>([
    ['items', { references: ['i-2', 'nowhere'] }, ['item i-2']],
    ['activities', { activity_references: ['a-2'] }, ['activity a-2']],
    ['items and activities', { references: ['i-3'], activity_references: ['a-1'] }, ['item i-3', 'activity a-1']],
    ['no items', { references: [] }, []],
    [
      'all records with a tag',
      { tags: [{ type: 'subject', name: 'maths' }] },
      ['item i-1', 'item i-2', 'activity a-1'],
    ],
    [
      'all records with several tags',
      {
        tags: [
          { type: 'Subject', name: 'Maths' },
          { type: 'Level', name: '1' },
        ],
      },
      ['item i-1'],
    ],
    [
      'all records with one of several tags',
      {
        advanced_tags: {
          either: [
            { type: 'Subject', name: 'Art' },
            { type: 'Level', name: '1' },
          ],
        },
      },
      ['item i-1', 'item i-3'],
    ],
    [
      'named items with a tag',
      { references: ['i-1', 'i-3'], tags: [{ type: 'Subject', name: 'Maths' }] },
      ['item i-1'],
    ],
  ])('hold %s', async (_, request, expected) => {
    expect(await names(request)).toEqual(expected);
  });

  it('say which named records do not exist', async () => {
    const { found } = await exported({
      references: ['nowhere', 'i-2', 'I-2', 'i-3', 'nowhere'],
      activity_references: ['a-9', 'a-2'],
      tags: [{ type: 'Subject', name: 'Maths' }],
    });
    expect(found['num_notes']).toBe(3);
    expect(found.notes.map(({ reference, code, message }) => [reference, code, message])).toEqual([
      ['nowhere', 'record-missing', 'There is no such record: item nowhere.'],
      ['I-2', 'record-missing', 'There is no such record: item I-2.'],
      ['a-9', 'record-missing', 'There is no such record: activity a-9.'],
    ]);
  });

  it('hold the bank as it was at a moment', async () => {
    await write(client, { questions: [question('q-then', 'Then')], items: [item('i-then', ['q-then'])] });
    service.clock.advance(5 * SECOND);
    const moment = new Date(service.clock.now()).toISOString();
    service.clock.advance(5 * SECOND);
    await write(client, { questions: [question('q-then', 'Now')] });
    const stimulus = async (request: object) => {
      const { files } = await exported({ references: ['i-then'], ...request });
      const [line] = parseLines<{ widgets: { data: JsonObject }[] }>(files.get('bank.ndjson')!);
      return line!.widgets[0]!.data.stimulus;
    };
    expect([await stimulus({ as_of: moment }), await stimulus({})]).toEqual(['Then', 'Now']);
    expectFailure(
      await client.set('itembank/exports', { as_of: new Date(service.clock.now()).toISOString() }),
      400,
      20004,
      /as_of must be at least 2 seconds ago/,
    );
  });

  it('hold a pool as it was filled', async () => {
    await write(client, { questions: [question('q-pool', 'Pooled')], items: [item('i-pool', ['q-pool'])] });
    await fillPool(service, 'pool', ['i-pool']);
    await write(client, { questions: [question('q-pool', 'Edited')] });
    const { found, files } = await exported({ item_pool_id: 'pool' });
    expect(found).not.toHaveProperty('as_of');
    const { data: jobs } = await client.get('jobs', { references: [found.reference] });
    expect(jobs).toMatchObject([{ type: 'export-bank', subject: 'pool' }]);
    const lines = parseLines<{ reference: string; widgets: { data: JsonObject }[] }>(files.get('bank.ndjson')!);
    expect(lines.map(({ reference, widgets }) => [reference, widgets[0]!.data.stimulus])).toEqual([
      ['i-pool', 'Pooled'],
    ]);
    expectFailure(await client.set('itembank/exports', { item_pool_id: 'none' }), 400, 30001);
  });

  it('can be imported again, and then change nothing', async () => {
    const { zip } = await exported({});
    const planned = await new Importer(service).planned('bank.zip', zip);
    expect(planned.totals).toMatchObject({ created: 0, replaced: 0, refused: 0 });
  });

  it('are written in other formats, with notes of what these cannot hold', async () => {
    const { found, files } = await exported({ format: 'csv', references: ['i-1', 'i-2'] });
    expect([...files.keys()]).toEqual(['bank.csv']);
    expect(found).toMatchObject({ format: 'csv', num_notes: 1, notes: [{ reference: 'i-1', severity: 'lost' }] });
    expectFailure(await client.set('itembank/exports', { format: 'gift' }), 400, 20004, /must be one of/);
  });

  it('belong to one organisation, and are for its own consumers and its writers', async () => {
    const reference = await start({});
    const stranger = await service.consumerOf([2, 'write']);
    expect((await stranger.get('itembank/exports', { references: [reference] })).data).toEqual([]);
    const reader = await service.consumerOf([2, 'write'], [1, 'read']);
    expectFailure(await reader.set('itembank/exports', { organisation_id: 1 }), 403, 40003);
    const own = await service.consumerOf([1, 'read']);
    expect(await names({ references: ['i-2'] }, own)).toEqual(['item i-2']);
    await ended(reference);
  });

  it('hold also the writes of a process whose clock is ahead', async () => {
    service.clock.advance(HOUR);
    await write(client, { questions: [question('q-ahead', 'Ahead')], items: [item('i-ahead', ['q-ahead'])] });
    service.clock.advance(-HOUR);
    const { found, files } = await exported({ references: ['i-ahead'] });
    expect(found.notes).toEqual([]);
    expect(parseLines(files.get('bank.ndjson')!)).toMatchObject([{ reference: 'i-ahead' }]);
  });

  it('show no other jobs', async () => {
    const importer = new Importer(service);
    const job = await importer.start('a.gift', 'Sound?{T}');
    await importer.settled(job);
    expect((await client.get('itembank/exports', { references: [job] })).data).toEqual([]);
    expect(await buffer((await fetch((await importer.read(job)).plan_file.address)).body!)).not.toHaveLength(0);
  });
});
