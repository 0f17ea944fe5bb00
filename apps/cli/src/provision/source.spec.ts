import { Fault } from '#kernel';
import { Source } from './source';

/** The messages with which a text is rejected; empty when it is accepted. */
function faultsOf(text: string): string[] {
  try {
    new Source('f', text).throwIfFaulty();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    const [head, ...lines] = (error as Fault).message.split('\n');
    expect(head).toBe('f is not as it should be; nothing was changed.');
    return lines;
  }
}

describe('reading a description', () => {
  it.each<[string, unknown]>([
    ['a: 1\nb: [x, "2", 2, 2.5, true, yes, ~, 0x1f]', { a: 1, b: ['x', '2', 2, 2.5, true, 'yes', null, 31] }],
    ['{\n\t"a": {\n\t\t"b": "\\ud83d\\ude00 \\/"\n\t}\n}', { a: { b: '😀 /' } }],
    ['1: one\ntrue: two\n2024-01-01: 2024-01-01', { 1: 'one', true: 'two', '2024-01-01': '2024-01-01' }],
    ['%YAML 1.1\n---\na: yes\n<<: {b: 012}', { a: 'yes', '<<': { b: 12 } }],
    ['a: &x {y: -0}\nb: [*x, *x]', { a: { y: 0 }, b: [{ y: 0 }, { y: 0 }] }],
    ['a: 9007199254740993.5\nb: 9007199254740992\nc: 1e30', { a: 9007199254740994, b: 9007199254740992, c: 1e30 }],
    ['a: |\n  <p>\n  x</p>\nb: >-\n  one\n  two', { a: '<p>\nx</p>\n', b: 'one two' }],
    ['', null],
  ])('accepts %j', (text, value) => {
    expect(faultsOf(text)).toEqual([]);
    expect(new Source('f', text).value).toEqual(value);
  });

  it.each([
    ['a: 1\nb:\n  c: 2\n  c: 3', ['f:4:3: The member stands here twice.']],
    ['{"a": 1,\n "a": 2}', ['f:2:2: The member stands here twice.']],
    ['1: x\n"1": y', ['f:2:1: The member stands here twice.']],
    ['a: @x', ['f:1:4: A text that begins with this character must stand in quotes.']],
    ['a: *none', ['f:1:4: There is no anchor of this name before the alias.']],
    ['a: &x\n  - b\n  - *x', ['f:3:5: An alias stands inside of what it stands for.']],
    ['a: !!binary aGk=', ['f:1:4: Tags are not supported; write the value without one.']],
    ['a: !x y', ['f:1:4: Tags are not supported; write the value without one.']],
    ['a: 1\n--- \nb: 2', ['f:2:1: The file holds several documents; write one.']],
    ['? [a]\n: b', ['f:1:3: The name of a member must be text.']],
    ['a:\n\t- b', ['f:2:1: Tabs are not allowed as indentation.']],
    ['a: .inf\nb:\n  - .nan', [/^f:1:4: This is not a number that JSON can hold/, /^f:3:5: This is not a number/]],
    ['a: 9007199254740993', ['f:1:4: The number has too many digits to be kept exactly; put it in quotes.']],
    ['a: 0x20000000000001', ['f:1:4: The number has too many digits to be kept exactly; put it in quotes.']],
    ['a: "x\\ud800"', ['f:1:4: The text holds half of a surrogate pair, which is not Unicode text.']],
    ['"\\udc00": 1', ['f:1:1: The text holds half of a surrogate pair, which is not Unicode text.']],
    ['a: "\\0"', ['f:1:4: The text holds the character U+0000; leave it out.']],
    ['a:\n  __proto__: {}', ['f:2:3: A member may not be named __proto__.']],
  ])('rejects %j', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults.map((fault) => expect.stringMatching(toPattern(fault))));
    expect(new Source('f', text).value).toBeUndefined();
  });

  it('rejects a text that is nested too deeply or expands to too much', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(faultsOf(nested(100))).toEqual([]);
    expect(faultsOf(nested(101))).toEqual(['f:1:101: This is nested deeper than 100 levels.']);
    expect(faultsOf(nested(3000))).toEqual([
      expect.stringMatching(/^f:1:\d+: This is nested deeper than 100 levels\.$/),
    ]);
    const list = (entry: string) => `[${new Array(99).fill(entry).join(',')}]`;
    expect(faultsOf(`a: &a ${list('x')}\nb: &b ${list('*a')}\nc: ${list('*b')}`)).toEqual([
      'f:1:1: The aliases stand for too much; write out what they mean.',
    ]);
  });

  it.each(['a: [', 'a: b: c', 'x\n: y', '{a: 1}}', 'a: "\\q"', 'a: |\n  x\n y', '- a\nb: 1', '@', '"', '{'])(
    'rejects %j and names the places',
    (text) => {
      const faults = faultsOf(text);
      expect(faults.length).toBeGreaterThan(0);
      for (const fault of faults) expect(fault).toMatch(/^f:\d+:\d+: [A-Z].+\.$/);
    },
  );

  it('rejects a broken text around a secret without repeating the secret', () => {
    const secret = 'hunter2hunter2hunter2';
    for (const around of [
      '"S',
      "'S",
      'a: 1\nS',
      '[S',
      'a: @S',
      'a: !S x',
      'a: *S',
      'a: "\\S"',
      '%S\n',
      'a: |S',
      '{a: 1} S',
      '&S &S a',
      'S:\nS: b',
      'a: "\\uS"',
    ])
      expect(faultsOf(around.replaceAll('S', secret)).join('\n')).not.toContain('hunter2');
  });

  it('names the place of a missing member, a value behind an alias, and a member with any name', () => {
    const source = new Source('f', 'a: &x\n  "b/c~d": 1\ne: [*x, 2]\nf:');
    for (const pointer of ['', '/none', '/a/b~1c~0d', '/e/0/b~1c~0d', '/e/1', '/e/7', '/f', '/e/x/y'])
      source.refuse(pointer, pointer || 'all');
    source.refuse('/a/b~1c~0d', 'a\u2028name\u009b', 'name');
    expect(() => source.throwIfFaulty()).toThrow(
      [
        'f is not as it should be; nothing was changed.',
        'f:1:1: all',
        'f:1:1: /none',
        'f:2:3: a\\u2028name\\u009b',
        'f:2:12: /a/b~1c~0d',
        'f:2:12: /e/0/b~1c~0d',
        'f:3:4: /e/7',
        'f:3:4: /e/x/y',
        'f:3:9: /e/1',
        'f:4:3: /f',
      ].join('\n'),
    );
  });

  it('lists only the first of very many faults', () => {
    const faults = faultsOf(Array.from({ length: 70 }, (_, line) => `a${line}: .nan`).join('\n'));
    expect(faults).toHaveLength(51);
    expect(faults[49]).toMatch(/^f:50:/);
    expect(faults[50]).toBe('… and 20 more.');
  });
});

const toPattern = (fault: string | RegExp) =>
  typeof fault === 'string' ? new RegExp(`^${fault.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : fault;
