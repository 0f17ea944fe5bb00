import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type Client } from '../support/client';
import { anEngine, engines } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { type Caller, checkFolder } from './check';
import { differences } from './difference';
import { placeholdersIn } from './shapes';

const FIXTURES = join(__dirname, 'fixtures');

describe('differences', () => {
  it('are none when only the order of members differs', () => {
    expect(differences({ a: 1, b: [{ c: null, d: 'x' }] }, { b: [{ d: 'x', c: null }], a: 1 }, '')).toEqual([]);
  });

  it.each<[string, unknown, unknown, string[]]>([
    ['a value', { a: 1 }, { a: 2 }, ['a']],
    ['a type', { a: 1 }, { a: '1' }, ['a']],
    ['null and absent', { a: null }, {}, ['a']],
    ['an empty list and an empty object', { a: [] }, { a: {} }, ['a']],
    ['null and an empty object', { a: { b: {} } }, { a: { b: null } }, ['a.b']],
    ['order of a list', { a: [1, 2] }, { a: [2, 1] }, ['a[0]', 'a[1]']],
    ['a longer list', [1, [2]], [1, [2, 3], 4], ['[1][1]', '[2]']],
    ['an additional member', { a: {} }, { a: { constructor: 1 } }, ['a.constructor']],
    ['a missing member', { a: { toString: 'x' }, b: 1 }, { a: {} }, ['a.toString', 'b']],
  ])('are found in %s', (_what, sent, read, places) => {
    expect(differences(sent, read, '').map(({ place }) => place)).toEqual(places);
  });
});

it('finds the places of questions and features in the HTML of old items', () => {
  const content = `<p class="learnosity-response">no name</p><span data-a="1" class='x learnosity-response question-a_1-b'></span>
    <SPAN CLASS="learnosity-feature feature-f"></SPAN><span class="question-c">not marked</span>
    <span class="learnosity-response question-a_1-b"></span>`;
  expect(placeholdersIn(content)).toEqual([
    { reference: 'a_1-b', widget_type: 'response' },
    { reference: 'f', widget_type: 'feature' },
  ]);
});

describe.each(anEngine(__filename))('examples on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  it('of every shape are written and read back', async () => {
    const outcome = await checkFolder(FIXTURES, service.client);
    expect(outcome.lines).toEqual([
      'activity-player.json: activity water -quiz-; a request for the player, set as data; left out: session_id, user_id; ' +
        'stand-ins: not-here-1, not-here-2',
      'activity-record.json: activity geography-1; its items taken to be of the own bank; read-only: created_by',
      'feature-data.json: feature feature-data; reference made',
      'item-definition.json: item Rivers & lakes / 1; read-only: workflow, max_score',
      'item-old.json: item OLD_7; definition derived from content; question old_a (type taken from data); ' +
        'stand-ins: old_text; not taken: content, time_updated; read-only: workflow, last_updated_by',
      'items-list.json: item listed-1; stand-ins: elsewhere-1 | ' +
        'item listed-2; tags come back in the case in which they were first written | ' +
        'skipped: an item with a widget without a type | skipped: an item that shows no question or feature',
      'other.json: skipped: neither a question, a feature, an item nor an activity | skipped: no object | ' +
        'skipped: neither a question, a feature, an item nor an activity',
      'question-data.json: question question-data; reference made',
      'question-record.json: question capital-of-peru; read-only: dt_created',
      'regions.json: skipped: regions of the player',
      'sanitised.json: question with-markup; sanitised: data.stimulus',
      'scoring.json: skipped: a scoring request',
      'session.json: skipped: a record or message of a session',
    ]);
    expect(outcome).toMatchObject({ written: 10, skipped: 8, failed: 0 });
  });

  const folder = process.env.EXAMPLES_DIR;
  if (folder)
    it(`in ${folder} are written and read back`, async () => {
      const { lines, written, failed } = await checkFolder(folder, service.client);
      expect(lines.filter((line) => line.includes('FAILED'))).toEqual([]);
      expect(failed).toBe(0);
      expect(written).toBeGreaterThan(0);
    });
});

describe('an answer that is not what was sent', () => {
  const service = serviceOfSuite(() => startService(engines[0]!));
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'itembank-examples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The client, except that the answers of one action on one path are changed before the check sees them. */
  function tampered(action: 'get' | 'set', path: string, change: (answer: Answer) => void): Caller {
    const { client } = service;
    const call = (name: 'get' | 'set') => async (called: string, request: object) => {
      const answer = await client[name](called, request);
      if (name === action && called === path) change(answer);
      return answer;
    };
    return { get: call('get'), set: call('set') };
  }

  async function linesOf(caller: Caller | Client, ...files: string[]): Promise<{ failed: number; lines: string[] }> {
    const only = mkdtempSync(join(folder, 'of-'));
    for (const file of files) cpSync(join(FIXTURES, file), join(only, file));
    return checkFolder(only, caller);
  }

  const question = (answer: Answer) => answer.data[0];

  it.each<[string, (answer: Answer) => void, string]>([
    [
      'another value',
      (answer) => (question(answer).data.validation.valid_response.score = 1),
      'data.validation.valid_response.score was 0.5, read back as 1',
    ],
    [
      'a list in place of an object',
      (answer) => (question(answer).data.ui_style = []),
      'data.ui_style was {}, read back as []',
    ],
    [
      'a lost member',
      (answer) => delete question(answer).data.validation.alt_responses,
      'data.validation.alt_responses was [], read back as nothing',
    ],
    [
      'an additional member',
      (answer) => (question(answer).data.is_math = true),
      'data.is_math was nothing, read back as true',
    ],
    ['another order', (answer) => question(answer).data.options.reverse(), 'data.options[0].label was "Quito"'],
    ['other metadata', (answer) => (question(answer).metadata = null), 'metadata was {"name":"Capitals"'],
    ['another kind', (answer) => (question(answer).widget_type = 'feature'), 'widget_type was "response"'],
    // Nothing was sanitised, so markup may not come back changed.
    [
      'changed markup',
      (answer) => (question(answer).data.stimulus = 'What?'),
      'data.stimulus was "<p>What is the capital of <strong>Peru</strong>?</p>", read back as "What?"',
    ],
    ['no record', (answer) => (answer.data = []), 'was written and is not found'],
  ])('is a failure that names the place: %s', async (_what, change, message) => {
    const { failed, lines } = await linesOf(tampered('get', 'itembank/questions', change), 'question-record.json');
    expect(failed).toBe(1);
    expect(lines).toEqual([
      expect.stringContaining(`question-record.json: FAILED: question capital-of-peru: ${message}`),
    ]);
  });

  it('is a failure when more texts have changed than the service reports as cleaned', async () => {
    const change = (answer: Answer) => {
      const { data } = question(answer);
      data.validation.valid_response.value = 'cleaned';
    };
    const { lines } = await linesOf(tampered('get', 'itembank/questions', change), 'sanitised.json');
    expect(lines[0]).toContain('FAILED: question with-markup: data.stimulus was');
    expect(lines[0]).toContain(
      'data.validation.valid_response.value was "<script>kept</script>", read back as "cleaned"',
    );
  });

  it.each<[string, string, (answer: Answer) => void, string]>([
    [
      'item-definition.json',
      'items',
      (answer) => (answer.data[0].questions[0].type = 'mcq'),
      'questions[0].type was "shorttext", read back as "mcq"',
    ],
    [
      'item-definition.json',
      'items',
      (answer) => answer.data[0].tags.Subject.pop(),
      'tags.Subject[1] was "Water", read back as nothing',
    ],
    [
      'item-definition.json',
      'items',
      (answer) => (answer.data[0].definition.regions[0].width = 12),
      'definition.regions[0].width was 6, read back as 12',
    ],
    [
      'activity-player.json',
      'activities',
      (answer) => answer.data[0].data.items.reverse(),
      'data.items[0] was "not-here-1", read back as "not-here-2"',
    ],
  ])('is a failure in %s of %s', async (file, list, change, message) => {
    const { failed, lines } = await linesOf(tampered('get', `itembank/${list}`, onlyRecords(change)), file);
    expect(failed).toBe(1);
    expect(lines[0]).toContain(message);
  });

  /** The check also asks for records that do not exist yet. */
  const onlyRecords = (change: (answer: Answer) => void) => (answer: Answer) => {
    if (answer.data.length === 1) change(answer);
  };

  it('is a failure when the service fills an activity with another value than it should', async () => {
    const change = (answer: Answer) => (answer.data[0].data.state = 'resume');
    const { lines } = await linesOf(tampered('get', 'itembank/activities', change), 'activity-record.json');
    expect(lines[0]).toContain('FAILED: activity geography-1: data.state was nothing, read back as "resume"');
  });

  it('is a failure when the service refuses the write', async () => {
    const change = ({ meta }: Answer) => Object.assign(meta, { status: false, code: 20004, message: 'no such type' });
    const { lines } = await linesOf(tampered('set', 'itembank/features', change), 'feature-data.json', 'other.json');
    expect(lines).toEqual([
      'feature-data.json: FAILED: feature feature-data: set itembank/features answered 20004: no such type',
      expect.stringContaining('other.json: skipped'),
    ]);
  });

  it('does not stop the check of other files', async () => {
    writeFileSync(join(folder, 'broken.json'), '{"type": "mcq"');
    cpSync(join(FIXTURES, 'question-data.json'), join(folder, 'whole.json'));
    const { lines, written, failed } = await checkFolder(folder, service.client);
    expect(lines).toContainEqual(expect.stringMatching(/^broken\.json: FAILED: not JSON/));
    expect(lines).toContainEqual('whole.json: question whole; reference made');
    expect(written).toBeGreaterThan(0);
    expect(failed).toBe(1);
  });
});

describe('the command', () => {
  const run = (...folders: string[]) =>
    new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
      const root = join(__dirname, '../..');
      const script = ['-r', './test/support/ts.cjs', 'test/examples/main.ts', ...folders];
      execFile(process.execPath, script, { cwd: root }, (error, output, errors) =>
        resolve({ code: error?.code ?? 0, output, errors }),
      );
    });

  it('prints a line for each file and counts', async () => {
    const { code, output } = await run(FIXTURES);
    const lines = output.trimEnd().split('\n');
    expect(lines).toHaveLength(14);
    expect(lines.at(-1)).toBe('10 examples written and read back, 8 skipped, 0 failed');
    expect(code).toBe(0);
  });

  it('fails when an example fails, and when there is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'itembank-examples-'));
    try {
      expect(await run(folder)).toMatchObject({
        code: 1,
        output: '0 examples written and read back, 0 skipped, 0 failed\n',
      });
      writeFileSync(join(folder, 'a.json'), JSON.stringify({ reference: 'a', type: 'x'.repeat(65), data: {} }));
      cpSync(join(FIXTURES, 'question-data.json'), join(folder, 'b.json'));
      const { code, output } = await run(folder);
      expect(code).toBe(1);
      expect(output).toContain('1 examples written and read back, 0 skipped, 1 failed\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('prints its usage without a folder', async () => {
    expect(await run()).toMatchObject({ code: 2, errors: expect.stringContaining('FOLDER') });
    expect(await run('/no/such/folder')).toMatchObject({ code: 2, errors: expect.stringContaining('/no/such/folder') });
  });
});
