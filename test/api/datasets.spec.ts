import { createHash } from 'node:crypto';
import { type Submission } from '#sessions';
import { write } from '../support/bank';
import { activity, item, question, several } from '../support/builders';
import { anEngine } from '../support/engines';
import { expectFailure } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { answer, resultsOfStarted, submission, submit } from '../support/submissions';
import { parseLines } from '../support/ndjson';

const PATH = 'jobs/reports/datasets';

interface File {
  name: string;
  content_type: string;
  bytes: number;
  sha256: string;
  address: string;
  expires_at: string;
}

interface Dataset {
  files: File[];
  [member: string]: unknown;
}

/** Ten students and ten items of K. L. Wuensch's example of KR-20. published-examples.spec.ts has its results. */
const STUDENTS = [
  '1111110110',
  '1011011101',
  '1111011001',
  '0010001000',
  '0000010010',
  '1110111111',
  '1101110111',
  '1111111101',
  '0101111101',
  '1101101110',
];
const ALPHA = (10 / 9) * (1 - 2.18 / 5.84);

const HOSTILE = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>Right &amp; <b>bold</b>',
  '=HYPERLINK("http://example.com","x")',
  '+1',
  '-1',
  '@SUM(A1)',
  'a,"b"\r\nc',
];

describe.each(anEngine(__filename))('datasets on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  const references = several(10, (index) => `w-${index + 1}`);
  beforeAll(async () => {
    await write(client, {
      questions: [
        ...references.map((reference) => question({ reference })),
        question({
          reference: 'hostile',
          data: {
            type: 'mcq',
            options: HOSTILE.map((label, index) => ({ label, value: index === 1 ? '=1+1' : String(index) })),
            validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] } },
          },
        }),
      ],
      items: [
        ...references.map((reference) => item([reference], { reference })),
        item(['hostile'], { reference: 'hostile' }),
      ],
      activities: [activity(references, { reference: 'template' })],
    });
    await submit(
      service,
      STUDENTS.map((digits, index) => wuensch(`w-${index}`, digits)),
    );
  });

  const items = (names: readonly string[]): Submission['items'] =>
    names.map((reference) => ({ reference, organisation: 1, time: 1, flagged: false }));
  const wuensch = (sessionId: string, digits: string, wanted: Partial<Submission> = {}): Submission =>
    submission(sessionId, {
      activityId: 'wuensch',
      items: items(references),
      responses: references.map((reference, index) => answer(reference, reference, [digits[index]!])),
      ...wanted,
    });

  async function dataset(dataset_type: string, dataset_id: string): Promise<Dataset> {
    const answered = await client.set(PATH, { dataset_type, dataset_id });
    expect(answered.data).toEqual({ job_reference: expect.any(String), dataset_type, dataset_id });
    return (await resultsOfStarted(service, answered)) as Dataset;
  }
  const fileOf = ({ files }: Dataset, name: string) => files.find((file) => file.name === name)!;
  async function textOf(made: Dataset, name: string): Promise<string> {
    const response = await fetch(fileOf(made, name).address);
    expect(response.status).toBe(200);
    return response.text();
  }
  const rowsOf = async (made: Dataset, name: string) => rowsIn(await textOf(made, name));
  const linesOf = async (made: Dataset, name: string) => parseLines(await textOf(made, name));

  describe('datasets of an activity by question', () => {
    let made: Dataset;
    beforeAll(async () => {
      made = await dataset('activity-analysis-by-question', 'wuensch');
    });

    it('are files with names, types, lengths and hashes', async () => {
      expect(made).toMatchObject({ dataset_type: 'activity-analysis-by-question', dataset_id: 'wuensch' });
      expect(made).toMatchObject({ sessions: 10, questions: 10 });
      expect(made.files.map(({ name, content_type }) => [name, content_type])).toEqual([
        ['report.html', 'text/html; charset=utf-8'],
        ['test.csv', 'text/csv; charset=utf-8'],
        ['questions.csv', 'text/csv; charset=utf-8'],
        ['options.csv', 'text/csv; charset=utf-8'],
        ['analysis.ndjson', 'application/x-ndjson'],
      ]);
      for (const { address, bytes, sha256, content_type, expires_at } of made.files) {
        const response = await fetch(address);
        const content = Buffer.from(await response.arrayBuffer());
        expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
        expect(response.headers.get('content-type')).toBe(content_type);
        expect(Date.parse(expires_at)).toBeGreaterThan(service.clock.now());
      }
    });

    it('contain the statistics of the test', async () => {
      const [test] = await rowsOf(made, 'test.csv');
      expect(test).toMatchObject({ sessions: '10', questions: '10', max_score: '10', mean_score: '6.6' });
      expect(test).toMatchObject({ lowest_score: '2', highest_score: '9', group_size: '3', alpha_sessions: '10' });
      expect(Number(test!.alpha)).toBeCloseTo(ALPHA, 6);
      expect(Number(test!.standard_error_of_measurement)).toBeCloseTo(1.4037, 4);
    });

    it('contain the statistics of each question', async () => {
      const rows = await rowsOf(made, 'questions.csv');
      expect(rows.map(({ question_reference }) => question_reference)).toEqual(references);
      expect(rows.map(({ p_value }) => p_value)).toEqual([
        '0.7',
        '0.7',
        '0.6',
        '0.7',
        '0.6',
        '0.8',
        '0.7',
        '0.7',
        '0.5',
        '0.6',
      ]);
      expect(rows[0]).toMatchObject({
        item_organisation_id: '1',
        item_reference: 'w-1',
        occurrence: '1',
        question_type: 'mcq',
        n: '10',
        attempted: '10',
        omitted: '0',
        unscored: '0',
        max_score: '1',
        mean_score: '0.7',
        p_lower: '0.25',
        p_upper: '1',
        discrimination_index: '0.75',
      });
    });

    it('show who chose which option', async () => {
      const rows = (await rowsOf(made, 'options.csv')).filter(({ question_reference }) => question_reference === 'w-9');
      // Right: A 8, E 2, F 9, G 8, J 7, of ten points; wrong: 7, 7, 2, 9, 7.
      expect(rows).toMatchObject([
        { option_kind: 'offered', option_value: '0', option_label: 'One', is_key: 'false', count: '5', share: '0.5' },
        { option_kind: 'offered', option_value: '1', option_label: 'Two', is_key: 'true', count: '5', share: '0.5' },
        { option_kind: 'none', option_value: '', option_label: '', count: '0', mean_total_percent: '' },
      ]);
      expect(rows.slice(0, 2).map(({ mean_total_percent }) => Number(mean_total_percent))).toEqual([64, 68]);
      expect(rows[1]).toMatchObject({ share_lower: '0.416667', share_upper: '0.666667' });
    });

    it('contain everything as JSON Lines', async () => {
      const [test, ...questions] = await linesOf(made, 'analysis.ndjson');
      expect(test).toMatchObject({ record: 'test', dataset_id: 'wuensch', sessions: 10, mean_score: 6.6 });
      expect(test!.histogram).toContainEqual({ from: 70, to: 80, count: 4 });
      expect(questions).toHaveLength(10);
      expect(questions[8]).toMatchObject({
        record: 'question',
        question_reference: 'w-9',
        p_value: 0.5,
        options: [{ option_value: '0', is_key: false }, { option_value: '1', is_key: true }, { option_kind: 'none' }],
      });
    });

    it('contain a page in which no code can run', async () => {
      const response = await fetch(fileOf(made, 'report.html').address);
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' });
      expect(headers).not.toHaveProperty('content-disposition');
      expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'; style-src 'unsafe-inline'/);
      expect(headers['content-security-policy']).not.toMatch(/allow-|script-src|'self'/);
      const page = await response.text();
      expect(page.match(/<svg /g)).toHaveLength(12);
      expect(page).not.toMatch(/<script|<link|<iframe|<object|\bon[a-z]+=|src=|@import|https?:(?!\/\/www\.w3\.org\/)/i);
      expect(page).toContain('0.696');
    });

    it('are downloaded, except the page, and can be read only by their addresses', async () => {
      for (const { name, address } of made.files) {
        const { headers } = await fetch(address);
        expect(headers.get('content-disposition')).toBe(name === 'report.html' ? null : 'attachment');
        const url = new URL(address);
        expect((await fetch(`${url.origin}${url.pathname}`)).status).toBe(403);
        expect(url.pathname.split('/').at(-1)).toBe(name);
      }
      const [one, other] = made.files;
      expect(
        (await fetch(one!.address.replace(new URL(one!.address).pathname, new URL(other!.address).pathname))).status,
      ).toBe(403);
    });
  });

  it('cover the questions of an item in all activities, compared with the totals there', async () => {
    await submit(service, [wuensch('elsewhere', '1111111111', { activityId: 'elsewhere' })]);
    const made = await dataset('ibk-analysis-by-question', 'w-9');
    const rows = await rowsOf(made, 'questions.csv');
    expect(rows).toMatchObject([{ question_reference: 'w-9', n: '11', mean_score: '0.545455' }]);
    const [test] = await rowsOf(made, 'test.csv');
    expect(test).toMatchObject({ sessions: '11', questions: '10', highest_score: '10' });
  });

  it('follow the record of an item through renames, and leave out other records with the same reference', async () => {
    const item1 = { ...item(['w-1'], { reference: 'named-first' }) };
    const taken = (id: string, ...names: string[]) =>
      submit(service, [
        submission(id, {
          activityId: 'named',
          items: items(names),
          responses: names.map((name) => answer(name, name === 'third' ? 'w-2' : 'w-1', ['1'])),
        }),
      ]);
    await write(client, { items: [item1, item(['w-2'], { reference: 'third' })] });
    await taken('named-1', 'named-first', 'third');
    await write(client, { items: [{ ...item1, new_reference: 'named-second' }] });
    await taken('named-2', 'named-second');
    // Another item takes the reference.
    await write(client, { items: [{ ...item(['w-2'], { reference: 'third' }), new_reference: 'named-first' }] });
    const row = async (id: string, type = 'ibk-analysis-by-question') => {
      const rows = await rowsOf(await dataset(type, id), 'questions.csv');
      return rows.map(({ item_reference, question_reference, n }) => [item_reference, question_reference, n]);
    };
    expect(await row('named-second')).toEqual([['named-second', 'w-1', '2']]);
    expect(await row('named-first')).toEqual([['named-first', 'w-2', '1']]);
    // No item has this reference now; the sessions that know the item by it count.
    expect(await row('third')).toEqual([['third', 'w-2', '1']]);
    // An activity has the item once.
    expect(await row('named', 'activity-analysis-by-question')).toEqual([
      ['named-second', 'w-1', '2'],
      ['named-first', 'w-2', '1'],
    ]);
  });

  it('contain the sessions of an activity that is named by reference', async () => {
    await submit(service, [
      wuensch('by-template-1', '1111100000', { activityId: 'class 7', activityTemplateId: 'template' }),
      wuensch('by-template-2', '1111000000', { activityId: 'template', activityTemplateId: 'template' }),
      wuensch('by-id', '1110000000', { activityId: 'template' }),
    ]);
    const made = await dataset('activity-analysis-by-question', 'template');
    expect(await rowsOf(made, 'test.csv')).toMatchObject([{ sessions: '3', mean_score: '4' }]);
  });

  it('contain only completed sessions of the organisation', async () => {
    const other = (id: string, wanted: Partial<Submission>) =>
      wuensch(id, '0000000000', { activityId: 'few', ...wanted });
    await submit(service, [
      wuensch('few-1', '1111111111', { activityId: 'few' }),
      other('few-2', { status: 'Incomplete', completedAt: null }),
      other('few-3', { status: 'Discarded' }),
    ]);
    const stranger = await service.consumerOf([2, 'write']);
    expectFailure(
      await stranger.set(PATH, { dataset_type: 'activity-analysis-by-question', dataset_id: 'few' }),
      400,
      50000,
      'dataset_id',
    );
    const made = await dataset('activity-analysis-by-question', 'few');
    expect(await rowsOf(made, 'test.csv')).toEqual([
      expect.objectContaining({ sessions: '1', mean_score: '10', sd_score: '', alpha: '', group_size: '0' }),
    ]);
    expect((await rowsOf(made, 'questions.csv'))[0]).toMatchObject({ p_value: '1', point_biserial: '', p_upper: '' });
    expect(await textOf(made, 'report.html')).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  it('leave out comparisons when all sessions have the same total', async () => {
    await submit(
      service,
      several(6, (index) => wuensch(`same-${index}`, '1100000000', { activityId: 'same' })),
    );
    const made = await dataset('activity-analysis-by-question', 'same');
    const [test] = await rowsOf(made, 'test.csv');
    expect(test).toMatchObject({ sessions: '6', sd_score: '0', alpha: '', standard_error_of_measurement: '' });
    for (const row of await rowsOf(made, 'questions.csv'))
      expect(row).toMatchObject({ point_biserial: '', discrimination_index: '', alpha_without: '' });
    expect(await textOf(made, 'report.html')).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  it('contain texts of people as plain text, so that no markup and no formula runs', async () => {
    const activityId = `=cmd|'/C calc'!A0 <img src=x onerror=alert(1)>`;
    await submit(
      service,
      several(6, (index) =>
        submission(`hostile-${index}`, {
          activityId,
          items: items(['hostile']),
          responses: [answer('hostile', 'hostile', [index === 1 ? '=1+1' : index === 5 ? '<script>' : String(index)])],
          tags: [{ type: '=1+1', name: '<b>tag</b>' }],
        }),
      ),
    );
    const made = await dataset('activity-analysis-by-question', activityId);
    const rows = await rowsOf(made, 'options.csv');
    expect(rows.map(({ option_label }) => option_label)).toEqual([
      // As stored in the bank.
      '<img src="x" />Right &amp; <b>bold</b>',
      `'${HOSTILE[1]}`,
      "'+1",
      "'-1",
      "'@SUM(A1)",
      HOSTILE[5],
      '',
      '',
    ]);
    expect(rows.map(({ option_kind, option_value, count }) => [option_kind, option_value, count])).toEqual([
      ['offered', '0', '1'],
      ['offered', "'=1+1", '1'],
      ['offered', '2', '1'],
      ['offered', '3', '1'],
      ['offered', '4', '1'],
      ['offered', '5', '0'],
      ['other', '', '1'],
      ['none', '', '0'],
    ]);
    const page = await textOf(made, 'report.html');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).toContain('Right &amp; bold');
    expect(page).not.toMatch(/<script|<img|<b>|alert\(1\)<|<[^>]*onerror/i);
    const groups = await dataset('activity-summary-by-group', activityId);
    expect(await rowsOf(groups, 'groups.csv')).toMatchObject([
      { group_kind: 'all', sessions: '6' },
      { group_kind: 'tag', tag_type: "'=1+1", name: '<b>tag</b>', sessions: '6' },
    ]);
  });

  it('contain any number of sessions', async () => {
    const MANY = 230;
    const all = several(MANY, (index) =>
      wuensch(`many-${index}`, STUDENTS[index % 10]!, {
        activityId: index % 2 === 0 ? 'many' : 'other',
        tags: [{ type: 'Size', name: 'many' }],
      }),
    );
    for (let from = 0; from < MANY; from += 50) await submit(service, all.slice(from, from + 50));
    const byTag = await dataset('sessions-summary-by-group', 'Size:many');
    expect(
      (await linesOf(byTag, 'groups.ndjson')).map(({ group_kind, name, sessions }) => [group_kind, name, sessions]),
    ).toEqual([
      ['all', null, MANY],
      ['activity', 'many', MANY / 2],
      ['activity', 'other', MANY / 2],
    ]);
    const analysed = await dataset('activity-analysis-by-question', 'many');
    // Students A, C, E, G and I, 23 times each.
    expect((await rowsOf(analysed, 'questions.csv')).map(({ n, p_value }) => [n, p_value])).toEqual(
      ['0.6', '0.8', '0.4', '0.8', '0.6', '1', '0.4', '0.6', '0.6', '0.6'].map((p) => [String(MANY / 2), p]),
    );
  });

  describe('datasets of groups', () => {
    const tag = (type: string, name: string) => ({ type, name });
    beforeAll(async () => {
      const minutes = (count: number) => ({ completedAt: Date.UTC(2026, 0, 1, 10, count) });
      const grouped = (id: string, digits: string, tags: Submission['tags'], more: Partial<Submission> = {}) =>
        wuensch(id, digits, { activityId: 'grouped', tags, ...more });
      await submit(service, [
        grouped('g-1', '1111111111', [tag('Class', '7b'), tag('Sex', 'f')], minutes(10)),
        grouped('g-2', '1111100000', [tag('Class', '7b')], minutes(20)),
        grouped('g-3', '0000000000', [tag('Class', '7B'), tag('a:b', 'c:d')], { activityId: 'second', ...minutes(6) }),
        grouped('g-4', '1100000000', [], minutes(30)),
        { ...grouped('g-5', '1111111111', [tag('Class', '7b')]), status: 'Incomplete', completedAt: null },
      ]);
    });

    it('summarise an activity by the tags of its sessions', async () => {
      const made = await dataset('activity-summary-by-group', 'grouped');
      expect(made.files.map(({ name }) => name)).toEqual(['groups.csv', 'groups.ndjson']);
      expect(made).toMatchObject({ sessions: 3, groups: 4 });
      const { data } = await client.get('jobs', { type: ['dataset'], limit: 1 });
      expect(data).toMatchObject([{ status: 'completed', progress: { done: 3, total: 3 } }]);
      const rows = await rowsOf(made, 'groups.csv');
      expect(rows.map(({ group_kind, tag_type, name }) => [group_kind, tag_type, name])).toEqual([
        ['all', '', ''],
        ['tag', 'Class', '7b'],
        ['tag', 'Sex', 'f'],
        ['untagged', '', ''],
      ]);
      // 10, 5 and 2 of ten points in 10, 20 and 30 minutes.
      expect(rows[0]).toMatchObject({ sessions: '3', mean_score: '5.666667', lowest_score: '2', highest_score: '10' });
      expect(rows[0]).toMatchObject({ mean_percent: '56.666667', share_attempted: '1', mean_duration_minutes: '20' });
      // Deviations of 10 and 5 from 7.5: √(2 · 6.25 / 1).
      expect(rows[1]).toMatchObject({
        sessions: '2',
        mean_score: '7.5',
        sd_score: '3.535534',
        mean_duration_minutes: '15',
      });
      expect(rows[2]).toMatchObject({ sessions: '1', mean_score: '10', sd_score: '' });
      expect(rows[3]).toMatchObject({ sessions: '1', mean_score: '2' });
    });

    it('summarise sessions with a tag, in any case, by activity and further tags', async () => {
      const rows = await rowsOf(await dataset('sessions-summary-by-group', 'class:7b'), 'groups.csv');
      expect(rows.map(({ group_kind, tag_type, name, sessions }) => [group_kind, tag_type, name, sessions])).toEqual([
        ['all', '', '', '3'],
        ['activity', '', 'grouped', '2'],
        ['activity', '', 'second', '1'],
        ['tag', 'a:b', 'c:d', '1'],
        ['tag', 'Sex', 'f', '1'],
      ]);
    });

    it('find a tag with colons', async () => {
      const rows = await rowsOf(await dataset('sessions-summary-by-group', 'a:b:c:d'), 'groups.csv');
      expect(rows[0]).toMatchObject({ sessions: '1', mean_score: '0', mean_duration_minutes: '6' });
    });
  });

  describe('requests for datasets', () => {
    const rejected: [string, object, number, string][] = [
      ['an unknown type', { dataset_type: 'by-magic', dataset_id: 'wuensch' }, 44000, 'dataset_type'],
      ['a missing type', { dataset_id: 'wuensch' }, 20000, 'dataset_type'],
      ['a missing id', { dataset_type: 'activity-summary-by-group' }, 20000, 'dataset_id'],
      [
        'a tag without a colon',
        { dataset_type: 'sessions-summary-by-group', dataset_id: 'Class' },
        20004,
        'dataset_id',
      ],
      [
        'a tag without a name',
        { dataset_type: 'sessions-summary-by-group', dataset_id: 'Class:' },
        20004,
        'dataset_id',
      ],
      ...[
        ['ibk-analysis-by-question', 'nothing'],
        ['ibk-analysis-by-question', 'wuensch'],
        ['activity-analysis-by-question', 'w-1'],
        ['activity-summary-by-group', 'nothing'],
        ['activity-analysis-by-question', 'WUENSCH'],
        ['sessions-summary-by-group', 'Class:none'],
      ].map(([dataset_type, dataset_id]): [string, object, number, string] => [
        `an id without completed sessions: ${dataset_type} ${dataset_id}`,
        { dataset_type, dataset_id },
        50000,
        'dataset_id',
      ]),
    ];
    it.each(rejected)('are rejected for %s', async (_, request, code, at) => {
      const jobs = async () => (await client.get('jobs', { limit: 50 })).data.length as number;
      const before = await jobs();
      expectFailure(await client.set(PATH, request), 400, code, at);
      expect(await jobs()).toBe(before);
    });

    it('are rejected for an activity without completed sessions', async () => {
      const open = { activityId: 'open', status: 'Incomplete' as const, completedAt: null };
      await submit(service, [wuensch('open', '1', open)]);
      expectFailure(
        await client.set(PATH, { dataset_type: 'activity-summary-by-group', dataset_id: 'open' }),
        400,
        50000,
        'dataset_id',
      );
    });
  });
});

/** Rows of a CSV (RFC 4180) by column name. */
function rowsIn(csv: string): Record<string, string>[] {
  const [header, ...records] = [...csv.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n))/g)].reduce<string[][]>(
    (rows, [, field]) => {
      const isLast = field!.endsWith('\r\n');
      const text = field!.slice(0, isLast ? -2 : -1);
      rows.at(-1)!.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
      if (isLast) rows.push([]);
      return rows;
    },
    [[]],
  );
  return records.slice(0, -1).map((record) => {
    expect(record).toHaveLength(header!.length);
    return Object.fromEntries(header!.map((name, at) => [name, record[at]!]));
  });
}
