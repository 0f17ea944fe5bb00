import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Restoration } from '#content';
import { JobRunner } from '#jobs';
import { Fault, type JsonObject } from '#kernel';
import { OldImports } from '../../libs/interchange/src/application/old-imports';
import { Uploads } from '../../libs/interchange/src/application/uploads';
import { write } from '../support/bank';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { choice, Importer, itemLine, type PlanLine, zipOf, zipWithPath } from '../support/imports';
import { serviceOfSuite, startServiceLater, type TestService } from '../support/service';
import { answer, submission, submit } from '../support/submissions';
import { DAY, HOUR, SECOND } from '../support/time';
import { until } from '../support/until';

const activityLine = (reference: string, ...items: string[]) => ({ kind: 'activity', reference, data: { items } });
const bank = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
const resultsOf = (plan: readonly PlanLine[]) => plan.map(({ reference, result }) => `${reference} ${result}`);

describe.each(anEngine(__filename))('imports on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  let importer: Importer;
  beforeAll(async () => {
    importer = new Importer(service);
  });
  beforeEach(() => service.clock.advance(10 * SECOND));

  const get = async (path: string, references: string[], more: JsonObject = {}): Promise<JsonObject[]> => {
    const all = path === 'activities' ? { status: ['published', 'unpublished', 'archived'] } : {};
    return client.all(`itembank/${path}`, { references, ...all, ...more }) as Promise<JsonObject[]>;
  };
  const one = async (path: string, reference: string, more: JsonObject = {}) =>
    (await get(path, [reference], more))[0]!;
  const stimulusOf = async (reference: string) => ((await one('questions', reference)).data as JsonObject).stimulus;
  /** The history of a record, oldest first. */
  const historyOf = async (kind: string, reference: string) =>
    client.all('itembank/history', { kind, references: [reference], sort: 'asc' }) as Promise<
      { created_by: string; operation: string; revision: number; status: string }[]
    >;

  it('have jobs that name the uploaded file as their subject', async () => {
    const planned = await importer.settled(await importer.start('chemistry.ndjson', bank(itemLine('subject-1'))));
    await importer.apply(planned);
    const answer = await client.set('itembank/imports/revert', { reference: planned.reference });
    await importer.results(answer.data.job_reference);
    const jobs = await client.all('jobs', { limit: 50 });
    const about = jobs.filter(({ subject }) => subject === 'chemistry.ndjson').map(({ type }) => type);
    expect(about).toEqual(['revert-import', 'apply-import', 'plan-import']);
  });

  it('plan an uploaded file without storing anything, and store exactly that plan', async () => {
    const started = await importer.start(
      'bank.ndjson',
      bank(
        itemLine('plan-1'),
        itemLine('plan-2', '<b onclick="x()">Which?</b>'),
        { kind: 'item', reference: 'plan-3', widgets: [] },
        activityLine('plan-test', 'plan-1', 'plan-2'),
      ),
    );
    const planned = await importer.settled(started);
    expect(planned).toEqual({
      reference: started,
      status: 'planned',
      key: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'bank.ndjson',
      format: 'ndjson',
      on_collision: 'fail',
      plan: expect.stringMatching(/^[0-9a-f]{64}$/),
      totals: { created: 3, replaced: 0, skipped: 0, refused: 1, notes: { lost: 2, approximated: 0, kept_aside: 0 } },
      plan_file: {
        name: 'plan.ndjson',
        address: expect.any(String),
        expires_at: expect.any(String),
        content_type: 'application/x-ndjson',
        bytes: expect.any(Number),
        sha256: expect.any(String),
      },
      error: null,
      job_reference: started,
      dt_created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      dt_updated: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(await get('items', ['plan-1', 'plan-2', 'plan-3'])).toEqual([]);
    const plan = await importer.plan(planned);
    expect(resultsOf(plan)).toEqual(['plan-1 created', 'plan-2 created', 'plan-3 refused', 'plan-test created']);
    expect(plan[1]).toMatchObject({
      source: 'bank.ndjson:2',
      kind: 'item',
      notes: [{ code: 'markup-dropped', severity: 'lost', consequence: 'content' }],
    });

    const results = await importer.apply(planned);
    expect(results).toEqual({
      plan: planned.plan,
      ...planned.totals,
      not_as_planned: 0,
      not_as_planned_entries: [],
    });
    expect(await importer.read(started)).toMatchObject({ status: 'applied', totals: planned.totals });
    expect((await get('items', ['plan-1', 'plan-2', 'plan-3'])).map(({ reference }) => reference)).toEqual([
      'plan-2',
      'plan-1',
    ]);
    expect((await one('activities', 'plan-test')).data).toMatchObject({
      items: ['plan-1', 'plan-2'],
    });
  });

  it('name their author in every revision that they write', async () => {
    const { reference } = await importer.applied(bank(itemLine('author'), activityLine('author-test', 'author')));
    const author = `import-${reference}`;
    for (const [kind, name] of [
      ['question', 'author_1'],
      ['item', 'author'],
      ['activity', 'author-test'],
    ] as const)
      expect(await historyOf(kind, name)).toMatchObject([
        { created_by: author, operation: 'set itembank/imports/apply' },
      ]);
  });

  it('change nothing when they are applied a second time', async () => {
    const done = await importer.applied(bank(itemLine('twice')));
    const before = await historyOf('item', 'twice');
    const again = await client.set('itembank/imports/apply', { reference: done.reference, plan: done.plan });
    expectSuccess(again);
    expect(again.data).toEqual({ job_reference: done.job_reference });
    const other = await importer.planned('same.ndjson', bank(itemLine('twice')));
    expect(other.totals).toMatchObject({ created: 0, skipped: 1 });
    await importer.apply(other);
    expect(await historyOf('item', 'twice')).toEqual(before);
  });

  it.each([
    ['fail', ['clash refused'], 'old'],
    ['skip', ['clash skipped'], 'old'],
    ['replace', ['clash replaced'], 'new'],
    ['new-reference', ['clash-2 created'], 'old'],
  ])('treat an item with other content by the rule %s', async (rule, results, stimulus) => {
    const at = (text: string) => text.replace('clash', `clash-${rule}`);
    await importer.applied(bank(itemLine(at('clash'), 'old')));
    const planned = await importer.planned('bank.ndjson', bank(itemLine(at('clash'), 'new')), { on_collision: rule });
    expect(resultsOf(await importer.plan(planned))).toEqual(results.map(at));
    expect(await importer.apply(planned)).toMatchObject({ ...planned.totals, not_as_planned: 0 });
    expect(await stimulusOf(at('clash_1'))).toBe(stimulus);
  });

  it.each<[rule: string, results: string[]]>([
    ['fail', ['created', 'refused', 'created', 'refused']],
    // The bank has no item of the fourth reference, so it is not skipped.
    ['skip', ['created', 'skipped', 'created', 'refused']],
    ['replace', ['created', 'replaced', 'created', 'replaced']],
    ['new-reference', ['created', 'created', 'created', 'created']],
  ])('plan two records with one reference, or one question, as they are then stored: %s', async (rule, results) => {
    const name = `twice-${rule}`;
    const shared = (stimulus: string) => ({ widgets: [choice(`${name}_shared`, stimulus)] });
    const planned = await importer.planned(
      'bank.ndjson',
      bank(
        itemLine(name, 'first'),
        itemLine(name, 'second'),
        itemLine(`${name}-a`, '', shared('first')),
        itemLine(`${name}-b`, '', shared('second')),
      ),
      { on_collision: rule },
    );
    const plan = await importer.plan(planned);
    expect(plan.map(({ result }) => result)).toEqual(results);
    expect(await importer.apply(planned)).toMatchObject({ not_as_planned: 0 });
    expect((await importer.read(planned.reference)).totals).toEqual(planned.totals);
  });

  it('plan a new reference that no other record of the source has', async () => {
    await importer.applied(bank(itemLine('next')));
    const planned = await importer.planned(
      'bank.ndjson',
      bank(itemLine('next', 'other'), itemLine('next-2', 'of its own'), activityLine('next-test', 'next', 'next-2')),
      { on_collision: 'new-reference' },
    );
    expect(await importer.apply(planned)).toMatchObject({ created: 3, not_as_planned: 0 });
  });

  it('store nothing when a change of the bank has made the plan wrong', async () => {
    const planned = await importer.planned('bank.ndjson', bank(itemLine('stale-1'), itemLine('stale-2')));
    await write(client, { questions: [choice('stale-2_1', 'meanwhile')] });
    const job = await importer.begin(planned);
    const ended = await importer.ended(job);
    expect(ended.status).toBe('halted');
    expect(ended.error!.message).toContain('Nothing was stored');
    expect(await importer.read(planned.reference)).toMatchObject({
      status: 'halted',
      error: { code: 'conflict', message: ended.error!.message },
    });
    expect(await get('items', ['stale-1', 'stale-2'])).toEqual([]);

    // The job would continue if the bank had not changed since the plan.
    expect(await importer.begin(planned)).toBe(job);
    expect((await importer.ended(job)).status).toBe('halted');
    const replanned = await importer.planned('bank.ndjson', bank(itemLine('stale-1'), itemLine('stale-2')));
    expect(replanned.totals).toMatchObject({ created: 1, refused: 1 });
  });

  it('store the files of a package as assets', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const zip = await zipOf({
      'bank.ndjson': bank(itemLine('files', '<img src="itembank-asset:map.png">')),
      'assets/map.png': png,
    });
    await importer.applied(zip, 'bank.zip');
    const [, address] = /src="([^"]*)"/.exec((await stimulusOf('files_1')) as string)!;
    const stored = await fetch(`http:${address}`);
    expect(Buffer.from(await stored.arrayBuffer())).toEqual(png);
  });

  it('read a format that the request names, and formats of other programs', async () => {
    const gift = await importer.planned('questions.txt', '::Sound:: Sound needs a medium.{T}', { format: 'gift' });
    expect(gift).toMatchObject({ format: 'gift', totals: { created: 1 } });
    const answer = await client.set('itembank/imports', { key: 'x', format: 'word' });
    expectFailure(answer, 400, 20004, /format must be one of/);
  });

  describe('when they are reverted', () => {
    const revert = async (reference: string) => {
      const answer = await client.set('itembank/imports/revert', { reference });
      expectSuccess(answer);
      return importer.results(answer.data.job_reference);
    };

    it('archive what they created, restore what they replaced, and leave new questions alone', async () => {
      await importer.applied(bank(itemLine('back-1', 'first', { tags: [{ type: 'Level', name: '1' }] })));
      const before = await one('items', 'back-1', { include: { items: ['revision'] } });
      const { reference } = await importer.applied(
        bank(
          itemLine('back-1', 'second', { title: 'Other', tags: [{ type: 'Level', name: '2' }] }),
          itemLine('back-2'),
          activityLine('back-test', 'back-1', 'back-2'),
        ),
        'bank.ndjson',
        { on_collision: 'replace' },
      );
      expect([await stimulusOf('back-1_1'), (await one('items', 'back-1')).title]).toEqual(['second', 'Other']);
      const items = ['back-1', 'back-2'].map((item) => ({ organisation: 1, reference: item }));
      const responses = items.map((item) => answer(item.reference, `${item.reference}_1`, ['a']));
      const sessionId = '9b4a1f0e-0000-4000-8000-000000000001';
      await submit(service, [submission(sessionId, { items, responses })]);
      const taken = async () =>
        (await client.get('sessions/responses', { session_id: [sessionId] })).data as Record<string, unknown>[];
      const scored = await taken();
      expect(scored).toMatchObject([{ score: 2, max_score: 2 }]);

      service.clock.advance(SECOND);
      expect(await revert(reference)).toEqual({ restored: 2, archived: 2, kept: 1, changed: 0 });
      expect(await importer.read(reference)).toMatchObject({ status: 'reverted' });
      expect(await stimulusOf('back-1_1')).toBe('first');
      const { revision: _, ...content } = before;
      expect(await one('items', 'back-1')).toEqual(content);
      expect((await one('items', 'back-2')).status).toBe('archived');
      expect((await one('activities', 'back-test')).status).toBe('archived');
      expect(await stimulusOf('back-2_1')).toBe('Which?');
      const history = await historyOf('item', 'back-1');
      expect(history.at(-1)).toMatchObject({ operation: 'set itembank/imports/revert' });

      expect(await taken()).toEqual(scored);

      const again = await client.set('itembank/imports/revert', { reference });
      expectSuccess(again);
      expect(await historyOf('item', 'back-1')).toEqual(history);
      const late = await client.set('itembank/imports/apply', {
        reference,
        plan: (await importer.read(reference)).plan,
      });
      expectFailure(late, 409, 20011, /was reverted/);
    });

    it('are refused as a whole when a record was changed since, and name it', async () => {
      const { reference } = await importer.applied(bank(itemLine('kept-1'), itemLine('kept-2'), itemLine('kept-3')));
      service.clock.advance(SECOND);
      await write(client, { questions: [choice('kept-2_1', 'edited')] });
      await client.update('itembank/items/tags', { items: [{ reference: 'kept-3', tags: { Level: ['3'] } }] });
      const answer = await client.set('itembank/imports/revert', { reference });
      expectFailure(
        answer,
        409,
        20011,
        /changed since the import, so nothing was reverted: item "kept-3", question "kept-2_1"\./,
      );
      expect((await get('items', ['kept-1', 'kept-2', 'kept-3'])).map(({ status }) => status)).toEqual(
        new Array(3).fill('unpublished'),
      );
      expect(await importer.read(reference)).toMatchObject({ status: 'applied' });
    });

    it('are refused after a rename of a tag, which changes the records that carry it', async () => {
      const tags = [{ type: 'Level', name: 'named' }];
      const { reference } = await importer.applied(bank(itemLine('tagged', undefined, { tags })));
      service.clock.advance(10 * SECOND);
      const renamed = await client.update('itembank/tagging/tags', { ...tags[0], new_name: 'renamed' });
      await importer.results(renamed.data.job_reference);
      const answer = await client.set('itembank/imports/revert', { reference });
      expectFailure(answer, 409, 20011, /changed since the import, so nothing was reverted: item "tagged"\./);
    });

    it('go back one after another, the last one first', async () => {
      const first = await importer.applied(bank(itemLine('steps', 'first')));
      service.clock.advance(SECOND);
      const rule = { on_collision: 'replace' };
      const second = await importer.applied(bank(itemLine('steps', 'second')), 'bank.ndjson', rule);
      service.clock.advance(SECOND);
      const early = await client.set('itembank/imports/revert', { reference: first.reference });
      expectFailure(early, 409, 20011, /changed since the import/);
      expect(await revert(second.reference)).toMatchObject({ restored: 1, changed: 0 });
      expect(await stimulusOf('steps_1')).toBe('first');
      service.clock.advance(SECOND);
      expect(await revert(first.reference)).toMatchObject({ archived: 1, kept: 1, changed: 0 });
      expect((await one('items', 'steps')).status).toBe('archived');
    });

    it('restore items that follow the type of a question', async () => {
      await write(client, {
        questions: [choice('type-q', 'first', 'mcq')],
        items: [{ reference: 'type-holder', definition: { widgets: [{ reference: 'type-q' }] } }],
      });
      service.clock.advance(SECOND);
      const { reference } = await importer.applied(
        bank({ kind: 'question', ...choice('type-q', 'second', 'shorttext'), reference: 'type-q' }),
        'bank.ndjson',
        { on_collision: 'replace' },
      );
      const typeOf = async () => ((await one('items', 'type-holder')).questions as { type: string }[])[0]!.type;
      expect(await typeOf()).toBe('shorttext');
      service.clock.advance(SECOND);
      expect(await revert(reference)).toEqual({ restored: 2, archived: 0, kept: 0, changed: 0 });
      expect([await typeOf(), await stimulusOf('type-q')]).toEqual(['mcq', 'first']);
    });

    it('archive as many records as they created', async () => {
      await importer.applied(bank(itemLine('many', 'first')));
      service.clock.advance(SECOND);
      const { reference } = await importer.applied(
        bank(itemLine('many', 'second'), ...Array.from({ length: 60 }, (_, n) => itemLine(`many-${n}`))),
        'bank.ndjson',
        { on_collision: 'replace' },
      );
      service.clock.advance(SECOND);
      expect(await revert(reference)).toMatchObject({ restored: 1, archived: 60, changed: 0 });
      expect(await stimulusOf('many_1')).toBe('first');
      expect((await get('items', ['many-59']))[0]!.status).toBe('archived');
    });

    it('must have been applied', async () => {
      const planned = await importer.planned('bank.ndjson', bank(itemLine('never')));
      const answer = await client.set('itembank/imports/revert', { reference: planned.reference });
      expectFailure(answer, 409, 20011, /was not applied/);
    });
  });

  it.each<[string, string, () => Promise<Buffer | string>, string]>([
    [
      'a package with a path that leads outside of it',
      'x.zip',
      () => zipWithPath('../../etc/passwd'),
      'package-path-unsafe',
    ],
    ['a package that is cut off', 'x.zip', async () => 'PK\x03\x04 and nothing more', 'package-invalid'],
    [
      'a package that gets much larger by unpacking',
      'x.zip',
      () => zipOf({ 'a.xml': Buffer.alloc(30_000_000) }),
      'package-too-large',
    ],
    ['a file of no known format', 'x.bin', async () => Buffer.from([0, 1, 2, 3]), 'format-unknown'],
    ['a text in another encoding', 'x.gift', async () => Buffer.from('Caf\xe9?{T}', 'latin1'), 'text-encoding'],
    ['XML with a document type', 'x.xml', async () => '<!DOCTYPE a [<!ENTITY b "c">]><quiz>&b;</quiz>', 'xml-doctype'],
    ['a file without any record', 'x.ndjson', async () => '{\n[]\n"x"', 'nothing-found'],
  ])('refuse %s with a code', async (_, name, content, code) => {
    const reference = await importer.start(name, await content());
    const refused = await importer.settled(reference);
    expect(refused).toMatchObject({ status: 'refused', plan: null, error: { code } });
    expect(JSON.stringify(refused.error)).not.toContain('/tmp');
    const answer = await client.set('itembank/imports/apply', { reference, plan: '0'.repeat(64) });
    expectFailure(answer, 409, 20011, /has no plan/);
  });

  it('refuse unknown keys, references and plans', async () => {
    const planned = await importer.planned('bank.ndjson', bank(itemLine('unknown')));
    expectFailure(await client.set('itembank/imports', { key: 'x' }), 400, 30001, /itembank\/upload\/imports/);
    const { data } = await client.get('itembank/upload/imports', { name: 'late.xml' });
    expectFailure(await client.set('itembank/imports', { key: data.key }), 409, 20011, /has not been uploaded yet/);
    const { reference, plan } = planned;
    for (const path of ['apply', 'revert'])
      expectFailure(
        await client.set(`itembank/imports/${path}`, { reference: reference.toLowerCase(), plan }),
        400,
        30001,
        /there is no import/,
      );
    expectFailure(
      await client.set('itembank/imports/apply', { reference, plan: '0'.repeat(64) }),
      409,
      20011,
      /the plan of the import is/,
    );
  });

  it('belong to one organisation with their files, and need write access', async () => {
    const planned = await importer.planned('bank.ndjson', bank(itemLine('private')));
    const stranger = await service.consumerOf([2, 'write']);
    expect((await stranger.get('itembank/imports', { references: [planned.reference] })).data).toEqual([]);
    const { reference, plan } = planned;
    expectFailure(await stranger.set('itembank/imports/apply', { reference, plan }), 400, 30001);
    const key = await importer.upload('bank.ndjson', bank(itemLine('private')));
    expectFailure(await stranger.set('itembank/imports', { key }), 400, 30001);
    const reader = await service.consumerOf([1, 'read']);
    for (const [action, path, request] of [
      ['get', 'upload/imports', { name: 'x' }],
      ['set', 'imports', { key }],
      ['set', 'imports/apply', { reference, plan }],
      ['set', 'imports/revert', { reference }],
    ] as const)
      expectFailure(await reader.call(`itembank/${path}`, action, request), 403, 40003);
    expectSuccess(await reader.get('itembank/imports', { references: [reference] }));
  });

  it('give out no address at which an uploaded file can be read', async () => {
    const { data } = await client.get('itembank/upload/imports', { name: 'secret.xml' });
    const headers = { 'Content-Type': data.content_type as string };
    expect((await fetch(data.upload, { method: 'PUT', headers, body: 'secret' })).status).toBe(200);
    const address = new URL(data.upload as string);
    for (const url of [address.href, `${address.origin}${address.pathname}`])
      expect((await fetch(url)).status).toBe(403);
    service.clock.advance(HOUR);
    const late = (await (await fetch(data.upload, { method: 'PUT', headers, body: 'late' })).json()) as Pick<
      Answer,
      'meta'
    >;
    expect(late.meta.message).toMatch(/expired at .*; ask itembank\/upload\/imports for a new one/);
    expect((await fetch(`${address.origin}${address.pathname.replace('/private', '')}`)).status).toBe(404);
  });

  it('are read from an unnamed copy, so that a killed process leaves no file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'itembank-imports-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      const text = 'first\nsecond';
      for (const content of [text, await zipOf({ 'bank.ndjson': text })]) {
        const file = { file: await importer.upload('bank.ndjson', content), name: 'bank.ndjson' };
        const read = await service.get(Uploads).read(1, file, new AbortController().signal, async (source) => {
          // A second reading begins at the start again, also after one that stopped early.
          const texts: string[] = [];
          for await (const line of source.lines('bank.ndjson')) if (texts.push(line) === 1) break;
          for (let time = 0; time < 2; time++) texts.push(String(await source.bytes('bank.ndjson')));
          return { paths: source.paths, texts, folder: readdirSync(folder) };
        });
        expect(read).toEqual({
          paths: ['bank.ndjson'],
          texts: ['first', 'first\nsecond', 'first\nsecond'],
          folder: [],
        });
      }
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true });
    }
  });

  it('are read in pages, newest first', async () => {
    const all = await client.all('itembank/imports', { limit: 50 });
    const pages = await client.all('itembank/imports', { limit: 7 });
    expect(pages.map(({ reference }) => reference)).toEqual(all.map(({ reference }) => reference));
    expect(all.map(({ reference }) => reference)).toEqual([...all.map(({ reference }) => reference)].sort().reverse());
  });

  it('are removed with their files once they are as old as jobs get', async () => {
    const { reference } = await importer.applied(bank(itemLine('old')));
    service.clock.advance(10 * 366 * DAY);
    await service.get(OldImports).sweep();
    expect((await client.get('itembank/imports', {})).data).toEqual([]);
    for (const table of ['bank_import', 'import_record', 'import_file'])
      expect(await service.database.rows(`SELECT * FROM ${table}`)).toEqual([]);
    expectFailure(await client.set('itembank/imports/revert', { reference }), 400, 30001);
    expect(service.get(JobRunner).types).toContain('plan-import');
  });
});

describe.each(anEngine(__filename))('an interrupted import on %s', (engine) => {
  let service: TestService;
  let importer: Importer;
  let elsewhere: (() => Promise<void>) | undefined;
  beforeEach(async () => {
    service = await startServiceLater(engine);
    importer = new Importer(service);
  });
  afterEach(async () => {
    await elsewhere?.();
    await service?.close();
  });
  const references = async (path: string, wanted: string[]) =>
    ((await service.client.get(path, { references: wanted })).data as { reference: string }[]).map(
      (each) => each.reference,
    );

  /** The results of a job that only the other process can take: its sweep finds the job a minute later. */
  const later = (job: string) => {
    service.clock.advance(60_000);
    return importer.results(job);
  };
  const historyOf = (reference: string) =>
    service.client.all('itembank/history', { kind: 'item', references: [reference] });

  it('continues where it was when the process that applies it stops', async () => {
    const lines = Array.from({ length: 1200 }, (_, index) => itemLine(`stopped-${index}`));
    const planned = await importer.planned('bank.ndjson', bank(...lines, activityLine('stopped-test', 'stopped-1199')));
    const job = await importer.beginAndStop(planned);
    const early = await historyOf('stopped-0');

    elsewhere = await importer.takeJobsElsewhere();
    expect(await importer.results(job)).toMatchObject({ created: 1201, not_as_planned: 0 });
    expect(await historyOf('stopped-0')).toEqual(early);
    const items = await service.client.all('itembank/items', { created_by: [`import-${planned.reference}`] });
    expect(items).toHaveLength(1200);
    expect(await references('itembank/activities', ['stopped-test'])).toEqual(['stopped-test']);
  });

  it('does not end as applied when the rest of its file is gone', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => itemLine(`short-${index}`));
    const { data } = await service.client.get('itembank/upload/imports', { name: 'bank.ndjson' });
    const { key, upload, content_type: type } = data as Record<'key' | 'upload' | 'content_type', string>;
    const send = (body: string) => fetch(upload, { method: 'PUT', headers: { 'Content-Type': type }, body });
    await send(bank(...lines));
    const planned = await importer.settled(await importer.startWith(key));
    const job = await importer.beginAndStop(planned);
    await send(bank(...lines.slice(0, 900)));
    elsewhere = await importer.takeJobsElsewhere();
    const { status, error } = await importer.ended(job);
    expect([status, error!.message]).toEqual(['halted', expect.stringContaining('The file is not what was planned')]);
    expect(await importer.read(planned.reference)).toMatchObject({ status: 'halted' });
    // The whole file again: the job stores the rest.
    await send(bank(...lines));
    expect(await later(await importer.begin(planned))).toMatchObject({ created: 1000, not_as_planned: 0 });
    expect(await references('itembank/items', ['short-999'])).toEqual(['short-999']);
  });

  it.each(['goes on', 'is reverted as far as it went'])('%s after it was cancelled', async (way) => {
    const name = way === 'goes on' ? 'on' : 'back';
    const lines = Array.from({ length: 1000 }, (_, index) => itemLine(`cut-${name}-${index}`));
    const planned = await importer.planned('bank.ndjson', bank(...lines));
    const job = await importer.beginAndStop(planned);
    const { client } = service;
    expectSuccess(await client.call('jobs', 'update', { references: [job], action: 'cancel' }));
    expect(await importer.read(planned.reference)).toMatchObject({ status: 'halted' });
    elsewhere = await importer.takeJobsElsewhere();
    const statuses = async (status: string) =>
      (await client.all('itembank/items', { created_by: [`import-${planned.reference}`], status: [status] })).length;
    if (way === 'goes on') {
      expect(await later(await importer.begin(planned))).toMatchObject({ created: 1000, not_as_planned: 0 });
      expect(await statuses('unpublished')).toBe(1000);
      return;
    }
    const stored = await statuses('unpublished');
    expect(stored).toBeGreaterThan(0);
    const answer = await client.set('itembank/imports/revert', { reference: planned.reference });
    const { job_reference: back } = answer.data as { job_reference: string };
    expect(await later(back)).toMatchObject({ archived: stored, changed: 0 });
    expect([await statuses('unpublished'), await statuses('archived')]).toEqual([0, stored]);
  });

  it('goes on after its revert was refused by the job, because a record changed while the job waited', async () => {
    const planned = await importer.planned(
      'bank.ndjson',
      bank(...Array.from({ length: 1000 }, (_, index) => itemLine(`waited-${index}`))),
    );
    const { reference } = planned;
    const job = await importer.beginAndStop(planned);
    const { client } = service;
    expectSuccess(await client.call('jobs', 'update', { references: [job], action: 'cancel' }));
    const revert = async () =>
      (await client.set('itembank/imports/revert', { reference })).data.job_reference as string;
    const back = await revert();
    const late = await client.set('itembank/imports/apply', { reference, plan: planned.plan });
    expectFailure(late, 409, 20011, /the import is being reverted/);
    service.clock.advance(1000);
    await write(client, { questions: [choice('waited-0_1', 'edited')] });
    elsewhere = await importer.takeJobsElsewhere();
    const refused = 'changed since the import, so nothing was reverted: question "waited-0_1".';
    expect(await importer.ended(back)).toMatchObject({
      status: 'halted',
      error: { message: expect.stringContaining(refused) },
    });
    expect(await importer.read(reference)).toMatchObject({
      status: 'halted',
      error: { code: 'conflict', message: expect.stringContaining(refused) },
      job_reference: job,
    });
    expect(await later(await importer.begin(planned))).toMatchObject({ created: 1000, not_as_planned: 0 });
    expect(await importer.read(reference)).toMatchObject({ status: 'applied', error: null });
    // The refused job must not begin again beside it.
    expectSuccess(await client.call('jobs', 'update', { references: [back], action: 'retry' }));
    service.clock.advance(60_000);
    expect(await importer.ended(back)).toMatchObject({ status: 'halted' });
    expect(await importer.read(reference)).toMatchObject({ status: 'applied', job_reference: job });
  });

  it('refuses entries that changed meanwhile, and stores the others', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => itemLine(`race-${index}`));
    const planned = await importer.planned('bank.ndjson', bank(...lines));
    const job = await importer.beginAndStop(planned);
    await write(service.client, { questions: [choice('race-999_1', 'meanwhile')] });
    elsewhere = await importer.takeJobsElsewhere();
    expect(await importer.results(job)).toMatchObject({
      created: 999,
      refused: 1,
      not_as_planned: 1,
      not_as_planned_entries: [{ source: 'bank.ndjson:1000', reference: 'race-999' }],
    });
    const [question] = (await service.client.get('itembank/questions', { references: ['race-999_1'] })).data;
    expect(question.data.stimulus).toBe('meanwhile');
    expect(await references('itembank/items', ['race-999'])).toEqual([]);
    expect(await importer.read(planned.reference)).toMatchObject({
      status: 'applied',
      totals: { created: 999, refused: 1 },
    });
  });

  it('restores, when it is reverted, the revision that somebody else made between two of its own changes', async () => {
    const { client } = service;
    await write(client, {
      questions: [choice('between_1', 'first')],
      items: [{ reference: 'between', title: 'First', definition: { widgets: [{ reference: 'between_1' }] } }],
    });
    service.clock.advance(1000);
    const planned = await importer.planned(
      'bank.ndjson',
      bank(itemLine('between', 'second'), ...Array.from({ length: 1000 }, (_, index) => itemLine(`filler-${index}`)), {
        kind: 'tags',
        reference: 'between',
        tags: [{ type: 'Level', name: '1' }],
      }),
      { on_collision: 'replace' },
    );
    const job = await importer.beginAndStop(planned);
    service.clock.advance(1000);
    const edited = { reference: 'between', title: 'Edited', definition: { widgets: [{ reference: 'between_1' }] } };
    await write(client, { items: [edited] });
    elsewhere = await importer.takeJobsElsewhere();
    await importer.results(job);
    const itemNow = async () => (await client.get('itembank/items', { references: ['between'] })).data[0];
    expect(await itemNow()).toMatchObject({ title: 'Edited', tags: { Level: ['1'] } });

    service.clock.advance(1000);
    // As if somebody changed a record after the job read it, and before the job restored it.
    const changed = new Fault('conflict', 'questions[0].if_revision is 1, but the present revision is 2.');
    const restore = jest.spyOn(Restoration.prototype, 'restore').mockRejectedValueOnce(changed);
    const answer = await client.set('itembank/imports/revert', { reference: planned.reference });
    expectSuccess(answer);
    // The queue of the service is closed; others find the job in the table, after a while, and after a failure again.
    const back = answer.data.job_reference as string;
    try {
      await until(async () => {
        const [found] = (await client.get('jobs', { references: [back] })).data as { status: string }[];
        // Less than a lease, which another process may have taken since.
        if (found!.status === 'queued') service.clock.advance(10_000);
        return ['completed', 'halted'].includes(found!.status) || undefined;
      });
      expect(restore).toHaveBeenCalledTimes(3);
    } finally {
      restore.mockRestore();
    }
    expect(await importer.results(back)).toMatchObject({
      restored: 2,
      archived: 1000,
      changed: 0,
    });
    expect(await itemNow()).toMatchObject({ title: 'Edited', tags: {} });
  });
});
