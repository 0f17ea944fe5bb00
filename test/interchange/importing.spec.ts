import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Json, type JsonObject } from '#kernel';
import { Importing } from '#interchange';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { choice, itemLine, zipOf } from '../support/imports';
import { diesAt, itembank, ServiceProcess, type Settings, shell, temporaryFolders } from '../support/processes';
import { migratedDatabase } from '../support/migrated-database';
import { serviceOfSuite, startService } from '../support/service';
import { until } from '../support/until';
import { workflow } from '../support/builders';

interface Report {
  import: string | null;
  format: string;
  plan: string;
  created: number;
  replaced: number;
  skipped: number;
  refused: number;
  notes: { lost: number; approximated: number; kept_aside: number };
  entries: { source: string; reference: string; result: string; notes: { code: string; was: string }[] }[];
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe.each(anEngine(__filename))('an import from the command line on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  let settings: Settings;
  let folder: string;
  beforeAll(async () => {
    // Later than the clock of the commands, whose jobs it takes.
    service.clock.advance(Date.now() + 86_400_000 - service.clock.now());
    settings = { ...service.settings, PORT: new URL(service.url).port };
  });
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'itembank-import-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = (path: string, content: string | Buffer): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    return join(folder, path);
  };
  const bank = (...lines: object[]) => file('bank.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
  const run = (path: string, ...args: string[]) => commandHere(['import', path, ...args], { settings });
  const imported = async (path: string, ...args: string[]): Promise<Report> => {
    const { code, stdout, stderr } = await run(path, '--json', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Report;
  };
  const resultsOf = ({ entries }: Report) => entries.map(({ reference, result }) => `${reference} ${result}`);
  const codesOf = ({ entries }: Report) => entries.map(({ notes }) => notes.map(({ code }) => code));
  const get = async (path: string, references: string[], more: JsonObject = {}): Promise<JsonObject[]> =>
    (await client.get(`itembank/${path}`, { references, ...more })).data;

  it('plans without storing anything, and the plan equals the result of applying it', async () => {
    const path = bank(itemLine('plan-1'), itemLine('plan-2', '<b onclick="x()">Which?</b>'), {
      kind: 'activity',
      reference: 'plan-test',
      title: 'Test',
      data: { items: ['plan-1', 'plan-2'] },
    });
    const plan = await imported(path);
    expect(await get('items', ['plan-1', 'plan-2'])).toEqual([]);
    expect(resultsOf(plan)).toEqual(['plan-1 created', 'plan-2 created', 'plan-test created']);
    expect(codesOf(plan)).toEqual([[], ['markup-dropped'], []]);

    const applied = await imported(path, '--apply', '--plan', plan.plan);
    expect(applied.entries).toEqual(plan.entries);
    expect([plan.import, applied.plan, applied.created]).toEqual([null, plan.plan, 3]);
    expect((await get('items', ['plan-1', 'plan-2'])).map(({ title }) => title)).toEqual([
      'Title of plan-2',
      'Title of plan-1',
    ]);
    expect((await get('activities', ['plan-test']))[0]).toMatchObject({ reference: 'plan-test' });
  });

  it('can be reverted, unless somebody has changed a record since', async () => {
    await imported(bank(itemLine('back-old')), '--apply');
    const more = { kind: 'activity', reference: 'back-test', data: { items: ['back-old'] } };
    const path = bank(itemLine('back-old', 'Other?'), itemLine('back-new'), more);
    const { import: reference } = await imported(path, '--apply', '--on-collision', 'replace');
    const { data } = await client.get('itembank/imports', { references: [reference!.slice('import-'.length)] });
    expect(data[0]).toMatchObject({ status: 'applied', name: 'bank.ndjson', totals: { created: 2, replaced: 1 } });
    const { client: c } = service;
    const before = (await c.get('itembank/questions', { references: ['back-old_1'] })).data[0] as JsonObject;
    expect(before.data).toMatchObject({ stimulus: 'Other?' });

    const revert = (...args: string[]) => commandHere(['import', 'revert', ...args], { settings });
    expect((await revert('import-01JZX3M5V2Q4T6W8Y0A1B2C3D4')).stderr).toContain('there is no import');
    expect((await revert(reference!, '--organisation', '2')).stderr).toContain('there is no import');
    const unknown = await revert('nothing', '--json');
    const message = expect.stringContaining('there is no import "nothing"') as string;
    expect([unknown.code, JSON.parse(unknown.stdout)]).toEqual([1, { error: { code: 'failed', message } }]);
    const { code, stdout, stderr } = await revert(reference!);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      'Reverted: 1 replaced records restored, 2 new items and activities archived. 1 new questions, features and files stay.\n',
    );
    const after = (await c.get('itembank/questions', { references: ['back-old_1'] })).data[0] as JsonObject;
    expect(after.data).toMatchObject({ stimulus: 'Which?' });
    expect(await get('items', ['back-new'])).toMatchObject([{ status: 'archived' }]);

    const second = await imported(bank(itemLine('back-2')), '--apply');
    await client.set('itembank/items', {
      items: [{ reference: 'back-2', definition: { widgets: [{ reference: 'back-2_1' }] } }],
    });
    const refused = await revert(second.import!);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('item "back-2"')]);

    const third = await imported(bank(itemLine('back-3')), '--apply');
    const printed = JSON.parse((await revert(third.import!, '--json')).stdout) as JsonObject;
    expect(printed).toEqual({ job: expect.any(String) as string, restored: 0, archived: 1, kept: 1, changed: 0 });
  });

  it('imports tags, hierarchies, workflows and pools, and changes nothing the second time', async () => {
    const states = { draft: ['done'], done: [] };
    const path = bank(
      { kind: 'tag', reference: 'Setup: One', type: 'Setup', name: 'One', description: 'First', sort_key: 3 },
      { kind: 'hierarchy', reference: 'setup', tag_types: [{ name: 'Setup' }] },
      { kind: 'workflow', ...workflow('setup-flow', states) },
      itemLine('setup-1', undefined, { authoring_workflow: { reference: 'setup-flow', state: 'draft' } }),
      { kind: 'pool', reference: 'setup-pool', name: 'Pool', items: ['setup-1'], activities: [] },
      { kind: 'tag', reference: 'x', type: 'Setup', name: 7 },
      { kind: 'workflow', ...workflow('setup-bad', states), initial_state_reference: 'nowhere' },
      { kind: 'pool', reference: 'setup-bad', name: 'Pool', items: 'all', activities: [] },
    );
    const plan = await imported(path);
    expect(resultsOf(plan)).toEqual([
      'Setup: One created',
      'setup created',
      'setup-flow created',
      'setup-1 created',
      'setup-pool created',
      'x refused',
      'setup-bad refused',
      'setup-bad refused',
    ]);
    expect((await imported(path, '--apply')).entries).toEqual(plan.entries);
    const [tag] = (await client.get('itembank/tagging/tags', { types: ['Setup'] })).data;
    expect(tag).toEqual({ type: 'Setup', name: 'One', description: 'First', sort_key: 3 });
    const include = { items: ['authoring_workflow'] };
    const [item] = await get('items', ['setup-1'], { include });
    expect(item!.authoring_workflow).toEqual({ reference: 'setup-flow', state: 'draft' });
    const again = await imported(path, '--apply', '--on-collision', 'new-reference');
    expect(resultsOf(again).slice(0, 4)).toEqual(
      ['Setup: One', 'setup', 'setup-flow', 'setup-1'].map((r) => `${r} skipped`),
    );
    const other = bank({ kind: 'hierarchy', reference: 'setup', tag_types: [{ name: 'Other' }] });
    for (const rule of ['fail', 'new-reference'])
      expect(resultsOf(await imported(other, '--on-collision', rule))).toEqual(['setup refused']);
    expect(resultsOf(await imported(other, '--on-collision', 'replace'))).toEqual(['setup replaced']);
  });

  it('leaves a pool alone that is still being filled with the same content', async () => {
    const pool = { kind: 'pool', reference: 'filling', name: 'Filling', items: ['filling-1'], activities: [] };
    const path = bank(itemLine('filling-1', undefined, { status: 'published' }), pool);
    expect(resultsOf(await imported(path, '--apply'))).toEqual(['filling-1 created', 'filling created']);
    const job = async () => (await get('pools', ['filling']))[0]!.job_reference;
    const first = await job();
    expect(resultsOf(await imported(path, '--apply'))).toEqual(['filling-1 skipped', 'filling skipped']);
    expect(await job()).toBe(first);
    // A pool holds no unpublished items, so another one in its list changes nothing.
    const more = bank(itemLine('filling-2'), { ...pool, items: ['filling-1', 'filling-2'] });
    expect(resultsOf(await imported(more, '--apply', '--on-collision', 'replace'))).toEqual([
      'filling-2 created',
      'filling skipped',
    ]);
    const other = bank(itemLine('filling-1', undefined, { status: 'published' }), { ...pool, items: [] });
    expect(resultsOf(await imported(other))).toEqual(['filling-1 skipped', 'filling refused']);
  });

  it('changes nothing when it is applied a second time', async () => {
    const path = bank(itemLine('twice', undefined, { tags: [{ type: 'Subject', name: 'Maths' }] }), {
      kind: 'activity',
      reference: 'twice-test',
      data: { items: ['twice'] },
    });
    await imported(path, '--apply');
    const before = await get('items', ['twice']);
    const again = await imported(path, '--apply');
    expect(resultsOf(again)).toEqual(['twice skipped', 'twice-test skipped']);
    expect(await get('items', ['twice'])).toEqual(before);
  });

  it('is the author of every revision that it writes', async () => {
    const report = await imported(bank(itemLine('author')), '--apply');
    const found = (await client.get('itembank/items', { created_by: [report.import!] }))
      .data as unknown as JsonObject[];
    expect(found.map(({ reference }) => reference)).toEqual(['author']);
    expect(report.import).toMatch(/^import-[0-9A-Z]{26}$/);
  });

  it.each([
    ['fail', ['clash refused'], [['entry-exists']], 'old', []],
    ['skip', ['clash skipped'], [[]], 'old', []],
    ['replace', ['clash replaced'], [[]], 'new', []],
    ['new-reference', ['clash-2 created'], [['reference-changed']], 'old', ['new']],
  ])('treats an item with other content by the rule %s', async (rule, results, codes, first, second) => {
    const at = (reference: string) => reference.replace('clash', `clash-${rule}`);
    await imported(bank(itemLine(at('clash'), 'old')), '--apply');
    const path = bank(itemLine(at('clash'), 'new'));
    const plan = await imported(path, '--on-collision', rule);
    const applied = await imported(path, '--apply', '--on-collision', rule);
    expect(resultsOf(plan)).toEqual(results.map(at));
    expect(resultsOf(applied)).toEqual(results.map(at));
    expect(codesOf(applied)).toEqual(codes);
    const stimulus = async (reference: string) =>
      (await get('questions', [reference])).map(({ data }) => (data as JsonObject).stimulus);
    expect(await stimulus(at('clash_1'))).toEqual([first]);
    expect(await stimulus(at('clash_1-2'))).toEqual(second);
    expect(resultsOf(await imported(path, '--apply', '--on-collision', rule))).toEqual(
      results.map((text) => at(text.replace(/ (created|replaced)$/, ' skipped'))),
    );
  });

  it('imports the other entries when one is rejected, and omits it from its activity', async () => {
    const report = await imported(
      bank(
        itemLine('good-1'),
        itemLine('bad', undefined, { title: 5 }),
        { kind: 'item', reference: 'empty', widgets: [] },
        itemLine('good-2', undefined, { reference: 'a"b' }),
        { kind: 'quiz', reference: 'x' },
        { kind: 'activity', reference: 'good-test', data: { items: ['good-1', { reference: 'bad', id: 'bad' }] } },
      ),
      '--apply',
    );
    expect(resultsOf(report)).toEqual([
      'good-1 created',
      'bad refused',
      'empty refused',
      'a"b refused',
      ' refused',
      'good-test created',
    ]);
    expect(codesOf(report)).toEqual([
      [],
      ['entry-refused'],
      ['entry-refused'],
      ['entry-refused'],
      ['entry-unreadable'],
      ['item-missing'],
    ]);
    const [activity] = await get('activities', ['good-test']);
    expect(JSON.stringify(activity!.data)).not.toContain('bad');
  });

  it.each<[string, object, string]>([
    ['an activity whose data is a text', { kind: 'activity', data: 'none' }, 'data must be an object'],
    ['an activity whose data is a list', { kind: 'activity', data: ['a'] }, 'data must be an object'],
    ['a question whose data is a text', { kind: 'question', type: 'mcq', data: 'none' }, 'data must be an object'],
    [
      'an item whose definition is a list',
      { kind: 'item', widgets: [choice('object-1')], definition: [] },
      'definition must be an object',
    ],
    [
      'an item with a question whose data is null',
      { kind: 'item', widgets: [{ ...choice('object-2'), data: null }] },
      'widgets[0].data must be an object',
    ],
    [
      'an activity with an item of no organisation',
      { kind: 'activity', data: { items: [{ reference: 'a', organisation_id: { toString: 1, valueOf: 1 } }] } },
      'activities[0].data.items[0].organisation_id must be a whole number',
    ],
    ...(
      [
        ['no', {}],
        ['null as', { widgets: null }],
        ['a text as', { widgets: 'none' }],
      ] as const
    ).map(([what, more]): [string, object, string] => [
      `an item with ${what} widgets`,
      { kind: 'item', definition: { widgets: [{ reference: 'other' }] }, ...more },
      'widgets must be a list of {reference, type, data, metadata}',
    ]),
  ])('refuses %s', async (_, line, message) => {
    const report = await imported(bank({ reference: 'object', ...line }), '--apply');
    expect(report.entries).toMatchObject([
      { result: 'refused', notes: [{ code: 'entry-refused', was: `${message}.` }] },
    ]);
  });

  it.each(['tag', 'hierarchy', 'workflow', 'item', 'activity', 'question', 'feature', 'tags', 'pool'])(
    'refuses a record of the kind %s that has nothing but a reference, and imports the other one',
    async (kind) => {
      const report = await imported(bank({ kind, reference: `bare-${kind}` }, itemLine(`beside-${kind}`)), '--apply');
      expect(resultsOf(report).sort()).toEqual([`bare-${kind} refused`, `beside-${kind} created`]);
    },
  );

  it('does not confuse a refused question or activity with an item of the same reference', async () => {
    const data = { items: ['kin-1', 'kin-2'] };
    const report = await imported(
      bank(
        itemLine('kin-1'),
        itemLine('kin-2'),
        { kind: 'question', reference: 'kin-1', type: 'mcq', data: 'none' },
        { kind: 'activity', reference: 'kin-2', data: 'none' },
        { kind: 'activity', reference: 'kin-test', data },
        { kind: 'pool', reference: 'kin-pool', name: 'Pool', items: data.items, activities: ['kin-2', 'kin-test'] },
      ),
      '--apply',
    );
    expect(resultsOf(report)).toEqual([
      'kin-1 created',
      'kin-2 created',
      'kin-1 refused',
      'kin-2 refused',
      'kin-test created',
      'kin-pool created',
    ]);
    expect(report.entries.slice(4).map(({ notes }) => notes.map(({ code, was }) => `${code} ${was}`))).toEqual([
      [],
      ['item-missing kin-2'],
    ]);
    expect((await get('activities', ['kin-test']))[0]).toMatchObject({ data });
  });

  it('plans to refuse an activity that the apply refuses, also when its items do not exist yet', async () => {
    const test = (reference: string, data: object) => ({ kind: 'activity', reference, data });
    const path = bank(
      itemLine('check-1'),
      test('check-gone', { items: ['check-1', 'check-nowhere'] }),
      test('check-twice', { items: ['check-1', 'check-1'] }),
      test('check-odd', { items: ['check-1', 5] }),
      test('check-config', { items: ['check-1'], config: 'fast' }),
      test('check-far', { items: ['check-1', { reference: 'x', organisation_id: 99 }] }),
      test('check-good', { items: [{ reference: 'check-1', id: 'own' }], sections: [] }),
    );
    const plan = await imported(path);
    const applied = await imported(path, '--apply');
    expect(applied.entries).toEqual(plan.entries);
    expect(resultsOf(plan)).toEqual([
      'check-1 created',
      ...['gone', 'twice', 'odd', 'config', 'far'].map((name) => `check-${name} refused`),
      'check-good created',
    ]);
  });

  it('plans for items with a workflow of the same package what the apply does', async () => {
    const flow = (...states: string[]) => ({
      kind: 'workflow',
      reference: 'check-flow',
      initial_state_reference: states[0],
      final_state_reference: states[0],
      workflow_states: states.map((reference) => ({ reference, label: reference, workflow_transitions: [] })),
    });
    const inState = (reference: string, state: string) =>
      itemLine(reference, undefined, { authoring_workflow: { reference: 'check-flow', state } });
    const both = async (...lines: object[]) => {
      const path = bank(...lines);
      const plan = await imported(path, '--on-collision', 'replace');
      const applied = await imported(path, '--on-collision', 'replace', '--apply');
      expect(applied.entries).toEqual(plan.entries);
      return resultsOf(plan);
    };
    await imported(bank(itemLine('flow-old')), '--apply');
    expect(await both(flow('draft'), inState('flow-1', 'draft'), inState('flow-2', 'gone'))).toEqual([
      'check-flow created',
      'flow-1 created',
      'flow-2 refused',
    ]);
    expect(await both(flow('draft', 'more'), inState('flow-3', 'more'), inState('flow-old', 'more'))).toEqual([
      'check-flow replaced',
      'flow-3 created',
      'flow-old replaced',
    ]);
  });

  it('plans for records that name or repeat earlier ones of the same package what the apply does', async () => {
    const { reference, ...question } = choice('chain-q');
    const tag = { kind: 'tag', reference: 'Chain: One', type: 'Chain', name: 'One', description: 'First' };
    const hierarchy = { kind: 'hierarchy', reference: 'chain', tag_types: [{ name: 'Chain' }] };
    const path = bank(
      tag,
      tag,
      hierarchy,
      hierarchy,
      { kind: 'question', reference, ...question },
      { kind: 'item', reference: 'chain-1', widgets: [], definition: { widgets: [{ reference }] } },
      { kind: 'item', reference: 'chain-2', widgets: [choice(reference, 'Other?')] },
      { kind: 'tags', reference: 'chain-1', tags: [{ type: 'Chain', name: 'Two' }] },
      { kind: 'activity', reference: 'chain-test', data: { items: ['chain-1', 'chain-2'] } },
    );
    const plan = await imported(path, '--on-collision', 'replace');
    const applied = await imported(path, '--on-collision', 'replace', '--apply');
    expect(applied.entries).toEqual(plan.entries);
    expect(resultsOf(plan)).toEqual([
      'Chain: One created',
      'Chain: One skipped',
      'chain created',
      'chain skipped',
      'chain-q created',
      'chain-1 created',
      'chain-2 replaced',
      'chain-1 replaced',
      'chain-test created',
    ]);
  });

  it('does not confuse a record that it cannot read with an item without a reference', async () => {
    const lines = [
      itemLine('nameless'),
      { kind: 'activity', reference: 'nameless-test', data: { items: ['nameless', ''] } },
    ];
    const report = await imported(bank({ kind: 'quiz', reference: 'x' }, ...lines));
    const without = await imported(bank(...lines));
    expect(resultsOf(report)).toEqual([' refused', ...resultsOf(without)]);
    expect(codesOf(report).slice(1)).toEqual(codesOf(without));
  });

  it('never puts another item of the bank into an activity, whose own one was refused under its reference', async () => {
    await imported(bank(itemLine('held-1', 'of the bank')), '--apply');
    const path = bank(itemLine('held-1', 'of the package'), itemLine('held-2'), {
      kind: 'activity',
      reference: 'held-test',
      data: { items: ['held-1', 'held-2'] },
    });
    const report = await imported(path, '--apply', '--on-collision', 'fail');
    expect(resultsOf(report)).toEqual(['held-1 refused', 'held-2 created', 'held-test created']);
    expect(codesOf(report)).toEqual([['entry-exists'], [], ['item-missing']]);
    const [activity] = await get('activities', ['held-test']);
    expect(JSON.stringify(activity!.data)).not.toContain('held-1');
  });

  it.each([
    ['fail', ['p-one refused', 'p-two created', 'p-test refused', 'p-pool created'], ['p-two'], []],
    [
      'new-reference',
      ['p-one-2 created', 'p-two created', 'p-test-2 created', 'p-pool created'],
      ['p-one-2', 'p-two'],
      ['p-test-2'],
    ],
  ])(
    'fills a pool with its own items and activities by the rule %s, never with others of their references',
    async (rule, results, items, activities) => {
      const own = (text: string) => text.replaceAll('p-', `p-${rule}-`);
      const test = (title: string) => ({
        kind: 'activity',
        reference: own('p-test'),
        title,
        data: { items: [own('p-one')] },
      });
      await imported(bank(itemLine(own('p-one'), 'of the bank'), test('Of the bank')), '--apply');
      const pool = { name: 'Pool', items: [own('p-one'), own('p-two')], activities: [own('p-test')] };
      const path = bank(itemLine(own('p-one'), 'of the package'), itemLine(own('p-two')), test('Of the package'), {
        kind: 'pool',
        reference: own('p-pool'),
        ...pool,
      });
      const plan = await imported(path, '--publish', '--on-collision', rule);
      const report = await imported(path, '--publish', '--apply', '--on-collision', rule);
      expect(resultsOf(report)).toEqual(results.map(own));
      expect(report.entries).toEqual(plan.entries);
      expect(codesOf(report).at(-1)).toEqual(rule === 'fail' ? ['item-missing', 'item-missing'] : []);
      const held = async (path: string) =>
        ((await client.get(path, { item_pool_id: own('p-pool') })).data as unknown as JsonObject[])
          .map(({ reference }) => reference)
          .sort();
      await until(async () => {
        // The fill waits until earlier writes are committed. No lease expires in such small steps.
        service.clock.advance(50);
        return (await held('itembank/items')).length > 0 || undefined;
      });
      expect(await held('itembank/items')).toEqual(items.map(own));
      expect(await held('itembank/activities')).toEqual(activities.map(own));
    },
  );

  it('names the files of a folder that have another format than the others', async () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    const files = {
      'a.csv': 'reference,type,question,answer\none,short,1 + 1?,2\n',
      'b.gift': '::two:: 2 + 2 = {=4}',
      'c.zip': 'PK',
      'd.css': 'p { color: red }',
      'e.xml':
        '<quiz><question type="truefalse"><name><text>T</text></name><questiontext><text>Is it?</text></questiontext><answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question></quiz>',
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(mixed, name), content);
    const report = await imported(mixed);
    expect(report.format).toBe('moodle-xml');
    expect(report.entries.map(({ source, result }) => `${source} ${result}`)).toEqual([
      'e.xml#/quiz/question created',
      'a.csv refused',
      'b.gift refused',
      'c.zip refused',
    ]);
    expect(codesOf(report)).toEqual([[], ['file-unread'], ['file-unread'], ['file-unread']]);
    expect(report.entries.map(({ notes }) => notes[0]?.was)).toEqual([undefined, 'csv', 'gift', 'package']);
  });

  it('reads a package of Canvas, which has each quiz in two files and its settings in a third one', async () => {
    const quiz = (ident: string) =>
      `<questestinterop><assessment ident="${ident}" title="Seas"><section ident="root_section"><item ident="${ident}-text" title="Text"><presentation><material><mattext>Salt</mattext></material></presentation></item></section></assessment></questestinterop>`;
    const report = await imported(
      file(
        'course.imscc',
        await zipOf({
          'g1/assessment_meta.xml':
            '<?xml version="1.0"?>\n<quiz identifier="g1" xmlns="http://canvas.instructure.com/xsd/cccv1p0"><title>Seas</title></quiz>',
          'g1/assessment_qti.xml': quiz('g1'),
          'imsmanifest.xml': '<manifest xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"/>',
          'non_cc_assessments/g1.xml.qti': quiz('g1'),
        }),
      ),
    );
    expect(report.format).toBe('qti-1.2');
    expect(report.entries.map(({ source, result }) => `${source} ${result}`)).toEqual([
      'non_cc_assessments/g1.xml.qti#/questestinterop/assessment/section/item created',
      'non_cc_assessments/g1.xml.qti#/questestinterop/assessment created',
    ]);
  });

  it('renames an item everywhere in an activity, but no item of another bank', async () => {
    await imported(bank(itemLine('far'), itemLine('near', 'of the bank')), '--organisation', '2', '--apply');
    await imported(bank(itemLine('near', 'of the bank')), '--apply');
    const data = {
      items: ['near', { reference: 'far', organisation_id: 2 }],
      sections: [{ items: [{ reference: 'near', organisation_id: 2, id: 'mine' }] }],
      subscores: [{ id: 'sum', title: 'Sum', items: ['near', 'far'] }],
      config: { navigation: { intro_item: 'near' } },
    };
    const path = bank(
      itemLine('near', 'of the package'),
      { ...itemLine('far'), title: 7 },
      {
        kind: 'activity',
        reference: 'near-test',
        data,
      },
    );
    const report = await imported(path, '--on-collision', 'new-reference', '--apply');
    expect(resultsOf(report)).toEqual(['near-2 created', 'far refused', 'near-test created']);
    expect(codesOf(report)[2]).toEqual([]);
    const [activity] = await get('activities', ['near-test']);
    expect(activity!.data).toMatchObject({
      items: ['near-2', { reference: 'far', organisation_id: 2 }],
      sections: [{ items: [{ reference: 'near', organisation_id: 2, id: 'mine' }] }],
      subscores: [{ items: ['near-2', 'far'] }],
      config: { navigation: { intro_item: 'near-2' } },
    });
  });

  it('shares a question that several items hold', async () => {
    const passage = { reference: 'passage', type: 'sharedpassage', data: { type: 'sharedpassage', content: 'Text' } };
    const sharing = (reference: string) => ({
      kind: 'item',
      reference,
      widgets: [passage, choice(`${reference}_1`)],
      features: ['passage'],
    });
    const report = await imported(bank(sharing('share-1'), sharing('share-2')), '--apply');
    expect(resultsOf(report)).toEqual(['share-1 created', 'share-2 created']);
    const items = await get('items', ['share-1', 'share-2']);
    expect(items.map(({ features }) => features)).toEqual([
      [{ reference: 'passage', type: 'sharedpassage' }],
      [{ reference: 'passage', type: 'sharedpassage' }],
    ]);
  });

  it.each(['fail', 'skip'])(
    'with %s, refuses a new item whose passage exists with other content, and names it',
    async (rule) => {
      const own = (text: string) => `${text}-${rule}`;
      const passage = (content: string) => ({ reference: own('text'), type: 'sharedpassage', data: { content } });
      const withPassage = (reference: string, content: string) => ({
        kind: 'item',
        reference: own(reference),
        widgets: [passage(content), choice(own(`${reference}_1`))],
        features: [own('text')],
      });
      await imported(bank(withPassage('told-1', 'Of the bank')), '--apply');
      const path = bank(withPassage('told-1', 'Of the package'), withPassage('told-2', 'Of the package'), {
        kind: 'activity',
        reference: own('told-test'),
        data: { items: [own('told-1'), own('told-2')] },
      });
      const plan = await imported(path, '--on-collision', rule);
      const report = await imported(path, '--on-collision', rule, '--apply');
      expect(report.entries).toEqual(plan.entries);
      const first = rule === 'skip' ? 'skipped' : 'refused';
      expect(resultsOf(report)).toEqual([
        `${own('told-1')} ${first}`,
        `${own('told-2')} refused`,
        `${own('told-test')} created`,
      ]);
      const notes = report.entries.map((entry) => entry.notes.map(({ code, was }) => `${code} ${was}`));
      expect(notes.slice(1)).toEqual([
        [`entry-exists ${own('text')}`],
        (rule === 'skip' ? ['told-2'] : ['told-1', 'told-2']).map((reference) => `item-missing ${own(reference)}`),
      ]);
    },
  );

  it('never lets one entry take the question of another with the same reference', async () => {
    const claims = (reference: string, stimulus: string) => ({
      kind: 'item',
      reference,
      widgets: [choice('claimed', stimulus)],
    });
    const both = { kind: 'item', reference: 'claim-3', widgets: [choice('two', 'x'), choice('two', 'y')] };
    const report = await imported(bank(claims('claim-1', 'first'), claims('claim-2', 'second'), both), '--apply');
    expect(resultsOf(report)).toEqual(['claim-1 created', 'claim-2 refused', 'claim-3 refused']);
    expect(codesOf(report)).toEqual([[], ['entry-exists'], ['entry-refused']]);
    const [question] = await get('questions', ['claimed']);
    expect(question!.data).toMatchObject({ stimulus: 'first' });
  });

  it('adds tags to an existing item, and counts existing tags as skipped', async () => {
    await imported(bank(itemLine('tagged', undefined, { tags: [{ type: 'Level', name: '1' }] })), '--apply');
    const path = bank({ kind: 'tags', reference: 'tagged', tags: [{ type: 'Level', name: '2' }] });
    expect(resultsOf(await imported(path, '--apply'))).toEqual(['tagged replaced']);
    expect(resultsOf(await imported(path, '--apply'))).toEqual(['tagged skipped']);
    const [item] = await get('items', ['tagged']);
    expect(item!.tags).toEqual({ Level: ['1', '2'] });
  });

  it('stores the files that an item uses under the hash of their content', async () => {
    const stimulus =
      '<img src="itembank-asset:map.png"> <img src="itembank-asset:gone.png"> <img src="itembank-asset:a.svg">';
    bank(itemLine('files', `${stimulus}<a href="itembank-asset:page.png">x</a>`));
    file('assets/map.png', PNG);
    file('assets/page.png', '<html><script>alert(1)</script></html>');
    file(
      'assets/a.svg',
      `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">
       <svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><path d="M0 0h9v9z"/></svg>`,
    );
    const report = await imported(folder, '--apply');
    expect(report.entries[0]!.notes.map(({ code, was }) => `${code} ${was}`)).toEqual([
      'file-missing assets/gone.png is missing.',
      'file-refused assets/page.png: it is not a picture, sound, video or PDF',
    ]);
    const [question] = await get('questions', ['files_1']);
    const [map, gone, picture] = [
      ...((question!.data as JsonObject).stimulus as string).matchAll(/src="([^"]*)"/g),
    ].map(([, address]) => address!);
    expect(gone).toBe('gone.png');
    const [stored, svg] = await Promise.all([map, picture].map((address) => fetch(`http:${address}`)));
    expect(Buffer.from(await stored!.arrayBuffer())).toEqual(PNG);
    expect(await svg!.text()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><path d="M0 0h9v9z"></path></svg>',
    );
  });

  it('resumes when the command is repeated after a kill', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => itemLine(`killed-${index}`));
    const path = bank(...lines);
    const killed = await itembank(['import', path, '--apply'], { settings: { ...settings, ...diesAt(5) } });
    expect(killed.code).toBeNull();
    const again = await imported(path, '--apply');
    expect(again.created + again.skipped).toBe(2000);
    expect([again.skipped >= 50, again.created > 0]).toEqual([true, true]);
    expect(resultsOf(await imported(path)).filter((result) => !result.endsWith(' skipped'))).toEqual([]);
  });

  it('says what to do when no process runs the job that reverts it', async () => {
    const database = await migratedDatabase(engine);
    try {
      const alone = { ...settings, DATABASE_URL: database.url, DATA_DIR: folder };
      const here = (...args: string[]) => commandHere(args, { settings: alone });
      expect((await here('organisation', 'create', '1', 'Bank')).code).toBe(0);
      const stored = await here('import', bank(itemLine('alone')), '--apply', '--json');
      const { import: reference } = JSON.parse(stored.stdout) as Report;
      const { code, stdout, stderr } = await here('import', 'revert', reference!);
      const job = /^Job: (\w{26})\n$/.exec(stdout)?.[1];
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          `itembank: Nothing has begun the job yet. Start a service or a worker, which then reverts the import; ` +
          `itembank jobs watch ${job} shows when it is done.\n`,
      });
    } finally {
      await database.drop();
    }
  });

  it('plans for an empty bank without a database, and creates none', async () => {
    const nowhere = { DATA_DIR: join(folder, 'data') };
    const path = bank(itemLine('early'));
    const { code, stdout, stderr } = await commandHere(['import', path, '--json'], { settings: nowhere });
    expect([code, (JSON.parse(stdout) as Report).created]).toEqual([0, 1]);
    expect(stderr).toContain('There is no database yet');
    const applied = await commandHere(['import', path, '--apply'], { settings: nowhere });
    expect(applied.code).toBe(1);
    expect(applied.stderr).toContain('Start the service once or run itembank migrate');
  });

  it('removes what a killed plan for an empty bank has left', async () => {
    const settings = { DATA_DIR: join(folder, 'data'), TMPDIR: folder };
    const plans = () => readdirSync(folder).filter((name) => name.startsWith('itembank-plan-'));
    const path = bank(itemLine('early'));
    const killed = await itembank(['import', path], { settings: { ...settings, ...diesAt(1) } });
    expect([killed.code, plans().length]).toEqual([null, 1]);
    expect((await itembank(['import', path], { settings })).code).toBe(0);
    expect(plans()).toEqual([]);
  });

  it('refuses --plan without --apply, where it would have no effect', async () => {
    const { code, stdout, stderr } = await run(bank(itemLine('unheeded')), '--plan', 'a'.repeat(64), '--json');
    expect(code).toBe(1);
    expect(stderr).toContain('--plan goes with --apply');
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'failed' } });
  });

  it('does not apply a plan that has changed', async () => {
    const path = bank(itemLine('stale'));
    const { plan } = await imported(path);
    await imported(bank(itemLine('stale', 'meanwhile')), '--apply');
    const { code, stderr } = await run(bank(itemLine('stale')), '--apply', '--plan', plan);
    expect(code).toBe(1);
    expect(stderr).toContain('nothing was stored');
  });

  it('does not store entries whose result is no longer that of the checked plan', async () => {
    const path = bank(itemLine('raced-1'), itemLine('raced-2'));
    const { plan } = await imported(path, '--on-collision', 'replace');
    const write = Importing.prototype.run;
    const running = jest.spyOn(Importing.prototype, 'run').mockImplementation(async function* (
      this: Importing,
      ...how
    ) {
      if (how[2].apply) {
        const questions = [choice('of-an-author')];
        expectSuccess(await client.set('itembank/questions', { questions }));
        const definition = { widgets: [{ reference: 'of-an-author' }] };
        const item = { reference: 'raced-2', title: 'Of an author', definition, questions: ['of-an-author'] };
        expectSuccess(await client.set('itembank/items', { items: [item] }));
      }
      return yield* write.apply(this, how);
    });
    const args = ['--apply', '--on-collision', 'replace', '--plan', plan, '--json'];
    const { code, stdout, stderr } = await run(path, ...args).finally(() => running.mockRestore());
    expect(stderr).toContain('So 1 of its entries');
    const report = JSON.parse(stdout) as Report;
    expect([code, report.created, report.replaced, report.refused]).toEqual([1, 1, 0, 1]);
    expect(resultsOf(report)).toEqual(['raced-1 created', 'raced-2 refused']);
    expect(codesOf(report)).toEqual([[], ['entry-refused']]);
    expect((await get('items', ['raced-2']))[0]!.title).toBe('Of an author');
  });

  it('follows a plan from an unnamed copy, so that a killed process leaves no file', async () => {
    const path = bank(itemLine('unnamed'));
    const { plan } = await imported(path);
    const TMPDIR = join(folder, 'temporary');
    mkdirSync(TMPDIR);
    const left: string[][] = [];
    const write = Importing.prototype.run;
    const running = jest.spyOn(Importing.prototype, 'run').mockImplementation(function (this: Importing, ...how) {
      if (how[2].apply) left.push(readdirSync(TMPDIR));
      return write.apply(this, how);
    });
    const place = { settings: { ...settings, TMPDIR } };
    const { code, stderr } = await commandHere(['import', path, '--apply', '--plan', plan], place).finally(() =>
      running.mockRestore(),
    );
    expect({ code, stderr, left }).toEqual({ code: 0, stderr: '', left: [[]] });
    expect(await get('items', ['unnamed'])).toHaveLength(1);
  });

  it('stores everything when the reader of its output stops early', async () => {
    const references = Array.from({ length: 600 }, (_, index) => `unread-${index}`);
    const path = bank(...references.map((reference) => itemLine(reference)));
    const line = `npm run -s itembank -- import ${path} --apply --json | head -c 1`;
    expect(await shell(line, { settings })).toMatchObject({ code: 0, stdout: '{', stderr: '' });
    const results = resultsOf(await imported(path));
    expect(results).toEqual(references.map((reference) => `${reference} skipped`));
  });

  it('reads the other files of a folder when one of them has another format', async () => {
    file('a.gift.txt', 'Sound?{T}');
    file('b.txt', 'Water {=a} {=b}');
    file('c.gift.txt', '// nothing');
    const report = await imported(folder);
    expect(report.entries.map(({ source, result }) => `${source} ${result}`)).toEqual([
      'a.gift.txt:1 created',
      'b.txt:1 refused',
      'c.gift.txt refused',
    ]);
  });

  it('rejects a text in another encoding', async () => {
    const { code, stdout } = await run(file('latin.gift', Buffer.from('Caf\xe9?{T}', 'latin1')), '--json');
    expect([code, (JSON.parse(stdout) as { error: { code: string } }).error.code]).toEqual([1, 'text-encoding']);
  });

  it.each<[string, () => string, string]>([
    ['a missing file', () => join(folder, 'none.ndjson'), 'file-missing'],
    ['a file of no known format', () => file('x.bin', Buffer.from([0, 1, 2, 3])), 'format-unknown'],
    ['a damaged package', () => file('x.zip', 'PK\x03\x04 and nothing more'), 'package-invalid'],
    ['a file without any record', () => file('empty.ndjson', '\n\n'), 'nothing-found'],
    ['a file without a readable line', () => file('bad.ndjson', '{\n[]\n"x"'), 'nothing-found'],
  ])('ends with 1 and a code for %s', async (_, path, code) => {
    const json = await run(path(), '--json');
    expect(json.code).toBe(1);
    expect((JSON.parse(json.stdout) as { error: { code: string } }).error.code).toBe(code);
    const text = await run(path());
    expect(text.code).toBe(1);
    expect(text.stderr).toContain(`(${code})`);
  });

  it('ends with 1 when the named format reads no file of a folder', async () => {
    file('other/a.gift.txt', 'Sound?{T}');
    file('other/b.gift.txt', 'Light?{T}');
    const { code, stdout } = await run(join(folder, 'other'), '--format', 'csv', '--json');
    const report = JSON.parse(stdout) as Report & { error: { code: string } };
    expect([code, report.error.code, codesOf(report)]).toEqual([
      1,
      'nothing-found',
      [['file-unread'], ['file-unread']],
    ]);
  });

  it('says that a file is empty, and that a package holds only a package', async () => {
    expect((await run(file('zero.xml', ''))).stderr).toContain('zero.xml is empty. (nothing-found)');
    // A package within it is not compressed, so it contains the words of its format.
    const inner = await zipOf({ 'quiz.xml': '<quiz><question type="essay"/></quiz>' });
    const { stderr } = await run(file('outer.zip', await zipOf({ 'inner.zip': inner })));
    expect(stderr).toContain(
      'only packages, such as inner.zip; unpack it, and import each of them by itself. (format-unknown)',
    );
  });

  it('says that a package beside another file must be unpacked', async () => {
    const inner = await zipOf({ 'quiz.xml': '<quiz><question type="essay"/></quiz>' });
    const { stderr } = await run(file('outer.zip', await zipOf({ 'a/quiz.zip': inner, 'readme.md': 'Unpack it.' })));
    expect(stderr).toContain('holds the package a/quiz.zip; unpack it, and import that. (format-unknown)');
  });

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['a.pdf', () => Buffer.from('%PDF-1.7\n')],
    ['a.doc', () => Buffer.from('d0cf11e0a1b11ae10000', 'hex')],
    ['a.docx', () => zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<document/>' })],
    ['a.ods', () => zipOf({ mimetype: 'application/vnd.oasis', 'META-INF/manifest.xml': '<manifest/>' })],
  ])('says what to do with the document %s', async (name, content) => {
    const { code, stderr } = await run(file(name, await content()));
    expect([code, stderr]).toEqual([1, expect.stringContaining('Save a sheet as CSV')]);
    expect(stderr).toContain('(format-unknown)');
  });

  it.each(['bank.txt', 'bank.json', 'bank'])('recognises NDJSON by its content, in %s', async (name) => {
    const report = await imported(file(name, `\n${JSON.stringify(itemLine('anyname'))}\n`));
    expect([report.format, ...resultsOf(report)]).toEqual(['ndjson', 'anyname created']);
    expect(resultsOf(await imported(file(name, JSON.stringify(itemLine('named'))), '--format', 'ndjson'))).toEqual([
      'named created',
    ]);
  });

  it('prints one JSON object when the import fails before the first entry', async () => {
    const path = bank(itemLine('nowhere'));
    const { code, stdout } = await run(path, '--json', '--organisation', '77');
    const message = expect.stringContaining('There is no organisation 77.') as string;
    expect([code, JSON.parse(stdout)]).toEqual([1, { error: { code: 'failed', message } }]);
  });

  it('prints a summary for people, with the losses and the command that stores the import', async () => {
    const path = bank(itemLine('human', '<b onclick="x()">Which?</b>'), { kind: 'item', reference: 'b', widgets: [] });
    const { stdout } = await run(path);
    expect(stdout).toContain('refused  bank.ndjson:2: The bank refuses it');
    expect(stdout).toContain('1  markup-dropped  lost: Markup that could run code or is unknown was dropped');
    expect(stdout).toContain('Plan, nothing stored: 1 created, 0 replaced, 0 skipped, 1 refused.');
    expect(stdout).toMatch(/itembank import .*bank\.ndjson --apply --plan [0-9a-f]{64}/);
  });

  it('prints a command that stores the same plan, also with options and an odd name of the file', async () => {
    await imported(bank(itemLine('chosen')), '--apply');
    const path = file("it's a bank.ndjson", JSON.stringify(itemLine('chosen', 'Changed?')));
    const { stdout } = await run(path, '--on-collision', 'new-reference', '--format', 'ndjson');
    const printed = /^To store it: itembank (.*)$/m.exec(stdout)![1]!;
    const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${printed}`], { encoding: 'utf8' });
    const { code, stderr } = await commandHere(words.trimEnd().split('\n'), { settings });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await client.get('itembank/items', { references: ['chosen-2'] })).data).toHaveLength(1);
  });

  it('publishes items on request, unless their source says otherwise', async () => {
    const lines = [itemLine('open'), itemLine('closed', undefined, { status: 'archived' })];
    await imported(bank(...lines), '--apply', '--publish');
    const statusOf = async (reference: string) => {
      const { data } = await client.get('itembank/items', {
        references: [reference],
        status: ['published', 'archived'],
      });
      return (data as { status: string }[]).map(({ status }) => status);
    };
    expect(await statusOf('open')).toEqual(['published']);
    expect(await statusOf('closed')).toEqual(['archived']);
  });

  it('tags a question that nothing scores, and none that only drops a penalty', async () => {
    const answers = (wrong: number) =>
      `<answer fraction="100"><text>a</text></answer><answer fraction="${wrong}"><text>b</text></answer><answer fraction="${wrong / 2}"><text>c</text></answer>`;
    const question = (name: string, xml: string) =>
      `<question type="multichoice"><name><text>${name}</text></name><questiontext><text>Q</text></questiontext><single>true</single>${xml}</question>`;
    const quiz = `<quiz>${question('costly', answers(-50))}${question('keyless', answers(0).replace('100', '0'))}</quiz>`;
    const report = await imported(file('quiz.xml', quiz), '--apply');
    expect(report.entries.map(({ notes }) => notes.map(({ code }) => code))).toEqual([
      ['penalty-dropped'],
      ['scoring-lost'],
    ]);
    const { data } = await client.get('itembank/items', { references: ['costly', 'keyless'] });
    const tags = Object.fromEntries(
      (data as { reference: string; tags: Json }[]).map((item) => [item.reference, item.tags]),
    );
    expect(tags).toEqual({ costly: {}, keyless: { Import: ['Not scored'] } });
  });

  it.each<[string, Json]>([
    ['a text with half of a surrogate pair', '\ud800'],
    ['a text with U+0000', 'a\0b'],
    ['nesting beyond 100 levels', JSON.parse(`${'['.repeat(120)}${']'.repeat(120)}`) as Json],
  ])('rejects %s, and imports the next line', async (_, value) => {
    const report = await imported(bank(itemLine('odd', undefined, { metadata: { value } }), itemLine('next')));
    expect(resultsOf(report).map((text) => text.split(' ').at(-1))).toEqual(['refused', expect.any(String)]);
    expect(report.entries[1]!.result).not.toBe('refused');
  });
});

describe('without HOST and PORT, on the machine of an embedded service with another port', () => {
  const newFolder = temporaryFolders();

  it('an import gives files addresses of the service, and an export contains these files', async () => {
    const [settings, folder] = [{ DATA_DIR: newFolder() }, newFolder()];
    const service = await ServiceProcess.listening({ settings });
    try {
      writeFileSync(join(folder, 'bank.ndjson'), JSON.stringify(itemLine('map', '<img src="itembank-asset:map.png">')));
      mkdirSync(join(folder, 'assets'));
      writeFileSync(join(folder, 'assets', 'map.png'), PNG);
      // In a process of its own: the service above has a clock in the future, which its process shares.
      const imported = await itembank(['import', folder, '--apply'], { settings });
      expect(imported).toMatchObject({ code: 0, stderr: '' });
      const request = JSON.stringify({ references: ['map_1'] });
      const read = await commandHere(['call', 'itembank/questions', request], { settings });
      const [, address] = /src=[\\"]+([^\\"]+)/.exec(read.stdout)!;
      expect(Buffer.from(await (await fetch(`http:${address}`)).arrayBuffer())).toEqual(PNG);

      const written = join(folder, 'written');
      const exported = await itembank(['export', written, '--item', 'map'], { settings });
      expect(exported).toMatchObject({ code: 0, stderr: '' });
      const files = readdirSync(written, { recursive: true }).map(String);
      expect(files.filter((name) => name.endsWith('map.png'))).toHaveLength(1);
    } finally {
      await service.end('SIGKILL');
    }
  });
});
