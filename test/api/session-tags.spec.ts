import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { eventsOf } from '../support/session-events';
import { resultsOfStarted, sessionOf, submit } from '../support/submissions';

const PATH = 'jobs/sessions/metadata';

describe.each(anEngine(__filename))('tags of sessions on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(async () => {
    await writeSessionBank(service.client);
    await submit(
      service,
      ['s-1', 's-2', 's-3'].map((id) => wholeSession(id, { metadata: { max_time: 60 } })),
    );
  });
  beforeEach(() => service.clock.advance(10_000));

  const stored = (id: string) => sessionOf(service, id);
  const entry = (session_id: string, session_tags: unknown, user_id = 'learner') => ({
    session_id,
    user_id,
    metadata: { session_tags },
  });
  const set = (session_metadata: object[], more: object = {}): Promise<Answer> =>
    service.client.set(PATH, { session_metadata, ...more });
  const done = async (session_metadata: object[], more: object = {}) =>
    resultsOfStarted(service, await set(session_metadata, more));
  const found = async (type: string, name: string) =>
    (
      await service.database.rows<{ session_id: string }>(
        `SELECT s.session_id FROM session_tag t JOIN session s ON s.organisation_id = t.organisation_id AND s.id = t.id
         WHERE t.organisation_id = 1 AND t.type_key = ? AND t.name_key = ? ORDER BY s.session_id`,
        [type, name],
      )
    ).map(({ session_id }) => session_id);

  it('are replaced, without any other change', async () => {
    const before = await stored('s-1');
    const events = await eventsOf(service.database, 's-1');
    expect(
      await done([
        entry('s-1', [
          { type: 'Group', name: 'A' },
          { type: 'Year', name: '5' },
        ]),
        entry('s-2', { Group: ['A', 'B'] }),
      ]),
    ).toEqual({ changed: 2, unchanged: 0 });
    const first = await stored('s-1');
    expect(first).toEqual({
      ...before,
      updatedAt: service.clock.now(),
      tags: [
        { type: 'Group', name: 'A' },
        { type: 'Year', name: '5' },
      ],
    });
    expect([await found('group', 'a'), await found('group', 'b')]).toEqual([['s-1', 's-2'], ['s-2']]);
    await done([entry('s-1', [{ type: 'group', name: 'b' }]), entry('s-2', [])]);
    expect([await found('group', 'a'), await found('group', 'b'), await found('year', '5')]).toEqual([[], ['s-1'], []]);
    expect((await stored('s-2')).tags).toEqual([]);
    expect(await eventsOf(service.database, 's-1')).toEqual(events);
  });

  it('count once if a request repeats them, and unchanged tags are not written', async () => {
    const tags = [
      { type: 'Group', name: 'A' },
      { type: 'GROUP', name: 'a' },
    ];
    expect(await done([entry('s-3', tags)])).toEqual({ changed: 1, unchanged: 0 });
    const before = await stored('s-3');
    expect(before.tags).toEqual([{ type: 'Group', name: 'A' }]);
    service.clock.advance(1000);
    expect(await done([entry('s-3', tags)])).toEqual({ changed: 0, unchanged: 1 });
    expect(await stored('s-3')).toEqual(before);
  });

  it('are in the audit trail with their author', async () => {
    await done([entry('s-3', [])]);
    await done([entry('s-3', [{ type: 'Group', name: 'C' }])], { meta: { user: { id: 'sorter' } } });
    const rows = await service.database.rows<{ author_id: string | null; detail: string }>(
      `SELECT author_id, detail FROM audit WHERE organisation_id = 1 AND subject = 'session' AND subject_key = ? ORDER BY id`,
      ['s-3'],
    );
    expect(rows.at(-1)!.author_id).toBe('sorter');
    expect(JSON.parse(rows.at(-1)!.detail)).toEqual({ before: [], after: [{ type: 'Group', name: 'C' }] });
  });

  it('20016, 30000: are rejected for sessions that are unknown, of others, or named twice, and the answer lists all', async () => {
    const before = await stored('s-1');
    const refused = await set([entry('s-1', []), entry('nowhere', []), entry('s-2', [], 'other'), entry('s-1', [])]);
    expectFailure(refused, 400, 20016, /no session "nowhere"/);
    expect(refused.meta.errors).toMatchObject([
      { code: 20016, pointer: '/session_metadata/1/session_id' },
      { code: 20016, pointer: '/session_metadata/2/user_id' },
      { code: 30000, pointer: '/session_metadata/3/session_id' },
    ]);
    expect(await stored('s-1')).toEqual(before);
  });

  it.each([
    ['20001: with a name that is too long', [{ type: 'x', name: 'y'.repeat(256) }], 20001, '/0/name'],
    ['20000: without a name', [{ type: 'x' }], 20000, '/0/name'],
    ['20003: as a text', 'x', 20003, ''],
    ['20000: as nothing', undefined, 20000, ''],
    ['20002: too many', Array.from({ length: 101 }, (_, index) => ({ type: 'x', name: `${index}` })), 20002, ''],
    ['20002: too many by type', { x: Array.from({ length: 101 }, (_, index) => `${index}`) }, 20002, ''],
  ])('are rejected: %s', async (_, tags, code, at) => {
    const refused = await set([entry('s-1', tags)]);
    expectFailure(refused, 400, code);
    expect(refused.meta.errors).toMatchObject([{ pointer: `/session_metadata/0/metadata/session_tags${at}` }]);
  });
});
