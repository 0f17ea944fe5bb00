import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Consumers } from '#access';
import { Exporting, WRITERS } from '#interchange';
import { type JsonObject } from '#kernel';
import { type Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { MOODLE_QUIZ, QTI_PACKAGE, UNSCORED_ITEMS } from './support/original-samples';

interface Report {
  import: string | null;
  created: number;
  skipped: number;
  replaced: number;
  refused: number;
  entries: { source: string; reference: string; result: string; notes: { code: string }[] }[];
}
type Files = Record<string, string | Buffer>;

/* INTERCHANGE_EXAMPLES_DIR names a folder with folders qti22 and own, whose files are tried too. */
const EXAMPLES = [join(__dirname, 'examples'), process.env.INTERCHANGE_EXAMPLES_DIR].flatMap((folder) => folder ?? []);
const inFolders = (name: string): string[] => EXAMPLES.map((folder) => join(folder, name)).filter(existsSync);
const MOODLE_FILES = inFolders('own').flatMap((folder) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => /\.xml$/.test(path) && /<quiz/.test(readFileSync(path, 'utf8'))),
);

describe.each(anEngine(__filename))('an item that nobody has edited since its import on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let client: Client;
  let settings: Record<string, string>;
  let folder: string;
  let organisation: number;
  beforeAll(async () => {
    settings = { ...service.settings, PORT: new URL(service.url).port };
    organisation = 100;
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'itembank-originals-'));
    organisation++;
    await service.get(Consumers).addOrganisation({ id: organisation, name: `Organisation ${organisation}` });
    client = await service.consumer({ grants: [{ organisation, access: 'write', primary: true }] });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const written = (name: string, files: Files): string => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), content);
    }
    return join(folder, name);
  };
  const filesIn = (path: string): Map<string, Buffer> =>
    new Map(
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file.slice(path.length + 1), readFileSync(file)]),
    );
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await commandHere([...args, '--organisation', String(organisation), '--json'], {
      settings,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Report & { notes: { reference: string; code: string }[] };
  };
  const imported = (path: string) => run('import', path, '--apply');
  const exported = async (format: string) => {
    const path = mkdtempSync(join(folder, 'export-'));
    const { notes } = await run('export', join(path, 'bank'), '--format', format);
    return { path: join(path, 'bank'), files: filesIn(join(path, 'bank')), notes };
  };
  const createdIn = ({ entries }: Report) => entries.filter(({ result }) => result === 'created');
  /** The questions of a quiz, exactly as in the file. */
  const questionsIn = (quiz: string): string[] =>
    quiz.match(/<question\b[^]*?(?:<\/question>|(?<=<question [^<>]*)\/>)/g) ?? [];
  const read = async (path: string, reference: string) =>
    (await client.get(`itembank/${path}`, { references: [reference] })).data[0] as JsonObject;
  const change = async (reference: string, data: JsonObject) => {
    const { type, data: before } = await read('questions', reference);
    const question = { reference, type, data: { ...(before as JsonObject), ...data } };
    expectSuccess(await client.set('itembank/questions', { questions: [question] }));
  };

  it.each(inFolders('qti22'))('is exported as the bytes of its file: the items of %s', async (examples) => {
    cpSync(examples, join(folder, 'in'), { recursive: true });
    const report = await imported(join(folder, 'in'));
    const { files, path } = await exported('qti-2.2');
    const created = createdIn(report).filter(({ source }) => source.endsWith('.xml'));
    expect(created.length).toBeGreaterThan(0);
    for (const { source } of created)
      expect([source, files.get(`sources/1/${source}`)?.toString()]).toEqual([
        source,
        readFileSync(join(examples, source), 'utf8'),
      ]);

    expect(await run('import', path)).toMatchObject({ created: 0, replaced: 0, refused: 0, skipped: report.created });

    const [edited, ...others] = created;
    const item = await read('items', edited!.reference);
    const [{ reference }] = (item.definition as { widgets: { reference: string }[] }).widgets as [
      { reference: string },
    ];
    await change(reference, { stimulus: 'Edited?' });
    const after = await exported('qti-2.2');
    expect(after.files.get(`sources/1/${edited!.source}`)).toBeUndefined();
    expect(after.files.get(`items/${edited!.reference}.xml`)?.toString()).toContain('Edited?');
    for (const { source } of others)
      expect(after.files.get(`sources/1/${source}`)).toEqual(readFileSync(join(examples, source)));
  });

  it.each([...MOODLE_FILES, 'a quiz with files and odd characters'])(
    'is exported as the characters of its question: %s',
    async (quiz) => {
      const text = quiz.startsWith('/') ? readFileSync(quiz, 'utf8') : MOODLE_QUIZ;
      const path = join(written('in', { [basename(`${quiz}.xml`)]: text }), basename(`${quiz}.xml`));
      const report = await imported(path);
      const out = await exported('moodle-xml');
      const places = createdIn(report).map(({ source }) => Number(/question(?:\[(\d+)\])?$/.exec(source)![1] ?? 1));
      const sources = questionsIn(text);
      const given = questionsIn(out.files.get('moodle.xml')!.toString());
      for (const place of places) expect(given).toContain(sources[place - 1]);
      expect(out.notes).toEqual([]);
      expect(await run('import', join(out.path, 'moodle.xml'))).toMatchObject({
        created: 0,
        replaced: 0,
        refused: 0,
        skipped: report.created,
      });

      const created = createdIn(report);
      const isQuestion = async (reference: string) => (await read('questions', `${reference}_1`)) !== undefined;
      const edited = (await isQuestion(created[0]!.reference)) ? 0 : 1;
      await change(`${created[edited]!.reference}_1`, { stimulus: 'Edited?', template: 'Edited? {{response}}' });
      const after = questionsIn((await exported('moodle-xml')).files.get('moodle.xml')!.toString());
      for (const [at, place] of places.entries())
        expect([place, after.includes(sources[place - 1]!)]).toEqual([place, at !== edited]);
    },
  );

  it('is exported as the characters of its question, when its quiz was in UTF-16', async () => {
    const quiz = MOODLE_QUIZ.replace('encoding="UTF-8"', 'encoding="UTF-16"');
    const report = await imported(join(written('in', { 'quiz.xml': Buffer.from(quiz, 'utf16le') }), 'quiz.xml'));
    expect(report).toMatchObject({ created: 3, refused: 0 });
    const given: string[] = questionsIn((await exported('moodle-xml')).files.get('moodle.xml')!.toString());
    for (const question of questionsIn(quiz).slice(2)) expect(given).toContain(question);
  });

  const setItem = async (reference: string, more: object) => {
    const { title, definition, metadata, note } = await read('items', reference);
    const item = { reference, title, definition, metadata, note, ...more };
    expectSuccess(await client.set('itembank/items', { items: [item] }));
  };
  const originalsIn = (files: Map<string, Buffer>) => [...files.keys()].filter((path) => path.startsWith('sources/'));
  const expectSources = (files: Map<string, Buffer>, number: number, from: Files = QTI_PACKAGE) => {
    for (const [path, content] of Object.entries(from))
      if (!/imsmanifest|test/.test(path))
        expect([path, files.get(`sources/${number}/${path}`)]).toEqual([path, Buffer.from(content as string)]);
  };

  it('is exported with the passages, style sheets and files to which it refers, at their old paths', async () => {
    const report = await imported(written('in', QTI_PACKAGE));
    expect(report.entries.map(({ reference, notes }) => [reference, notes.map(({ code }) => code)])).toEqual([
      ['one', ['style-dropped']],
      ['two', ['style-dropped']],
      ['exam', []],
    ]);
    const { files, path, notes } = await exported('qti');
    expect(notes).toEqual([]);
    expectSources(files, 1);
    expect([...files.keys()].filter((name) => /^(items|media|stimuli)/.test(name))).toEqual([]);
    expect(files.get('tests/exam.xml')!.toString()).toContain('href="../sources/1/exam/items/one.xml"');
    const manifest = files.get('imsmanifest.xml')!.toString();
    for (const name of originalsIn(files))
      expect(manifest).toContain(`href="${name.split('/').map(encodeURIComponent).join('/')}"`);

    expect(await run('import', path)).toMatchObject({ created: 0, replaced: 0, refused: 0, skipped: 3 });
  });

  it('is exported in the encoding of its file, with its passages and style sheets', async () => {
    const ENCODINGS: Record<string, (text: string) => Buffer> = {
      'UTF-16': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      'UTF-16BE': (text) => Buffer.from(text, 'utf16le').swap16(),
      'ISO-8859-1': (text) => Buffer.from(text, 'latin1'),
    };
    const names = Object.keys(ENCODINGS);
    const sources = Object.entries(QTI_PACKAGE).map(([path, content], at): [string, Buffer] => {
      const name = names[at % names.length]!;
      const text = content
        .toString()
        .replace(/Which\?|Salt/, 'Où, Ärger?')
        .replace(/^<(?!\?)/, '<?xml version="1.0"?>\n<')
        .replace(/<\?xml[^?]*\?>/, `<?xml version="1.0" encoding="${name}"?>`);
      const isOther = /items|texts/.test(path);
      return [path, isOther ? ENCODINGS[name]!(text) : Buffer.from(content as string)];
    });
    const files = Object.fromEntries(sources);
    const first = await imported(written('in', files));
    expect(first.entries.map(({ notes }) => notes.map(({ code }) => code))).toEqual([
      ['style-dropped'],
      ['style-dropped'],
      [],
    ]);
    const out = await exported('qti');
    expectSources(out.files, 1, files);
    expect(await run('import', out.path)).toMatchObject({ created: 0, replaced: 0, refused: 0, skipped: 3 });
    const { definition } = await read('items', 'one');
    expect((definition as { widgets: object[] }).widgets).toHaveLength(2);
    expect(await read('questions', 'one_1')).toMatchObject({
      data: { stimulus: expect.stringContaining('Où') as unknown },
    });
  });

  it('is exported as the bytes of its file, and keeps its note, through three banks, when it cannot be scored', async () => {
    const sources = Object.fromEntries(Object.entries(UNSCORED_ITEMS).map(([path, [markup]]) => [path, markup]));
    let path = written('in', sources);
    for (const bank of ['first', 'second', 'third']) {
      await service.get(Consumers).addOrganisation({ id: ++organisation, name: bank });
      client = await service.consumer({ grants: [{ organisation, access: 'write', primary: true }] });
      const { entries } = await imported(path);
      for (const [name, [, code]] of Object.entries(UNSCORED_ITEMS)) {
        const entry = entries.find(({ source }) => source.endsWith(name))!;
        expect([bank, name, entry.result, entry.notes.map((note) => note.code)]).toEqual([
          bank,
          name,
          'created',
          expect.arrayContaining([code]),
        ]);
        const { tags } = await read('items', entry.reference);
        expect([bank, name, tags]).toEqual([bank, name, { Import: ['Not scored'] }]);
      }
      const out = await exported('qti');
      expectSources(out.files, 1, sources);
      path = out.path;
    }
  });

  it('keeps its QTI file when its tags and status change, and another import restores these', async () => {
    await imported(written('in', QTI_PACKAGE));
    const beside = { tags: { Subject: ['Seas'] }, status: 'unpublished', description: 'About the sea' };
    await setItem('one', beside);
    const { files, path, notes } = await exported('qti');
    expectSources(files, 1);
    expect(notes.map(({ reference, code }) => `${reference} ${code}`)).toEqual(['one member-kept-aside']);

    const other = ++organisation;
    await service.get(Consumers).addOrganisation({ id: other, name: 'Other' });
    client = await service.consumerOf([other, 'write']);
    expect(await imported(path)).toMatchObject({ created: 3, refused: 0 });
    const { data } = await client.get('itembank/items', { references: ['one'] });
    expect(data[0]).toMatchObject({ description: 'About the sea', status: 'unpublished' });
    const again = await exported('qti');
    expectSources(again.files, 1);
    expect(again.files.get('imsmanifest.xml')!.toString()).toContain('Seas');
  });

  it('is in a folder of its own when another package had the same paths', async () => {
    const others = Object.fromEntries(
      Object.entries(QTI_PACKAGE).map(([path, content]) => [
        path.replace('items/one', 'items/first'),
        Buffer.isBuffer(content)
          ? Buffer.concat([content, Buffer.from('more')])
          : content
              .replaceAll(/identifier="(one|two|sea|exam)"/g, 'identifier="other-$1"')
              .replaceAll('items/one', 'items/first'),
      ]),
    );
    await imported(written('in', QTI_PACKAGE));
    await imported(written('other', others));
    const { files, path } = await exported('qti');
    expectSources(files, 1);
    expectSources(files, 2, others);
    expect(await run('import', path)).toMatchObject({ created: 0, replaced: 0, refused: 0, skipped: 6 });
  });

  it('keeps its source when it moves to another bank as NDJSON', async () => {
    await imported(written('in', QTI_PACKAGE));
    await imported(join(written('quiz', { 'quiz.xml': MOODLE_QUIZ }), 'quiz.xml'));
    const { path } = await exported('ndjson');
    await service.get(Consumers).addOrganisation({ id: ++organisation, name: 'Other' });
    expect(await imported(path)).toMatchObject({ refused: 0 });
    expectSources((await exported('qti')).files, 1);
    const given: string[] = questionsIn((await exported('moodle-xml')).files.get('moodle.xml')!.toString());
    for (const question of questionsIn(MOODLE_QUIZ).slice(2)) expect(given).toContain(question);
  });

  it('keeps its source when it moves to another bank in another format', async () => {
    await imported(join(written('quiz', { 'quiz.xml': MOODLE_QUIZ }), 'quiz.xml'));
    const { path, notes } = await exported('qti');
    expect(notes).toEqual([]);
    expect(await run('import', path)).toMatchObject({ created: 0, replaced: 0, refused: 0, skipped: 3 });
    await service.get(Consumers).addOrganisation({ id: ++organisation, name: 'Other' });
    expect(await imported(path)).toMatchObject({ created: 3, refused: 0 });
    const given: string[] = questionsIn((await exported('moodle-xml')).files.get('moodle.xml')!.toString());
    for (const question of questionsIn(MOODLE_QUIZ).slice(2)) expect(given).toContain(question);
  });

  it.each([
    ['renamed', { new_reference: 'another' }],
    ['with another title', { title: 'Another' }],
    ['with a note for authors', { note: 'Another' }],
    ['with further metadata', { metadata: { acknowledgements: 'Thanks' } }],
  ])('no longer returns its source when it is %s', async (_, change) => {
    await imported(written('in', QTI_PACKAGE));
    const { metadata } = await read('items', 'one');
    await setItem('one', {
      ...change,
      metadata: { ...(metadata as object), ...((change as JsonObject).metadata as object) },
    });
    const { files } = await exported('qti');
    expect(files.get('sources/1/exam/items/one.xml')).toBeUndefined();
    expect(files.get('sources/1/exam/items/two.xml')?.toString()).toBe(QTI_PACKAGE['exam/items/two.xml']);
    expect([...files.keys()].filter((path) => path.startsWith('items/'))).toHaveLength(2);
  });

  it('does not return its source at a path that leaves the package', async () => {
    await imported(written('in', QTI_PACKAGE));
    const { metadata } = await read('items', 'one');
    for (const path of ['../../one.xml', '/one.xml', 'C:one.xml', 'a\\one.xml', '', null, undefined]) {
      const source = { ...((metadata as JsonObject).import_source as JsonObject), path };
      await setItem('one', { metadata: { import_source: source } });
      const { files } = await exported('qti');
      expect([path, files.has('items/one.xml')]).toEqual([path, true]);
      expect(originalsIn(files).every((name) => name.startsWith('sources/1/exam/'))).toBe(true);
    }
  });

  it('is converted for another format, and for another version of QTI', async () => {
    await imported(written('in', QTI_PACKAGE));
    const { files } = await exported('qti-2.2');
    expect(originalsIn(files)).toEqual([]);
    expect(files.get('items/one.xml')!.toString()).toContain('imsqti_v2p2');
    const quiz = await exported('moodle-xml');
    expect(quiz.files.get('moodle.xml')!.toString()).toContain('<idnumber>one</idnumber>');
    expect((await exported('csv')).notes.map(({ code }) => code)).not.toContain('layout-approximated');
  });

  it('keeps no source that is longer than 100,000 characters', async () => {
    const long = { 'long.xml': String(QTI_PACKAGE['exam/items/two.xml']).replace('No picture.', 'x'.repeat(100_000)) };
    await imported(written('in', long));
    expect((await read('items', 'two')).metadata).toBeNull();
    expect((await exported('qti')).files.has('items/two.xml')).toBe(true);
  });

  it('is not found by a search for words that are only in its source', async () => {
    await imported(written('in', QTI_PACKAGE));
    const found = async (text: string) => (await client.get('itembank/search', { text })).data as unknown[];
    expect(await found('which')).toHaveLength(2);
    for (const word of ['written', 'hand', '123456', 'assessment'])
      expect([word, await found(word)]).toEqual([word, []]);
  });

  it('is restored with its source when an import that replaced it is reverted', async () => {
    const changed = Object.fromEntries(
      Object.entries(QTI_PACKAGE).map(([path, content]) => [
        path,
        Buffer.isBuffer(content) ? content : content.replace('Which?', 'Which one?'),
      ]),
    );
    await imported(written('in', QTI_PACKAGE));
    const second = await run('import', written('changed', changed), '--apply', '--on-collision', 'replace');
    expectSources((await exported('qti')).files, 1, changed);
    // The command sends no message for its job. The service takes jobs without a message after a minute.
    service.clock.advance(Date.now() + 120_000 - service.clock.now());
    const args = ['import', 'revert', second.import!, '--organisation', String(organisation)];
    const { code, stderr } = await commandHere(args, { settings });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const files = new Map<string, Buffer>();
    const qti = WRITERS.find(({ name }) => name === 'qti')!;
    for await (const { path, content } of service.get(Exporting).files(qti, { organisation }, {}, () => undefined))
      files.set(path, await buffer(content));
    expectSources(files, 1);
  });
});
