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
const TIMES = 16;
/** The cost n log n stays far below this ratio, and n² far above. */
const MAX_RATIO = TIMES * 4;
/** Shorter times cannot be measured. */
const MIN_US = 1_000;

const attempt = (run: () => unknown): void => {
  try {
    run();
  } catch {
    // A rejection costs time, too.
  }
};

/** The processor time in microseconds: the least of three runs, because others use the processor too. */
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
const packed: Work = (text) => new PackedAddresses('//media.example.org/assets', '/vendor').rewritten(text);
const cleaned: Work = (text) => sanitiseWidgetData({ stimulus: text, src: text });
const parsed: Work = (text) => parseRequest(text);
const domain: Work = (text) => checkDomain(text, ['example.org', '*.example.org']);
const security: Work = (text) => readSecurity(text);

/** The work, the repeated part, and the text before and after it. */
const CASES: [what: string, work: Work, part: string, before?: string, after?: string][] = [
  ['packing', packed, '!', 'https://a', 'x'],
  ['packing', packed, '.', '//media.example.org/assets/1/', '"'],
  ['packing', packed, '//', ''],
  ['packing', packed, 'a.', '//', '-'],
  ['packing', packed, '//media.example.org/assets/1/'],
  ['packing', packed, '%', '//media.example.org/assets/1/'],
  ['cleaning', cleaned, '<'],
  ['cleaning', cleaned, '<a '],
  ['cleaning', cleaned, '<a b="'],
  ['cleaning', cleaned, '<!--'],
  ['cleaning', cleaned, '&#x', '<b>:'],
  ['cleaning', cleaned, '&', 'javascript&'],
  ['cleaning', cleaned, 'feed:', '', 'javascript:<b onclick=x>'],
  ['cleaning', cleaned, '\\(', '<b onclick=x>'],
  ['cleaning', cleaned, '$$', '<b onclick=x>'],
  ['cleaning', cleaned, '/*', '<b style="', '">'],
  ['cleaning', cleaned, '<style>'],
  ['parsing', parsed, '\\\\', '{"a":"', '"}'],
  ['parsing', parsed, ' ', '{"a":"b"', ',"c":1234567890123456}'],
  ['parsing', parsed, '"a",', '{"a":[1234567890123456,', '1]}'],
  ['parsing', parsed, '1', '{"a":', '}'],
  ['reading a domain', domain, '1', 'a:', 'x'],
  ['reading a domain', domain, '[', '', ']'],
  ['reading a domain', domain, '_20260101-000'],
  ['reading security', security, ' ', '{"user_id":"}', '_set"}'],
];

describe('the cost of long texts is proportional to their length', () => {
  it.each(CASES)('%s %#', (_, work, part, before = '', after = '') => {
    const text = (length: number) => before + part.repeat(length / part.length) + after;
    const [short, long] = [text(SHORT), text(SHORT * TIMES)];
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
