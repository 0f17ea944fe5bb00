import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Entry, FORMATS, openSource, Schemas, Unreadable } from '#interchange';
import { commandHere } from '../support/command-line';

const QTI = 'http://www.imsglobal.org/xsd/imsqti_v2p2';
const schema = (content: string, target = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" ${target}>${content}</xs:schema>`;
const OF_QTI = `targetNamespace="${QTI}" xmlns="${QTI}" elementFormDefault="qualified"`;

/** Schemas of our own: items have a title and a body, and questions of a quiz have a type. */
const SCHEMAS = {
  'qti/item types.xsd': schema(
    `<xs:complexType name="Item"><xs:sequence><xs:any maxOccurs="unbounded" processContents="skip"/></xs:sequence>
      <xs:attribute name="identifier" type="xs:NCName" use="required"/><xs:attribute name="title" use="required"/>
    </xs:complexType>`,
    OF_QTI,
  ),
  'qti/item.xsd': schema(
    `<xs:include schemaLocation="https://schemas.example/of/qti/item types.xsd"/>
    <xs:element name="assessmentItem" type="Item"/>`,
    OF_QTI,
  ),
  'moodle.xsd': schema(`<xs:element name="quiz"><xs:complexType><xs:sequence>
    <xs:element name="question" maxOccurs="unbounded"><xs:complexType><xs:sequence>
      <xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>
    </xs:sequence><xs:attribute name="type" use="required"/></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>`),
};

const item = (attributes: string) => `<assessmentItem xmlns="${QTI}" ${attributes}>
  <itemBody><p>Text</p></itemBody>
</assessmentItem>`;
const TWO_MISTAKES = `<quiz>
  <question><name><text>None</text></name></question>
  <question type="description"><name><text>One</text></name><questiontext><text>Read.</text></questiontext></question>
  <topic/>
</quiz>`;

describe('an import with --schemas', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'itembank-schemas-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const written = (files: Record<string, string>, name: string): string => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), content);
    }
    return join(folder, name);
  };
  const read = async (format: string, files: Record<string, string>, schemas: Record<string, string> = SCHEMAS) => {
    const checking = await Schemas.in(written(schemas, 'schemas'));
    const source = checking.checking(await openSource(written(files, 'source')));
    const entries: Entry[] = [];
    for await (const entry of FORMATS.find(({ name }) => name === format)!.read(source)) entries.push(entry);
    return entries;
  };

  it('reads files that follow their schema, and files without a schema', async () => {
    const entries = await read('qti', {
      'items/one.xml': item('identifier="one" title="One"'),
      'items/three.xml': item('identifier="three"').replaceAll('imsqti_v2p2', 'imsqti_v2p1'),
    });
    expect(entries.map(({ reference, notes }) => [reference, notes])).toEqual([
      ['one', []],
      ['three', []],
    ]);
  });

  it('refuses an item that violates its schema, with a note for each mistake, and reads all others', async () => {
    const entries = await read('qti', {
      'items/one.xml': item('identifier="one" title="One"'),
      'items/two.xml': item('identifier="2"'),
    });
    expect(entries.map(({ source, record }) => [source, record?.kind ?? null])).toEqual([
      ['items/one.xml', 'item'],
      ['items/two.xml', null],
    ]);
    expect(entries[1]!.notes.map(({ code, at }) => `${code} ${at}`)).toEqual([
      'schema-violated items/two.xml:1',
      'schema-violated items/two.xml:1',
      'entry-unreadable items/two.xml:1',
    ]);
    expect(JSON.stringify(entries[1]!.notes)).toContain("The attribute 'title' is required but missing");
    expect(JSON.stringify(entries[1]!.notes)).toContain("'2' is not a valid value of the atomic type 'xs:NCName'");
  });

  it('refuses a whole quiz, and names the line of each mistake', async () => {
    const refusal = await read('moodle-xml', { 'quiz.xml': TWO_MISTAKES }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Unreadable);
    const { code, at, message, violations } = refusal as Unreadable;
    expect([code, at]).toEqual(['schema-invalid', 'quiz.xml:2']);
    expect(violations.map((violation) => violation.at)).toEqual(['quiz.xml:2', 'quiz.xml:4']);
    expect(message).toContain("line 2: Element 'question': The attribute 'type' is required but missing.");
    expect(message).toContain("line 4: Element 'topic': This element is not expected.");
  });

  it('refuses a DOCTYPE before anything is checked', async () => {
    const quiz = `<!DOCTYPE quiz [<!ENTITY a "b">]>${TWO_MISTAKES}`;
    await expect(read('moodle-xml', { 'quiz.xml': quiz })).rejects.toMatchObject({ code: 'xml-doctype' });
  });

  it.each([
    ['has no schema', { 'readme.txt': 'x' }, 'has no schema: no file ends with .xsd'],
    ['has a schema that is no XML', { 'a.xsd': '<' }, 'The schema cannot be read'],
    ['has another document', { 'a.xsd': '<a/>' }, 'a.xsd is not a schema'],
    [
      'has two schemas of one name',
      { 'x/a.xsd': schema(''), 'y/a.xsd': schema('') },
      'two schemas with the name a.xsd',
    ],
  ])('reports a folder that %s', async (_, schemas, message) => {
    await expect(read('moodle-xml', { 'quiz.xml': TWO_MISTAKES }, schemas as Record<string, string>)).rejects.toThrow(
      message,
    );
  });

  it('reports a schema that lacks another one', async () => {
    const schemas = { 'item.xsd': SCHEMAS['qti/item.xsd'] };
    const files = { 'one.xml': item('identifier="one" title="One"') };
    await expect(read('qti', files, schemas)).rejects.toThrow('The schema item.xsd cannot be used');
  });

  it('ends with 1 and a code on the command line', async () => {
    const path = join(written({ 'quiz.xml': TWO_MISTAKES }, 'source'), 'quiz.xml');
    const settings = { DATA_DIR: join(folder, 'data') };
    const schemas = written(SCHEMAS, 'schemas');
    const run = (...args: string[]) => commandHere(['import', path, '--json', ...args], { settings });
    const { code, stdout } = await run('--schemas', schemas);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'schema-invalid', at: 'quiz.xml:2' } });
    expect((await run()).code).toBe(0);
    const none = join(folder, 'none');
    expect((await run('--schemas', none)).stderr).toContain(`The folder of schemas ${none} does not exist.`);
    expect((await run('--schemas', path)).stderr).toContain(`The folder of schemas ${path} is no folder.`);
  });
});
