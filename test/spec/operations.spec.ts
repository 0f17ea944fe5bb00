import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A row of `operations.json`: one operation, transcribed by hand from the specification (Endpoints) and in its order.
 * Names are those of the specification. `by`, or a comment in this file, marks what a decision adds or settles.
 */
interface OperationRow {
  /** Without the version segment. */
  path: string;
  action: string;
  /** Distinguishes two operations of the same path and action: `member=value`. The first one is the default. */
  when?: string;
  summary: string;
  deprecated?: true;
  /** Answers with one or more job references. */
  asynchronous?: true;
  /** Takes `limit` and `next`. */
  paged?: true;
  /** The list that the operation works through, and how many entries it may hold. */
  list?: { member: string; max: number; by?: string };
  /** All its parameters, besides the common `meta`. */
  filters: string[];
  /** Required members. A nested one is required only when its parent is present. */
  required?: string[];
  /** The maximum number of entries of filters with a limit. */
  limits?: Record<string, number>;
  /** The filter with which the answer is an object keyed by its entries. */
  keyed?: string;
  answer: 'array' | 'object' | 'empty';
}

const operations = JSON.parse(readFileSync(join(__dirname, 'operations.json'), 'utf8')) as OperationRow[];

const name = ({ path, action, when }: OperationRow) => [path, action, when].filter(Boolean).join(' ');
const row = (path: string, action: string, when?: string) => {
  const found = operations.filter((o) => o.path === path && o.action === action && (!when || o.when === when));
  expect(found).toHaveLength(1);
  return found[0]!;
};

describe('the operations of the specification', () => {
  it('are 47: `sessions` set counts twice, once for each `data_format`', () => {
    expect(operations).toHaveLength(47);
    expect(operations.filter((o) => o.when).map(name)).toEqual([
      'sessions set data_format=failed_submission',
      'sessions set data_format=from_template',
    ]);
  });

  it('are distinguished by path, action and `when`', () => {
    expect(new Set(operations.map(name)).size).toBe(operations.length);
    const plain = operations.filter((o) => !o.when).map((o) => `${o.path} ${o.action}`);
    for (const o of operations.filter((each) => each.when)) expect(plain).not.toContain(`${o.path} ${o.action}`);
  });

  it('belong to three areas', () => {
    const count = (area: RegExp) => operations.filter((o) => area.test(o.path)).length;
    expect([count(/^itembank\//), count(/^jobs(\/|$)/), count(/^sessions(\/|$)/)]).toEqual([31, 5, 11]);
  });

  it('have by action: 23 get, 18 set, 6 update', () => {
    const count = (action: string) => operations.filter((o) => o.action === action).length;
    expect([count('get'), count('set'), count('update')]).toEqual([23, 18, 6]);
  });

  it('are deprecated where the specification says so', () => {
    expect(operations.filter((o) => o.deprecated).map(name)).toEqual([
      'itembank/activities/templates get',
      'itembank/tags get',
      'itembank/tags set',
    ]);
  });

  it('start jobs where the specification answers with a job reference', () => {
    expect(operations.filter((o) => o.asynchronous).map(name)).toEqual([
      'itembank/activities/duplicate set',
      'itembank/pools set',
      'itembank/pools update',
      'itembank/offlinepackage get',
      'jobs/sessions/scores/subscores get',
      'jobs/reports/datasets set',
      'jobs/sessions/statuses update',
      'jobs/sessions/metadata set',
      'sessions/responses/scores update',
      'sessions set data_format=failed_submission',
      'sessions set data_format=from_template',
      'sessions/item update',
    ]);
  });

  describe.each(operations.map((o) => [name(o), o] as const))('%s', (_, o) => {
    it('has a path without version and slashes at its ends, an allowed action and a known answer', () => {
      expect(o.path).toMatch(/^(itembank\/[a-z]+|jobs|sessions)(\/[a-z]+)*$/);
      expect(['get', 'set', 'update']).toContain(o.action);
      expect(['array', 'object', 'empty']).toContain(o.answer);
      if (o.asynchronous) expect(o.answer).not.toBe('empty');
    });

    it('has a summary of one sentence', () => {
      expect(o.summary).toMatch(/^[A-Z][^.]+\.$/);
      expect(o.summary.length).toBeLessThanOrEqual(90);
    });

    it('names each parameter once, and requires and limits only what it names', () => {
      expect(new Set(o.filters).size).toBe(o.filters.length);
      const root = (member: string) => member.split(/[.[]/)[0];
      for (const member of [...(o.required ?? []), ...Object.keys(o.limits ?? {})])
        expect(o.filters.map(root)).toContain(root(member));
      if (o.list) expect(o.filters).toContain(o.list.member);
      if (o.list) expect(o.required).toContain(o.list.member);
      if (o.keyed) expect(o.filters).toContain(o.keyed);
    });

    it('takes `limit` and `next` exactly when it is paged (jobs by decision 8)', () => {
      expect(['limit', 'next'].every((member) => o.filters.includes(member))).toBe(o.paged === true);
      if (o.paged) expect([o.action, o.answer]).toEqual(['get', 'array']);
    });

    it('takes an author exactly when it sets or updates', () => {
      expect(o.filters.includes('meta.user')).toBe(o.action !== 'get');
    });

    it('says how many entries each of its lists may hold', () => {
      const listed = [o.list?.member, ...Object.keys(o.limits ?? {})];
      for (const member of ['references', 'session_id', 'activity_id', 'user_id', 'item_references'])
        if (o.filters.includes(member)) expect(listed).toContain(member);
    });
  });

  // The table Limits, row by row.
  it.each([
    ['itembank/activities', 'set', 'activities', 50],
    ['itembank/activities/tags', 'set', 'activities', 50],
    ['itembank/activities/tags', 'update', 'activities', 50],
    ['itembank/activities/duplicate', 'set', 'activities', 10],
    ['itembank/items', 'set', 'items', 50],
    ['itembank/items/duplicate', 'set', 'items', 50],
    ['itembank/items/tags', 'set', 'items', 50],
    ['itembank/items/tags', 'update', 'items', 50],
    ['itembank/questions', 'set', 'questions', 50],
    ['itembank/features', 'set', 'features', 50],
    ['itembank/pools', 'set', 'pools', 50],
    ['itembank/pools', 'update', 'pools', 50],
    ['itembank/workflows', 'set', 'workflows', 50],
    ['itembank/tagging/tags', 'set', 'tags', 1000],
    ['itembank/tags', 'set', 'tags', 1000],
    ['jobs/sessions/scores/subscores', 'get', 'session_id', 100],
    ['jobs/sessions/statuses', 'update', 'statuses', 100],
    ['jobs/sessions/metadata', 'set', 'session_metadata', 100],
    ['sessions/responses/scores', 'update', 'sessions', 1000],
    ['sessions/item', 'update', 'session_ids', 100],
  ])('%s %s takes `%s`, at most %i', (path, action, member, max) => {
    expect(row(path, action).list).toEqual({ member, max });
  });

  it('failed submissions take at most 50 entries, and a limit that only a decision sets names the decision', () => {
    expect(row('sessions', 'set', 'data_format=failed_submission').list).toEqual({ member: 'data', max: 50 });
    expect(operations.filter((o) => o.list?.by).map((o) => [name(o), o.list])).toEqual([
      ['itembank/questions/duplicate set', { member: 'item_references', max: 50, by: 'decision 20' }],
      ['itembank/features/duplicate set', { member: 'item_references', max: 50, by: 'decision 20' }],
      ['sessions set data_format=from_template', { member: 'data', max: 50, by: 'decision 32' }],
    ]);
  });

  it('limits every filter by references to 1000', () => {
    for (const o of operations) for (const max of Object.values(o.limits ?? {})) expect(max).toBe(1000);
    expect(row('itembank/offlinepackage', 'get').limits).toEqual({ activity_references: 1000, item_references: 1000 });
  });
});
