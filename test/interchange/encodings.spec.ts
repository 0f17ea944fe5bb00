import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Entry, FORMATS, openSource } from '#interchange';

const QUESTION = 'Où est le café „Œuvre“ – à 5 €?';

const XML: Record<string, string> = {
  qti: `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="q" title="${QUESTION}"><responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>A</value></correctResponse></responseDeclaration><itemBody><choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>${QUESTION}</prompt><simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction></itemBody></assessmentItem>`,
  'moodle-xml': `<quiz><question type="essay"><name><text>${QUESTION}</text></name><questiontext format="html"><text>${QUESTION}</text></questiontext></question></quiz>`,
  'qti-1.2': `<questestinterop><assessment ident="a" title="A"><section ident="s"><item ident="i" title="${QUESTION}"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>essay_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext texttype="text/html">${QUESTION}</mattext></material><response_str ident="r"><render_fib/></response_str></presentation></item></section></assessment></questestinterop>`,
};
const TEXTS: Record<string, [name: string, text: string]> = {
  gift: ['q.gift.txt', `::${QUESTION}::${QUESTION} {T}\n`],
  aiken: ['q.txt', `${QUESTION}\nA) a\nB) b\nANSWER: A\n`],
  csv: ['q.csv', `type,question,title\nessay,${QUESTION},${QUESTION}\n`],
};

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();
const BYTES_1252: Record<string, number> = { '„': 0x84, Œ: 0x8c, '“': 0x93, '–': 0x96, '€': 0x80 };
const windows1252 = (text: string): Buffer =>
  Buffer.from([...text].map((sign) => BYTES_1252[sign] ?? sign.charCodeAt(0)));
const declared = (name: string, text: string): string => `<?xml version="1.0" encoding="${name}"?>\n${text}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encodings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The entries of a file as an import reads it, by the format that recognises it. */
async function read(name: string, bytes: Buffer): Promise<{ format: string; entries: Entry[] }> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const source = await openSource(path);
  for (const format of FORMATS) {
    if (!(await format.recognises(source))) continue;
    const entries: Entry[] = [];
    for await (const entry of format.read(source)) entries.push(entry);
    return { format: format.name, entries };
  }
  return { format: 'none', entries: [] };
}

const expectRead = async (format: string, name: string, bytes: Buffer) => {
  const found = await read(name, bytes);
  const items = found.entries.filter(({ record }) => record?.kind === 'item');
  expect([found.format, items.length]).toEqual([format, 1]);
  expect(JSON.stringify(items[0]!.record)).toContain(QUESTION);
};

describe.each(Object.entries(XML))('XML in the format %s', (format, xml) => {
  it.each<[string, (text: string) => Buffer]>([
    ['UTF-8 without a declaration', (text) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text) => Buffer.from(`\uFEFF${declared('utf-8', text)}`)],
    ['UTF-16 LE with a byte order mark', (text) => utf16le(`\uFEFF${declared('UTF-16', text)}`)],
    ['UTF-16 BE with a byte order mark', (text) => utf16be(`\uFEFF${declared('UTF-16', text)}`)],
    ['UTF-16 LE without a byte order mark', (text) => utf16le(declared('UTF-16LE', text))],
    ['UTF-16 BE without a byte order mark', (text) => utf16be(declared('UTF-16BE', text))],
    ['UTF-16 with a declaration of UTF-8', (text) => utf16le(`\uFEFF${declared('utf-8', text)}`)],
    ['Windows-1252', (text) => windows1252(declared('Windows-1252', text))],
    ['ISO-8859-1, with characters of Windows-1252', (text) => windows1252(declared('ISO-8859-1', text))],
  ])('is read in %s', (_, bytes) => expectRead(format, 'q.xml', bytes(xml)));

  it.each<[string, (text: string) => Buffer, string]>([
    ['in ISO-8859-1 without a declaration', windows1252, 'UTF-8'],
    ['in Windows-1252 with a declaration of UTF-8', (text) => windows1252(declared('UTF-8', text)), 'UTF-8'],
    [
      'with a byte that Windows-1252 does not have',
      (text) => windows1252(declared('windows-1252', text).replace('à', '\x81')),
      'WINDOWS-1252',
    ],
    ['in another encoding', (text) => windows1252(declared('ISO-8859-15', text)), 'ISO-8859-15'],
    ['with a declaration of UTF-16 in one-byte characters', (text) => windows1252(declared('UTF-16', text)), 'UTF-16'],
    ['in UTF-16 that ends within a character', (text) => utf16le(`\uFEFF${text}`).subarray(0, -1), 'UTF-16LE'],
  ])('is refused %s, with the name of the encoding', async (_, bytes, encoding) => {
    await expect(read('q.xml', bytes(xml))).rejects.toMatchObject({
      code: 'text-encoding',
      message: expect.stringMatching(new RegExp(`in ${encoding}\\.$`)) as unknown,
    });
  });
});

describe.each(Object.entries(TEXTS))('text in the format %s', (format, [name, text]) => {
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE with a byte order mark', utf16le(`\uFEFF${text}`)],
    ['UTF-16 BE with a byte order mark', utf16be(`\uFEFF${text}`)],
  ])('is read in %s', (_, bytes) => expectRead(format, name, bytes));

  it.each([
    ['Windows-1252', windows1252(text)],
    ['UTF-16 without a byte order mark', utf16le(text)],
  ])('is refused by a code in %s', async (_, bytes) => {
    const chosen = FORMATS.find((each) => each.name === format)!;
    writeFileSync(join(folder, name), bytes);
    const source = await openSource(join(folder, name));
    const all = async () => {
      for await (const { record } of chosen.read(source)) expect(record).toBeNull();
    };
    await expect(all()).rejects.toMatchObject({ code: 'text-encoding' });
  });
});
