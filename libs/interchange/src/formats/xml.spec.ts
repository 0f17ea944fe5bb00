import { Unreadable } from './source';
import { childrenOfRoot, htmlOf, parseXml } from './xml';

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof Unreadable) return `${error.code} at ${error.at}`;
    throw error;
  }
  return undefined;
};

describe('a parsed document', () => {
  const root = parseXml('<a:quiz xmlns:a="urn:x"><q>1</q>\n<q n="2">x<b>y</b><![CDATA[<z>]]></q></a:quiz>', 'f.xml');

  it('gives elements without their prefix, with namespace, line, text and path', () => {
    const second = root.all('q')[1]!;
    expect([root.name, root.namespace]).toEqual(['quiz', 'urn:x']);
    expect([second.attributes.n, second.line, second.text, second.path]).toEqual(['2', 2, 'xy<z>', '/quiz/q[2]']);
  });

  it('shows its content as HTML, escaped and without namespaces', () => {
    expect(htmlOf(parseXml('<p xmlns="urn:x" class="a&quot;b">1 &lt; 2<br/></p>', 'f.xml').children)).toBe(
      '1 &lt; 2<br>',
    );
    expect(htmlOf([parseXml('<p xmlns="urn:x" class="a&quot;b">x</p>', 'f.xml')])).toBe('<p class="a&quot;b">x</p>');
  });
});

it('gives the children of the root one at a time, also those before an error', () => {
  const given: string[] = [];
  const filler = '<q>x</q>'.repeat(20_000);
  const read = () => {
    for (const child of childrenOfRoot(`<r>${filler}<q>`, 'f.xml')) given.push(child.path);
  };
  expect(codeOf(read)).toBe('xml-invalid at f.xml:1');
  expect(given.length).toBeGreaterThan(10_000);
  expect(given.at(0)).toBe('/r/q');
  expect(given.at(9_999)).toBe('/r/q[10000]');
});

it('reports an error with its place once, and with one full stop at its end', () => {
  expect(() => parseXml('<r>\n&nbsp;</r>', 'f.xml')).toThrow('f.xml, line 2: undefined entity.');
  expect(() => parseXml('<r>\n&nbsp;</r>', 'f.xml')).not.toThrow('..');
});

it.each([
  [
    'a DOCTYPE with an entity',
    '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>',
    'xml-doctype at f.xml:1',
  ],
  ['an entity that XML does not have', '<r>\n&nbsp;</r>', 'xml-invalid at f.xml:2'],
  ['an element that is never closed', '<r><a></r>', 'xml-invalid at f.xml:1'],
  ['an empty text', '', 'xml-invalid at f.xml:1'],
  ['elements 1,000 deep', `${'<a>'.repeat(1_000)}${'</a>'.repeat(1_000)}`, 'xml-too-deep at f.xml:1'],
])('refuses %s', (_name, text, expected) => {
  expect(codeOf(() => parseXml(text, 'f.xml'))).toBe(expected);
});
