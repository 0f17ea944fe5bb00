import { parseRequest } from '#kernel';
import { checkDomain, readSecurity } from '../../libs/access/src/domain/security';
import { PackedAddresses } from '../../libs/content/src/domain/packed-addresses';
import { sanitiseWidgetData } from '../../libs/content/src/domain/sanitise';
import { declarationOf } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { membersOf, schemaOf } from '../support/declared-members';

/*
 * An eslint rule checks patterns in the code (eslint.config.js). The patterns here are built at run time or work
 * together. The tests compare the cost of a text with that of a text of a sixteenth of its length.
 */

const SHORT = 32_000;
const FACTOR = 16;
/** The cost n log n stays far below this ratio, and n² far above. */
const MAX_RATIO = FACTOR * 4;
/** Shorter times cannot be measured exactly. */
const MIN_US = 1_000;

const attempt = (run: () => unknown): void => {
  try {
    run();
  } catch {
    // Rejecting a text takes time too.
  }
};

/** Returns the minimum processor time of three runs in microseconds, because other processes disturb some runs. */
function cost(run: () => unknown): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      attempt(run);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );
}

type Work = (text: string) => unknown;
const pack: Work = (text) => new PackedAddresses('//media.example.org/assets', '/vendor').rewritten(text);
const clean: Work = (text) => sanitiseWidgetData({ stimulus: text, src: text });
const parse: Work = (text) => parseRequest(text);
const readDomain: Work = (text) => checkDomain(text, ['example.org', '*.example.org']);
const readSecurityField: Work = (text) => readSecurity(text);

/** The work, the repeated part, and the text before and after it. */
const CASES: [what: string, work: Work, part: string, before?: string, after?: string][] = [
  ['packing', pack, '!', 'https://a', 'x'],
  ['packing', pack, '.', '//media.example.org/assets/1/', '"'],
  ['packing', pack, '//', ''],
  ['packing', pack, 'a.', '//', '-'],
  ['packing', pack, '//media.example.org/assets/1/'],
  ['packing', pack, '%', '//media.example.org/assets/1/'],
  ['cleaning', clean, '<'],
  ['cleaning', clean, '<a '],
  ['cleaning', clean, '<a b="'],
  ['cleaning', clean, '<!--'],
  ['cleaning', clean, '&#x', '<b>:'],
  ['cleaning', clean, '&', 'javascript&'],
  ['cleaning', clean, 'feed:', '', 'javascript:<b onclick=x>'],
  ['cleaning', clean, '\\(', '<b onclick=x>'],
  ['cleaning', clean, '$$', '<b onclick=x>'],
  ['cleaning', clean, '/*', '<b style="', '">'],
  ['cleaning', clean, '<style>'],
  ['parsing', parse, '\\\\', '{"a":"', '"}'],
  ['parsing', parse, ' ', '{"a":"b"', ',"c":1234567890123456}'],
  ['parsing', parse, '"a",', '{"a":[1234567890123456,', '1]}'],
  ['parsing', parse, '1', '{"a":', '}'],
  ['reading a domain', readDomain, '1', 'a:', 'x'],
  ['reading a domain', readDomain, '[', '', ']'],
  ['reading a domain', readDomain, '_20260101-000'],
  ['reading security', readSecurityField, ' ', '{"user_id":"}', '_set"}'],
];

describe('the cost of long texts is proportional to their length', () => {
  it.each(CASES)('%s %#', (_, work, part, before = '', after = '') => {
    const text = (length: number) => before + part.repeat(length / part.length) + after;
    const [short, long] = [text(SHORT), text(SHORT * FACTOR)];
    attempt(() => work(short));
    expect(cost(() => work(long))).toBeLessThan(
      MAX_RATIO *
        Math.max(
          cost(() => work(short)),
          MIN_US,
        ),
    );
  });

  it('patterns in declarations either have a maximum length or repeat a single character class', () => {
    const patterns = operations
      .map(declarationOf)
      .flatMap((declaration) => membersOf(schemaOf(declaration)).map(({ schema, pointer }) => ({ ...schema, pointer })))
      .filter(({ pattern }) => pattern !== undefined);
    expect(patterns.length).toBeGreaterThan(20);
    for (const { pattern, maxLength, pointer } of patterns)
      // A single character class with a repetition.
      expect([pointer, pattern, maxLength !== undefined || /^\^\[[^\]]+\](\{1,\d+\}|[+*])\$$/.test(pattern!)]).toEqual([
        pointer,
        pattern,
        true,
      ]);
  });
});
