import {
  checkReference,
  checkWidgetReference,
  type Fault,
  firstIdAt,
  foldCase,
  idOfList,
  newId,
  place,
  pointerNames,
  pointerPart,
  timeOf,
  withoutEnd,
} from '#kernel';

describe('ids', () => {
  const noon = Date.UTC(2026, 5, 1, 12);

  it('sort by creation time and contain it', () => {
    const ids = [noon, noon, noon + 1, noon + 60_000].map((time) => newId(time));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(4);
    expect(ids.map(timeOf)).toEqual([noon, noon, noon + 1, noon + 60_000]);
  });

  it('use the given time instead of reading the clock', () => {
    expect(timeOf(newId(0))).toBeLessThan(Date.UTC(2026, 5, 2));
  });

  it('lie between the first id of their millisecond and the first id of the next', () => {
    const id = newId(noon + 120_000);
    expect(firstIdAt(noon + 120_000) <= id).toBe(true);
    expect(id < firstIdAt(noon + 120_001)).toBe(true);
  });

  it.each([-1, 0, 1e15, 1e18])('accept any time as a bound, including %p', (time) => {
    expect(firstIdAt(time)).toMatch(/^[0-9A-Z]{26}$/);
  });

  // The first 32 digits of `printf A,B | sha256sum`, in the base and alphabet of other ids. Stored lists depend on
  // them.
  it.each([
    [['A'], '2NKBND10K4TNWNTE89E66DT1DB'],
    [['01J0000000000000000000000A', '01J0000000000000000000000B'], '2RAY20MQ5G6EJM39A9SZB92SJJ'],
    [['x'], '1DE4B45DS6P1202RKWN7XTRCQN'],
  ])('are made from the ids in a list: %j', (ids, id) => {
    expect(idOfList(ids)).toBe(id);
  });
});

describe('foldCase', () => {
  it.each([
    ['Maths', 'MATHS'],
    ['straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['Émile', 'éMILE'],
    ['e\u0301', 'É'],
    ['K', 'k'],
  ])('gives %s and %s the same key', (a, b) => {
    expect(foldCase(a)).toBe(foldCase(b));
  });

  it.each([
    ['E', 'É'],
    ['i', 'ı'],
    ['a', 'a '],
    ['o', 'ö'],
  ])('gives %s and %s different keys', (a, b) => {
    expect(foldCase(a)).not.toBe(foldCase(b));
  });

  it('gives a key that is its own key', () => {
    for (const text of ['İstanbul', 'ǅ', 'ﬃ', 'ΐ', 'ß', 'Ꭰꭰ', 'ſ'])
      expect(foldCase(foldCase(text))).toBe(foldCase(text));
  });
});

test.each([
  ['a//', '/', 'a'],
  ['//', '/', ''],
  ['', '/', ''],
  ['/a', '/', '/a'],
  ['a.,;b.,;', ';.,', 'a.,;b'],
])('%j without %j at its end is %j', (text, characters, rest) => {
  expect(withoutEnd(text, characters)).toBe(rest);
});

describe('references', () => {
  const faultOf = (check: () => void) => {
    try {
      check();
      return undefined;
    } catch (error) {
      const { kind, message, at } = error as Fault;
      return { kind, message, at };
    }
  };

  it.each(['a', 'Summer Test_05', 'x'.repeat(150), '~!@#$%^&*()[]{}<>/\\|?;:,.', ' '])('accept %j', (reference) => {
    expect(faultOf(() => checkReference(reference, '/items/0/reference'))).toBeUndefined();
  });

  it.each([
    ['a"b', '"', 2],
    ["it's", "'", 3],
    ['`', '`', 1],
    ['naïve', 'ï', 3],
    ['tab\t', '\t', 4],
    ['x😀', '😀', 2],
  ])('reject %j and name the character', (reference, character, position) => {
    expect(faultOf(() => checkReference(reference, '/items/3/reference'))).toMatchObject({
      kind: 'value',
      at: '/items/3/reference',
      message: expect.stringContaining(`items[3].reference holds ${JSON.stringify(character)} (character ${position})`),
    });
  });

  it.each([
    ['no\u00a0break', 'U+00A0', 3],
    ['zero\u200b', 'U+200B', 5],
    ['\ufeffmark', 'U+FEFF', 1],
    ['delete\x7f', 'U+007F', 7],
    ['tag\u{e0041}', 'U+E0041', 4],
  ])('reject %j and name the code of a character that nobody can see', (reference, code, position) => {
    expect(faultOf(() => checkWidgetReference(reference, '/questions/0/reference'))?.message).toContain(
      `questions[0].reference holds ${code} (character ${position})`,
    );
  });

  it.each(['', 'x'.repeat(151)])('have 1 to 150 characters', (reference) => {
    expect(faultOf(() => checkReference(reference, '/items/0/reference'))?.kind).toBe('length');
  });

  it('of widgets allow fewer characters', () => {
    expect(faultOf(() => checkWidgetReference('2e8b-43_X', '/r'))).toBeUndefined();
    expect(faultOf(() => checkWidgetReference('a b', '/r'))?.kind).toBe('value');
    expect(faultOf(() => checkWidgetReference('a.b', '/r'))?.kind).toBe('value');
  });
});

describe('a part of a JSON pointer', () => {
  it.each([
    ['reference', 'reference'],
    ['Grade / Level', 'Grade ~1 Level'],
    ['a~1b', 'a~01b'],
  ])('writes %s as %s', (name, part) => {
    expect(pointerPart(name)).toBe(part);
    expect(pointerNames(`/${part}/0`)).toEqual([name, '0']);
    expect(place(`/${part}`)).toBe(name);
  });
});

describe('place', () => {
  it.each([
    ['/items/1/reference', 'items[1].reference'],
    ['/tags/Grade ~1 Level/0', 'tags.Grade / Level[0]'],
    ['', ''],
  ])('writes %s as %s', (pointer, spelt) => {
    expect(place(pointer)).toBe(spelt);
  });
});
