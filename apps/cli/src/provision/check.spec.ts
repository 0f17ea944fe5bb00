import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import { Fault, type Json } from '#kernel';
import { readDescription } from './check';
import { readSecrets } from './secrets';
import { Source } from './source';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'itembank-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The messages with which a description is rejected. */
function faultsOf(description: unknown): string[] {
  const source = new Source('f', typeof description === 'string' ? description : JSON.stringify(description));
  readDescription(source);
  readSecrets(source, folder);
  try {
    source.throwIfFaulty();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return (error as Fault).message.split('\n').slice(1);
  }
}

const consumer = (secrets: unknown, more = {}) => ({ consumers: [{ key: 'k', grants: [], secrets, ...more }] });

describe('secrets', () => {
  const SECRET = 'hunter2-hunter2-hunter2';
  beforeAll(() => {
    for (const [name, text] of Object.entries({
      whole: SECRET,
      line: `${SECRET}\n`,
      lines: `${SECRET}\n\n`,
      short: 'hunter2',
      blank: ` ${SECRET}`,
      foreign: `${SECRET}ü`,
      longest: 'h'.repeat(255),
      long: 'h'.repeat(256),
      endless: 'h'.repeat(5000),
    }))
      writeFileSync(join(folder, name), text);
    Object.assign(process.env, { PROVISION_SECRET: SECRET, PROVISION_SHORT: 'hunter2', PROVISION_EMPTY: '' });
  });
  afterAll(() => {
    for (const name of ['PROVISION_SECRET', 'PROVISION_SHORT', 'PROVISION_EMPTY']) delete process.env[name];
  });

  it('are read from a variable, or from a file beside the description', () => {
    for (const secret of [
      { env: 'PROVISION_SECRET' },
      { file: 'whole' },
      { file: 'line' },
      { file: join(folder, 'line') },
    ]) {
      const source = new Source('f', JSON.stringify(consumer([secret])));
      expect(readSecrets(source, folder)).toEqual(new Map([['k', [SECRET]]]));
      expect(source.isFaulty).toBe(false);
    }
    expect(faultsOf(consumer([{ file: 'longest' }, { file: 'whole' }]))).toEqual([]);
    expect(readSecrets(new Source('f', JSON.stringify(consumer(undefined))), folder)).toEqual(new Map());
  });

  it.each([
    [
      'a variable that is not set',
      [{ env: 'hunter2hunter2hunter2' }],
      /secrets\[0\]\.env names a variable that is not set/,
    ],
    [
      'an empty variable',
      [{ env: 'PROVISION_EMPTY' }],
      /secrets\[0\] leads to a text that is not a secret: one has 16 to/,
    ],
    ['a short one', [{ env: 'PROVISION_SHORT' }], /secrets\[0\] leads to a text that is not a secret/],
    ['a short file', [{ file: 'short' }], /secrets\[0\] leads to a text that is not a secret/],
    ['blanks', [{ file: 'blank' }], /secrets\[0\] leads to a text that is not a secret/],
    ['a second line', [{ file: 'lines' }], /secrets\[0\] leads to a text that is not a secret/],
    ['other characters', [{ file: 'foreign' }], /secrets\[0\] leads to a text that is not a secret/],
    ['a long one', [{ file: 'long' }], /secrets\[0\] leads to a text that is not a secret/],
    ['a long file', [{ file: 'endless' }], /secrets\[0\] leads to a text that is not a secret/],
    ['a device', [{ file: '/dev/zero' }], /secrets\[0\] leads to a text that is not a secret/],
    ['no file', [{ file: 'hunter2hunter2hunter2' }], /secrets\[0\]\.file names a file that cannot be read \(ENOENT\)/],
    ['a folder', [{ file: '.' }], /secrets\[0\]\.file names a file that cannot be read \(EISDIR\)/],
    ['the same secret twice', [{ env: 'PROVISION_SECRET' }, { file: 'line' }], /secrets\[1\] leads to the same secret/],
    ['itself', [SECRET], /secrets\[0\] must be \{env: NAME\} or \{file: PATH\}/],
    ['itself, named', [{ value: SECRET }], /secrets\[0\] must be/],
    ['the secret itself as a name', [{ [SECRET]: '' }], /secrets\[0\] must be/],
    ['the secret itself instead of a name', [{ env: SECRET }], /secrets\[0\] (must be|\.env)/],
    ['itself beside', [{ env: 'PROVISION_SECRET', value: SECRET }], /secrets\[0\] must be/],
    ['both', [{ env: 'PROVISION_SECRET', file: 'line' }], /secrets\[0\] must be/],
    ['nothing', [{}], /secrets\[0\] must be/],
    ['a list', [[SECRET]], /secrets\[0\] must be/],
    ['no list', SECRET, /secrets must be a list/],
    ['an object', { env: SECRET }, /secrets must be a list/],
    ['null', null, /secrets must be a list/],
    ['three', ['whole', 'longest', 'line'].map((file) => ({ file })), /secrets must hold 0 to 2 entries; it holds 3/],
  ])('given as %s are rejected and never repeated', (_what, secrets, sentence) => {
    const faults = faultsOf(consumer(secrets));
    expect(faults[0]).toMatch(sentence);
    expect(faults.join('\n')).not.toContain('hunter2');
  });

  it('in other places are rejected without being repeated', () => {
    for (const more of [
      { secret: SECRET },
      { grants: SECRET },
      { status: SECRET },
      { domains: [`/${SECRET}`] },
      { label: [SECRET] },
    ]) {
      const faults = faultsOf(consumer([], more));
      expect(faults).toHaveLength(1);
      expect(faults[0]).not.toContain('hunter2');
    }
  });
});

describe('the published schema', () => {
  const schema = JSON.parse(
    readFileSync(resolve(__dirname, '../../../../docs/provision.schema.json'), 'utf8'),
  ) as object;
  const accepts = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);

  /** Faults that a schema cannot express: duplicates and dangling references. */
  const BEYOND = /already\.|same tag type|so is|names a variable|names a file|leads to/;
  const agree = (description: Json) => {
    const faults = faultsOf(description).filter((fault) => !BEYOND.test(fault));
    if (accepts(description)) expect(faults).toEqual([]);
    else expect(faults).not.toEqual([]);
  };

  const bits = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom<Json>(
        'a',
        'a b',
        '*',
        'read',
        'write',
        'active',
        'disabled',
        'localhost',
        'offlinepackage',
      ),
    },
    fc.constantFrom<Json>('', ' ', '"', 'archived', 0, 1, 2, -1, 1.5, 2 ** 31, true, false, null, [], {}),
  );
  const some = (members: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> =>
    fc.oneof(
      { weight: 12, arbitrary: fc.record({ ...members, zzz: bits }, { requiredKeys: [] }) },
      { weight: 12, arbitrary: fc.record(members) },
      bits,
    );
  const list = (entry: fc.Arbitrary<Json>) =>
    fc.oneof({ weight: 9, arbitrary: fc.array(entry, { maxLength: 3 }) }, bits);
  const word = fc.oneof({ weight: 9, arbitrary: fc.constantFrom<Json>('a', 'B', 'c-1') }, bits);
  const number = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) }, bits);
  const maybe = fc.oneof({ weight: 5, arbitrary: fc.constant<Json>(true) }, bits);
  const object = fc.oneof({ weight: 5, arbitrary: fc.constant<Json>({ a: [1] }) }, bits);
  const templates = { reference: word, name: word, json: object };
  const organisation = some({
    id: number,
    name: word,
    settings: some({ enforce_workflow_moves: maybe }),
    tag_hierarchies: list(
      some({ reference: word, tag_types: list(fc.oneof(word, some({ name: word, description: word }))) }),
    ),
    player_templates: list(some(templates)),
    base_templates: list(some({ reference: word, description: word, status: bits, data: object })),
  });
  const consumers = some({
    key: word,
    label: word,
    status: bits,
    domains: list(bits),
    features: list(bits),
    rate_limits: some({ '*': number, 'set itembank/*': number, 'set /': number }),
    legacy_signatures: maybe,
    grants: list(some({ organisation: number, access: bits, primary: maybe })),
    secrets: list(some({ env: word, file: word })),
  });

  it('accepts exactly what the command accepts', () => {
    let taken = 0;
    const check = (description: Json) => {
      agree(description);
      if (accepts(description)) taken += 1;
    };
    fc.assert(fc.property(some({ organisations: list(organisation), consumers: list(consumers) }), check), {
      numRuns: 300,
    });
    fc.assert(fc.property(fc.record({ organisations: fc.array(organisation, { maxLength: 1 }) }), check), {
      numRuns: 300,
    });
    fc.assert(fc.property(fc.record({ consumers: fc.array(consumers, { maxLength: 1 }) }), check), { numRuns: 300 });
    expect(taken).toBeGreaterThan(50);
  });

  it('checks any JSON without any error except a list of faults', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => faultsOf(value as Json)).not.toThrow();
      }),
    );
  });
});
