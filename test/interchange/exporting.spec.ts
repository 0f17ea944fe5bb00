import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Assets } from '#content';
import { Fault } from '#kernel';
import { write } from '../support/bank';
import { type Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { itemLine } from '../support/imports';
import { type Settings } from '../support/processes';
import { serviceOfSuite, startService, type TestService } from '../support/service';
import { HOUR } from '../support/time';
import { until } from '../support/until';
import { unzip } from '../support/unzip';
import { parseLines } from '../support/ndjson';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** The formats that keep whole items. */
const WHOLE = ['ndjson', 'qti', 'qti-2.2'];
const FORMATS = [...WHOLE, 'moodle-xml'];

describe.each(anEngine(__filename))('an export from the command line on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let settings: Settings;
  let folder: string;
  beforeAll(async () => {
    settings = { ...service.settings, PORT: new URL(service.url).port };
    folder = mkdtempSync(join(tmpdir(), 'itembank-export-'));
    await fill(service);
    await fillWithDemo(service, settings);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await commandHere(args, { settings });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const zipped = async (name: string) => unzip(readFileSync(join(folder, name)));

  it.each(FORMATS)('writes the demo bank as %s, and an empty bank gets back all that has no note', async (format) => {
    const [from, to] = [DEMO_ORGANISATION, DEMO_ORGANISATION + 1 + FORMATS.indexOf(format)];
    await addOrganisation(settings, to);
    const path = join(folder, `demo-${format}`);
    const exported = JSON.parse(
      await run('export', path, '--format', format, '--organisation', `${from}`, '--json'),
    ) as { notes: ReportNote[] };
    const report = JSON.parse(await run('import', path, '--organisation', `${to}`, '--apply', '--json')) as {
      entries: { reference: string; result: string; notes: ReportNote[] }[];
    };
    expect(report.entries.filter(({ result }) => result !== 'created')).toEqual([]);

    const created = new Set(report.entries.map(({ reference }) => reference));
    const leftOut = new Set(
      exported.notes.filter(({ code }) => code === 'entry-unsupported').map(({ reference }) => reference),
    );
    const missing = DEMO.items
      .map(({ reference }) => reference)
      .filter((reference) => !created.has(reference) && !created.has(`${reference}_1`) && !leftOut.has(reference));
    expect(missing).toEqual([]);
    if (!WHOLE.includes(format)) return;
    const [before, after] = await Promise.all(
      [from, to].map(async (organisation) => {
        const again = join(folder, `demo-${format}-${organisation}`);
        await run('export', again, '--organisation', `${organisation}`);
        return parseLines(readFileSync(join(again, 'bank.ndjson')))
          .filter(({ kind }) => kind !== 'tag')
          .sort(byName);
      }),
    );
    expect(after).toEqual(before);
  });

  it('writes the whole bank, and an import of that into another bank exports the same', async () => {
    await run('export', join(folder, 'first.zip'));
    const report = JSON.parse(
      await run('import', join(folder, 'first.zip'), '--organisation', '2', '--apply', '--json'),
    ) as { entries: { notes: unknown[] }[]; created: number; refused: number };
    expect([report.created, report.refused, report.entries.flatMap(({ notes }) => notes)]).toEqual([12, 0, []]);
    // The command sent no messages for its jobs. The service takes jobs without a message after a minute.
    service.clock.advance(Date.now() + 120_000 - service.clock.now());
    await poolsAreFilled(await service.consumerOf([2, 'write']));
    await run('export', join(folder, 'second.zip'), '--organisation', '2');

    const [first, second] = [await zipped('first.zip'), await zipped('second.zip')];
    expect([...second.keys()]).toEqual([...first.keys()]);
    const [lines, linesAgain] = [first, second].map((files) => parseLines(files.get('bank.ndjson')!));
    expect(linesAgain).toEqual(lines);
    expect(lines!.map(({ kind, reference }) => `${kind as string} ${reference as string}`)).toEqual([
      'tag Level: 1',
      'tag Subject: Maths',
      'tag Subject: Unused',
      'hierarchy Curriculum',
      'workflow Review',
      'item plain',
      'item rich',
      'feature loose-feature',
      'question loose',
      'activity test',
      'pool autumn',
      'pool empty',
    ]);
    expect(lines!.find(({ reference }) => reference === 'rich')).toMatchObject({
      title: 'Ünïcode "title"',
      note: 'A note',
      status: 'published',
      definition: { template: 'dynamic', regions: [{ type: 'column', widgets: [{ reference: 'passage' }] }, {}] },
      features: ['passage'],
      tags: [
        { type: 'Subject', name: 'Maths' },
        { type: 'Level', name: '1' },
      ],
    });
    expect(lines!.find(({ reference }) => reference === 'test')).toMatchObject({
      data: { sections: [{ items: [{ reference: 'rich' }] }, { items: ['plain'] }] },
    });
  });

  it('writes the status and the content that a pool gets by the fill for which it waits', async () => {
    await addOrganisation(settings, 40);
    const pool = {
      kind: 'pool',
      reference: 'waiting',
      name: 'Waiting',
      status: 'unpublished',
      items: ['waiting-1'],
      activities: [],
    };
    const path = join(folder, 'waiting.ndjson');
    const held = itemLine('waiting-1', undefined, { status: 'published' });
    writeFileSync(path, `${JSON.stringify(held)}\n${JSON.stringify(pool)}\n`);
    // The command sends no message for the fill, so it waits for a minute.
    await run('import', path, '--organisation', '40', '--apply');
    const consumer = await service.consumerOf([40, 'write']);
    expect((await consumer.get('itembank/pools')).data).toMatchObject([{ reference: 'waiting', status: 'pending' }]);
    await run('export', join(folder, 'waiting'), '--organisation', '40');
    expect(parseLines(readFileSync(join(folder, 'waiting', 'bank.ndjson'))).at(-1)).toEqual({
      ...pool,
      description: null,
    });
  });

  it('writes tags, hierarchies, workflows, the states of items, and pools', async () => {
    await run('export', join(folder, 'setup'));
    const lines = parseLines(readFileSync(join(folder, 'setup', 'bank.ndjson')));
    const line = (kind: string, reference: string) =>
      lines.find((each) => each.kind === kind && each.reference === reference);
    expect(line('tag', 'Subject: Unused')).toMatchObject({ description: 'For later', sort_key: 7 });
    expect(line('hierarchy', 'Curriculum')).toMatchObject({
      tag_types: [
        { name: 'Subject', description: 'The root' },
        { name: 'Level', description: null },
      ],
    });
    expect(line('workflow', 'Review')).toMatchObject(REVIEW);
    expect(line('item', 'rich')).toMatchObject({ authoring_workflow: { reference: 'Review', state: 'draft' } });
    const plain = { status: 'unpublished', authoring_workflow: { reference: 'Review', state: 'done' } };
    expect(line('item', 'plain')).toMatchObject(plain);
    expect(line('pool', 'autumn')).toEqual({
      kind: 'pool',
      reference: 'autumn',
      name: 'Autumn',
      description: 'Of maths',
      status: 'published',
      items: ['rich'],
      activities: [],
    });
  });

  it('names what only an export as NDJSON has of a whole bank', async () => {
    const notesOf = async (name: string, ...args: string[]) => {
      const { notes } = JSON.parse(await run('export', join(folder, name), ...args, '--json')) as {
        notes: ReportNote[];
      };
      const setup = /^(hierarchy|workflow|pool|description and order of a tag), \d+ in all$/;
      return notes
        .filter(({ was }) => setup.test(was))
        .map(({ reference, code, was }) => `${reference}: ${code} ${was}`);
    };
    expect(await notesOf('lossy', '--format', 'qti')).toEqual([
      'Subject: Unused: unknown-dropped description and order of a tag, 1 in all',
      'Curriculum: unknown-dropped hierarchy, 1 in all',
      'Review: unknown-dropped workflow, 1 in all',
      'autumn: unknown-dropped pool, 2 in all',
    ]);
    expect(await notesOf('lossless')).toEqual([]);
    expect(await notesOf('chosen', '--format', 'qti', '--item', 'plain')).toEqual([]);
  });

  it('writes the files that texts use, and leaves addresses of other servers alone', async () => {
    await run('export', join(folder, 'files.zip'));
    const files = await zipped('files.zip');
    const names = [...files.keys()].filter((path) => path.startsWith('assets/'));
    expect(names).toEqual([expect.stringMatching(/^assets\/[0-9a-f]{16}\/map-e-[0-9a-f]{8}\.png$/)]);
    expect(files.get(names[0]!)).toEqual(PNG);
    const text = files.get('bank.ndjson')!.toString();
    expect(text).toContain(`itembank-asset:${names[0]!.slice('assets/'.length)}`);
    expect(text).toContain('https://example.org/other.png');
  });

  it('reads a file again when the store of files fails within it', async () => {
    const read = Assets.prototype.read;
    let failed = 0;
    const reading = jest.spyOn(Assets.prototype, 'read').mockImplementation(async function (this: Assets, ...which) {
      const content = (await read.apply(this, which))!;
      if (failed === 2) return content;
      failed++;
      content.destroy();
      return Readable.from(cutOff());
    });
    await run('export', join(folder, 'cut-off.zip')).finally(() => reading.mockRestore());
    const files = await zipped('cut-off.zip');
    expect([...files].filter(([path]) => path.startsWith('assets/')).map(([, content]) => content)).toEqual([PNG]);
    expect(failed).toBe(2);
  });

  it('fails when a file disappears while it is exported, and writes no empty file in its place', async () => {
    const read = Assets.prototype.read;
    let reads = 0;
    const reading = jest.spyOn(Assets.prototype, 'read').mockImplementation(async function (this: Assets, ...which) {
      return reads++ === 0 ? read.apply(this, which) : undefined;
    });
    const { code, stderr } = await commandHere(['export', join(folder, 'gone.zip')], { settings }).finally(() =>
      reading.mockRestore(),
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'itembank: The file "Karten/map é.png" was removed during the export. Run the export again.\n',
    });
    expect(existsSync(join(folder, 'gone.zip'))).toBe(false);
  });

  it('writes only the named items', async () => {
    await run('export', join(folder, 'some'), '--item', 'plain');
    const lines = parseLines(readFileSync(join(folder, 'some', 'bank.ndjson')));
    expect(lines.map(({ kind, reference }) => [kind, reference])).toEqual([['item', 'plain']]);
  });

  it.each([
    ['--item', 'item'],
    ['--activity', 'activity'],
  ])('writes nothing when the bank does not have what %s names', async (option, kind) => {
    const path = join(folder, `none-${kind}`);
    const { code, stdout, stderr } = await commandHere(['export', path, '--item', 'plain', option, 'nobody'], {
      settings,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `itembank: Organisation 1 has no ${kind} nobody.\n`,
    });
    expect(existsSync(path)).toBe(false);
  });

  it('writes a sheet, and names the items that it cannot hold', async () => {
    const printed = await run('export', join(folder, 'sheet'), '--format', 'csv');
    expect(printed).toContain('rich: This type is not supported: an item of shorttext, shorttext, sharedpassage.');
    const [header, row] = readFileSync(join(folder, 'sheet', 'bank.csv'), 'utf8').split('\n');
    // Without a byte order mark, Excel would read another encoding than UTF-8.
    expect(header).toMatch(/^\uFEFFreference,title,/);
    expect(row).toMatch(/^plain,,unpublished,text,/);
  });

  it.each(['qti', 'qti-2.2'])('writes a package of %s, and an import of it changes nothing', async (format) => {
    const path = join(folder, `${format}.zip`);
    const options = ['--organisation', '2', '--json'];
    const report = JSON.parse(await run('export', path, '--format', format, ...options)) as {
      notes: { reference: string; code: string }[];
    };
    expect(report.notes.map(({ reference, code }) => `${reference} ${code}`)).toEqual(
      expect.arrayContaining(['rich layout-approximated', 'rich member-kept-aside', 'loose-feature feature-dropped']),
    );
    const names = [...(await zipped(`${format}.zip`)).keys()];
    expect(names).toEqual(
      expect.arrayContaining(['imsmanifest.xml', 'items/plain.xml', 'items/rich.xml', 'tests/test.xml']),
    );
    expect(names.filter((name) => name.startsWith('media/'))).toHaveLength(1);

    const again = JSON.parse(await run('import', path, ...options)) as Record<string, unknown>;
    expect(again).toMatchObject({ created: 0, replaced: 0, refused: 0, skipped: 5 });
  });

  it('writes Moodle XML, and names the items that Moodle cannot hold', async () => {
    const printed = await run('export', join(folder, 'moodle'), '--format', 'moodle-xml');
    expect(printed).toContain('rich: The text was divided between several questions: 2 questions in one item.');
    expect(printed).toContain('test: This type is not supported: activity.');
    const xml = readFileSync(join(folder, 'moodle', 'moodle.xml'), 'utf8');
    expect(xml).toContain('<idnumber>plain</idnumber>');
    expect(xml).toContain(PNG.toString('base64'));
  });

  it('overwrites no folder and no file, and reports the conflict', async () => {
    const { code, stdout, stderr } = await commandHere(['export', folder, '--json'], { settings });
    const message = expect.stringContaining('exists already') as string;
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'failed', message } });
    expect(code).toBe(1);
    expect(stderr).toContain('exists already');
    expect(existsSync(join(folder, 'bank.ndjson'))).toBe(false);
  });

  it.each(['missing/bank', 'missing/bank.zip', 'file/bank', 'file/bank.zip'])(
    'names the place %s that cannot be written, and no setting',
    async (place) => {
      writeFileSync(join(folder, 'file'), '');
      const { code, stderr } = await commandHere(['export', join(folder, place)], { settings });
      expect(code).toBe(1);
      expect(stderr).toContain(`${join(folder, place)}.part cannot be used (`);
      expect(stderr).not.toContain('DATA_DIR');
    },
  );

  it.each(['unread', 'unread.zip'])(
    'leaves nothing at %s when it fails half-way, so it can be repeated',
    async (name) => {
      const command = ['export', join(folder, name), '--format', 'qti'];
      const change = (from: string, to: string) =>
        service.database.write(
          `UPDATE document SET body = REPLACE(body, ?, ?) WHERE organisation_id = 1 AND body LIKE '%Not in any item%'`,
          [from, to],
        );
      expect(await change('{"', '{!"')).toBe(1);
      const { code, stdout } = await commandHere([...command, '--json'], { settings });
      expect(code).toBe(1);
      // The notes that were printed before the failure stay readable.
      expect(JSON.parse(stdout)).toMatchObject({
        notes: expect.arrayContaining([expect.objectContaining({ reference: 'rich' })]) as unknown,
        error: { code: 'failed' },
      });
      expect(readdirSync(folder).filter((each) => each.startsWith('unread'))).toEqual([]);

      expect(await change('{!"', '{"')).toBe(1);
      expect(await run(...command)).toMatch(/Wrote \d+ files? to /);
      rmSync(join(folder, name), { recursive: true });
    },
  );

  it('writes also the writes of a process whose clock is ahead', async () => {
    service.clock.advance(Date.now() + HOUR - service.clock.now());
    await write(service.client, {
      questions: [{ reference: 'ahead-q', type: 'shorttext', data: { stimulus: 'A?' } }],
      items: [{ reference: 'ahead', definition: { widgets: [{ reference: 'ahead-q' }] } }],
    });
    await run('export', join(folder, 'ahead'), '--item', 'ahead');
    expect(parseLines(readFileSync(join(folder, 'ahead', 'bank.ndjson')))).toMatchObject([{ reference: 'ahead' }]);
  });
});

async function* cutOff(): AsyncGenerator<Buffer> {
  yield PNG.subarray(0, 5);
  throw new Fault('unavailable', 'The connection was lost.');
}

/** A package lists its records in its own order. */
const byName = (one: Record<string, unknown>, other: Record<string, unknown>): number =>
  nameOf(one) < nameOf(other) ? -1 : 1;
const nameOf = ({ kind, reference }: Record<string, unknown>): string => `${kind as string} ${reference as string}`;

interface ReportNote {
  reference: string;
  code: string;
  was: string;
}

/** The bank that the first start of the embedded service makes. */
const DEMO = JSON.parse(readFileSync(join(__dirname, '../../apps/api/demo/bank.json'), 'utf8')) as {
  items: { reference: string }[];
} & Record<string, object[]>;

const DEMO_ORGANISATION = 10;

async function addOrganisation(settings: Settings, id: number): Promise<void> {
  const { code } = await commandHere(['organisation', 'create', `${id}`, `Bank ${id}`], { settings });
  expect(code).toBe(0);
}

async function fillWithDemo(service: TestService, settings: Settings): Promise<void> {
  const organisation = DEMO_ORGANISATION;
  await addOrganisation(settings, organisation);
  const client = await service.consumer({ grants: [{ organisation, access: 'write', primary: true }] });
  expectSuccess(await client.set('itembank/tagging/tags', { tags: DEMO.tags }));
  for (const member of ['questions', 'features', 'items', 'activities'])
    expectSuccess(await client.set(`itembank/${member}`, { [member]: DEMO[member] }));
}

const REVIEW = {
  description: 'By two people',
  initial_state_reference: 'draft',
  final_state_reference: 'done',
  workflow_states: [
    {
      reference: 'draft',
      label: 'Draft',
      description: 'Being written',
      workflow_transitions: [{ to_state_reference: 'done', display_order: 1 }],
    },
    { reference: 'done', label: 'Done', description: '', workflow_transitions: [] },
  ],
};

/** A bank with everything that a record can have. */
async function fill(service: TestService): Promise<void> {
  const assets = service.get(Assets);
  const scope = service.scope();
  await assets.put('Karten/map é.png', PNG, 'image/png', [], scope);
  const map = await assets.publicAddress('Karten/map é.png', 1);
  const at = (state: string) => ({ authoring_workflow: { reference: 'Review', state } });
  expectSuccess(await service.client.set('itembank/workflows', { workflows: [{ reference: 'Review', ...REVIEW }] }));
  const question = (reference: string, stimulus: string) => ({
    reference,
    type: 'shorttext',
    data: { type: 'shorttext', stimulus, validation: { valid_response: { score: 1, value: 'x' } } },
  });
  await write(service.client, {
    features: [
      { reference: 'passage', type: 'sharedpassage', data: { type: 'sharedpassage', content: `<img src="${map}">` } },
      { reference: 'loose-feature', type: 'audioplayer', data: { type: 'audioplayer' } },
    ],
    questions: [
      question('q-plain', 'See <img src="https://example.org/other.png">.'),
      question('q-rich-1', `<div style="background: url(${map})">x</div>`),
      question('q-rich-2', 'Two'),
      question('loose', 'Not in any item'),
    ],
    items: [
      { reference: 'plain', definition: { widgets: [{ reference: 'q-plain' }] }, ...at('draft') },
      {
        reference: 'rich',
        title: 'Ünïcode "title"',
        description: 'A description',
        note: 'A note',
        source: 'A book',
        status: 'published',
        definition: {
          template: 'dynamic',
          regions: [
            { type: 'column', width: 50, widgets: [{ reference: 'passage' }] },
            { type: 'column', width: 50, widgets: [{ reference: 'q-rich-2' }, { reference: 'q-rich-1' }] },
          ],
        },
        questions: [{ reference: 'q-rich-1' }, { reference: 'q-rich-2' }],
        metadata: { scoring_type: 'dichotomous', acknowledgements: 'Thanks' },
        tags: [
          { type: 'Subject', name: 'Maths' },
          { type: 'Level', name: '1' },
        ],
        adaptive: { difficulty: 0.5 },
        dynamic_content_data: { cols: ['a'], rows: {} },
        ...at('draft'),
      },
    ],
  });
  const plain = { reference: 'plain', definition: { widgets: [{ reference: 'q-plain' }] } };
  // A new item begins in the initial state, and reaching the final one publishes it.
  for (const change of [at('done'), { status: 'unpublished' }])
    expectSuccess(await service.client.set('itembank/items', { items: [{ ...plain, ...change }] }));
  expectSuccess(
    await service.client.set('itembank/activities', {
      activities: [
        {
          reference: 'test',
          title: 'Test',
          description: 'About it',
          data: { sections: [{ items: [{ reference: 'rich', id: 'rich' }] }, { items: ['plain'] }] },
          tags: { Subject: ['Maths'] },
          metadata: { a: 1 },
        },
      ],
    }),
  );
  const set = async (path: string, request: object) => expectSuccess(await service.client.set(path, request));
  await set('itembank/tagging/tags', {
    tags: [{ type: 'Subject', name: 'Unused', description: 'For later', sort_key: 7 }],
  });
  const levels = [{ name: 'Subject', description: 'The root' }, { name: 'Level' }];
  await set('itembank/tagging/hierarchies', { tag_hierarchies: [{ reference: 'Curriculum', tag_types: levels }] });
  const content = { item_references: ['rich'] };
  await set('itembank/pools', {
    pools: [
      { reference: 'autumn', name: 'Autumn', description: 'Of maths', content },
      { reference: 'empty', name: 'Empty', content: { item_references: ['none'] } },
    ],
  });
  await poolsAreFilled(service.client);
}

async function poolsAreFilled(client: Client): Promise<void> {
  await until(async () => {
    const { data } = await client.get('itembank/pools');
    return (data as { status: string }[]).every(({ status }) => status === 'published' || status === 'unpublished');
  });
}
