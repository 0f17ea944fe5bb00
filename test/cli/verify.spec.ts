import { type Finding } from '#platform';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { makeFiles, storeEverything } from '../support/everything';
import { serviceOfSuite, startService } from '../support/service';
import { nameIn } from '../../apps/console/src/routes/verification/names';
import { sentenceIn } from '../../apps/console/src/routes/verification/sentences';
import { damages, type Expected } from './damages';

/** Matches values that are not sentences: a hash, JSON, or one word. */
const VALUE = /^(?:[0-9a-f]{64}|[[{"].*|\w*)$/s;

interface Report {
  findings: Finding[];
  rows: number;
}

const CHECKS = [
  'tags',
  'tag sets',
  'documents',
  'item records',
  'question records',
  'feature records',
  'activity records',
  'revisions',
  'holdings',
  'holdings of item records',
  'tags of item records',
  'holdings of activity records',
  'tags of activity records',
  'pool entries',
  'changes of pools',
  'texts of item records',
  'texts of question records',
  'texts of feature records',
  'words of items',
  'pools',
  'events',
  'event streams',
  'jobs',
  'files of jobs',
  'forms',
  'sessions',
  'anonymous sessions',
  'marking rounds',
  'answers of marking rounds',
  'marks of marking rounds',
  'sessions in pages',
  'tokens of pages',
  'imports',
  'records of imports',
  'roles of people',
  'saved views',
];

describe.each(anEngine(__filename))('verify on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let settings: Record<string, string>;
  beforeAll(async () => {
    await storeEverything(service);
    ({ settings } = service);
    const erased = await commandHere(['learner', 'erase', 'gone', '--organisation', '1'], { settings });
    expect([erased.code, erased.stderr]).toEqual([0, '']);
    await makeFiles(service);
  });

  const verify = (...args: string[]) => commandHere(['verify', ...args], { settings });

  it('finds nothing in valid data, and checks all of it', async () => {
    const { code, stdout, stderr } = await verify();
    expect(stdout).toMatch(/^No findings in \d+ rows\.\n$/);
    expect(code).toBe(0);
    const checked = [...stderr.matchAll(/^organisation 1, (.+): [1-9]\d* rows$/gm)].map(([, check]) => check);
    expect(checked.sort()).toEqual([...CHECKS].sort());
  });

  it('checks only the given organisation', async () => {
    const { code, stdout, stderr } = await verify('--organisation', '2', '--json');
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, { findings: [], rows: 0 }, '']);
  });

  it.each([
    [['--organisation', '9'], /There is no organisation 9\./],
    [['--organisation', 'one'], /whole number from 1/],
    [['everything'], /too many arguments/],
  ])('exits with 2 for invalid arguments: %j', async (args, message) => {
    expect(await verify(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  describe('after damage', () => {
    let report: Report;
    beforeAll(async () => {
      for (const { apply } of damages) await apply(service);
      const { code, stdout } = await verify('--json');
      expect(code).toBe(1);
      report = JSON.parse(stdout) as Report;
    });

    const found = (expected: Expected) => report.findings.filter((finding) => matches(finding, expected));

    it.each(damages)('finds and names: $name', ({ expected }) => {
      for (const each of expected) expect([each, found(each).length]).toEqual([each, 1]);
    });

    it('finds nothing else', () => {
      const expected = damages.flatMap((damage) => damage.expected);
      expect(report.findings.filter((finding) => !expected.some((each) => matches(finding, each)))).toEqual([]);
      expect(report.findings.every(({ expected }) => expected.length > 0)).toBe(true);
    });

    it('has German words for every finding in the console, except for values', () => {
      const inGerman = (text: string) => sentenceIn('de', text) !== text || VALUE.test(text);
      const english = report.findings.flatMap(({ kind, found: is, expected }) => [
        ...(nameIn('de', kind) === kind && !['import', 'pool'].includes(kind) ? [kind] : []),
        ...[is, expected].filter((text) => !inGerman(text)),
      ]);
      expect(english).toEqual([]);
      expect(sentenceIn('en', 'it is missing')).toBe('it is missing');
      expect(sentenceIn('de', 'a new sentence')).toBe('a new sentence');
      expect(sentenceIn('de', 'its file is not known')).toBe('seine Datei ist nicht bekannt');
    });

    it('prints a line for each finding without --json, and their number', async () => {
      const { code, stdout } = await verify();
      expect(code).toBe(1);
      const lines = report.findings.map(
        (each) => `organisation 1, ${each.kind} ${each.reference}: ${each.found}; expected: ${each.expected}`,
      );
      expect(stdout.split('\n')).toEqual([...lines, `${lines.length} findings in ${report.rows} rows.`, '']);
    });
  });
});

function matches({ kind, reference, found }: Finding, [ofKind, of, what]: Expected): boolean {
  return kind === ofKind && (of instanceof RegExp ? of.test(reference) : of === reference) && what.test(found);
}
