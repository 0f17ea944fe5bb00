import { mistakeIn } from '../../apps/console/src/ui/json-mistake';

/** Each text has `‸` before its mistake. */
const CASES: [string, string][] = [
  ['{"a": 1‸', 'ends_early'],
  ['‸', 'ends_early'],
  ['[1, 2‸\n', 'ends_early'],
  ['{"a":‸', 'ends_early'],
  ['{"a": 1 ‸"b": 2}', 'comma_missing'],
  ['[1 ‸2]', 'comma_missing'],
  ['[{} ‸{}]', 'comma_missing'],
  ['["x" ‸"y"]', 'comma_missing'],
  ['[1‸, ]', 'comma_extra'],
  ['{"a": 1‸,\n}', 'comma_extra'],
  ['[1,‸, 2]', 'value_missing'],
  ['{"a": ‸}', 'value_missing'],
  ['{"a": ‸, "b": 1}', 'value_missing'],
  ['[1‸}', 'unexpected'],
  ['{"a" ‸1}', 'colon_missing'],
  ['{"a"‸, "b": 1}', 'colon_missing'],
  ['{‸a: 1}', 'name_unquoted'],
  ['{"x": 1, ‸1: 2}', 'name_unquoted'],
  ["{‸'a': 1}", 'single_quotes'],
  ["[‸'a']", 'single_quotes'],
  ['[1] ‸// one', 'comment'],
  ['{‸/* none */}', 'comment'],
  ['{"a": ‸yes}', 'word'],
  ['[‸nullable]', 'word'],
  ['[‸True]', 'word'],
  ['["a", ‸"b\n"]', 'text_broken'],
  ['[‸"a\\q"]', 'text_broken'],
  ['[‸"a\\u12"]', 'text_broken'],
  ['{"a": ‸"b}', 'text_broken'],
  ['[‸01]', 'number'],
  ['[‸1.]', 'number'],
  ['[‸.5]', 'number'],
  ['[‸+1]', 'number'],
  ['[‸-]', 'number'],
  ['{} ‸{}', 'unexpected'],
  ['[1] ‸]', 'unexpected'],
  ['[‸@]', 'unexpected'],
];

describe('mistakes in JSON', () => {
  it.each(CASES)('are found with their place and kind: %j contains the mistake %s', (marked, key) => {
    const at = marked.indexOf('‸');
    const text = marked.replace('‸', '');
    const mistake = mistakeIn(text)!;
    // A text that ends too early is marked at its last character.
    const from = key === 'ends_early' ? Math.max(0, at - 1) : at;
    expect({ key: mistake.key, from: mistake.from }).toEqual({ key, from });
    expect(mistake.to).toBeGreaterThanOrEqual(mistake.from);
    expect(mistake.to).toBeLessThanOrEqual(text.length);
  });

  it.each(['null', ' {"a": [1, -2.5e3, "\\u00e9\\n", true, {}, []]} ', '"x"', '0'])(
    'are not reported for the valid text %j',
    (text) => expect(mistakeIn(text)).toBeUndefined(),
  );

  it('are located wherever a character is removed from a text or added to it', () => {
    const sound = '{"a": [1, -2.5e3, "é\\n", true], "b": {"c": null}}';
    for (let at = 0; at < sound.length; at++)
      for (const piece of ['', '"', '{', ']', ',', ':', "'", '\\', '\n', 'x', '0']) {
        const text = sound.slice(0, at) + piece + sound.slice(at + (piece === '' ? 1 : 0));
        let isSound = true;
        try {
          JSON.parse(text);
        } catch {
          isSound = false;
        }
        const mistake = mistakeIn(text);
        expect([text, mistake === undefined]).toEqual([text, isSound]);
        if (mistake) expect(mistake.to).toBeLessThanOrEqual(text.length);
      }
  });

  it('are found in deep and long texts', () => {
    expect(mistakeIn('['.repeat(500_000))).toMatchObject({ key: 'ends_early', from: 499_999 });
    expect(mistakeIn(`["${'x'.repeat(900_000)}" 1]`)).toMatchObject({ key: 'comma_missing', from: 900_004 });
    expect(mistakeIn(`["${'\\n'.repeat(400_000)}" 1]`)).toMatchObject({ key: 'comma_missing', from: 800_004 });
  });
});
