import { newId } from '#kernel';
import {
  type Form,
  type FormItem,
  formOf,
  SESSION_STATUSES,
  type Session,
  type SessionRecord,
  SETTABLE_STATUSES,
} from '#sessions';
import { type SessionFilter } from '../../libs/sessions/src/application/ports/session-reader';
import { several } from '../support/builders';
import { type Engine } from '../support/engines';
import { replace, store, storedResponse, storedSession, storedSessions } from '../support/sessions';
import { randomFrom } from '../support/random';
import { plansOf } from './plans';
import { newDay, newOrganisation, type Ports } from './ports';

export function sessionReaderContract(engine: Engine, ports: Ports): void {
  let organisation: number;
  let now: number;
  beforeEach(() => {
    organisation = newOrganisation();
    now = newDay();
  });

  const addSessions = async (...sessions: Session[]): Promise<Session[]> => {
    await store(ports.sessions, organisation, sessions);
    return sessions;
  };
  const formItemOf = (reference: string, of: number): FormItem => ({
    reference,
    organisation: of,
    document: newId(now),
    hash: 'ab'.repeat(32),
    scoringType: 'per-question',
    difficulty: null,
    questions: [],
  });
  /** Stores forms with these items, and returns them. */
  const keepForms = async (...lists: string[][]): Promise<Form[]> => {
    const forms = lists.map((list) =>
      formOf(
        list.map((reference) => formItemOf(reference, organisation)),
        {},
      ),
    );
    await ports.forms.keep(organisation, forms);
    return forms;
  };
  const idsOf = (sessions: readonly { id: string }[]): string[] => sessions.map(({ id }) => id);
  const found = async (filter: SessionFilter, direction: 'asc' | 'desc' = 'asc'): Promise<string[]> =>
    idsOf(await ports.sessionReader.inOrder(organisation, filter, { direction }, 1000, {}));

  it('counts the completed sessions of each form, for the forms of the latest sessions', async () => {
    const formIds = several(3, () => newId(now));
    const session = (index: number, form: number, status: Session['status'] = 'Completed') => ({
      ...storedSession(now + index),
      formId: formIds[form]!,
      status,
    });
    const statuses = SETTABLE_STATUSES.filter((status) => status !== 'Completed');
    await addSessions(session(0, 0), session(1, 1), session(2, 0), session(3, 2), session(4, 1));
    await addSessions(...statuses.map((status, index) => session(5 + index, 2, status)));
    const counted = (limit: number) => ports.sessionReader.completedByForm(organisation, limit);
    expect(await counted(10)).toEqual(
      new Map([
        [formIds[1], 2],
        [formIds[2], 1],
        [formIds[0], 2],
      ]),
    );
    expect([...(await counted(2)).keys()]).toEqual([formIds[1], formIds[2]]);
    expect(await ports.sessionReader.completedByForm(newOrganisation(), 10)).toEqual(new Map());
  });

  it('reads sessions in the order of creation, in both directions and from any position', async () => {
    const all = idsOf(await addSessions(...several(9, (index) => storedSession(now + index))));
    expect(await found({}, 'asc')).toEqual(all);
    expect(await found({}, 'desc')).toEqual([...all].reverse());
    const { sessionReader } = ports;
    const part = (direction: 'asc' | 'desc') =>
      sessionReader.inOrder(organisation, {}, { direction, after: all[4] }, 3, {});
    expect(idsOf(await part('asc'))).toEqual(all.slice(5, 8));
    expect(idsOf(await part('desc'))).toEqual([all[3], all[2], all[1]]);
  });

  // The plans of servers count rows, and 30 rows are few. So only the plan of SQLite can fail here.
  if (engine === 'sqlite')
    it('reads few sessions for a page of many', async () => {
      await addSessions(...several(30, (index) => storedSession(now + index)));
      const [activityIds, sort] = [['activity'], { direction: 'desc' } as const];
      const wanted = { texts: ['subscores'], responses: true } as const;
      const { result, tables, excessiveSteps } = await plansOf(ports, /^SCAN|\(organisation_id=\?\)$/, () =>
        ports.sessionReader.inOrder(organisation, { activityIds }, sort, 20, wanted),
      );
      expect(result).toHaveLength(20);
      expect(tables).toEqual(expect.arrayContaining(['s', 'w']));
      expect(excessiveSteps).toEqual([]);
    });

  it('omits sessions that have changed since a given moment', async () => {
    const [first, second, third] = await addSessions(...several(3, (index) => storedSession(now + index)));
    const sort = { direction: 'asc', until: now + 1 } as const;
    expect(idsOf(await ports.sessionReader.inOrder(organisation, {}, sort, 10, {}))).toEqual([first!.id, second!.id]);
    await replace(ports.sessions, organisation, [{ ...first!, updatedAt: now + 5 }]);
    expect(idsOf(await ports.sessionReader.inOrder(organisation, {}, sort, 10, {}))).toEqual([second!.id]);
    expect(third).toBeDefined();
  });

  it('separates organisations', async () => {
    const [session] = await addSessions(storedSession(now));
    const other = newOrganisation();
    const { sessionReader } = ports;
    expect(await sessionReader.inOrder(other, {}, { direction: 'asc' }, 10, {})).toEqual([]);
    expect(await sessionReader.inOrder(other, { userIds: ['learner'] }, { direction: 'asc' }, 10, {})).toEqual([]);
    expect(await sessionReader.changedAfter(other, {}, { updatedAt: 0, id: '' }, 10)).toEqual([]);
    expect(await sessionReader.byIds(other, {}, [session!.id], {})).toEqual([]);
  });

  it.each([
    ['sessionIds', 'sessionId'],
    ['userIds', 'userId'],
    ['activityIds', 'activityId'],
  ] as const)('compares %s byte for byte', async (filter, member) => {
    const written = ['Ada', 'ada', 'ada ', 'adä'];
    const all = await addSessions(...written.map((value) => storedSession(now, { [member]: value })));
    for (const [index, value] of written.entries())
      expect(await found({ [filter]: [value] })).toEqual([all[index]!.id]);
    expect(await found({ [filter]: ['ADA', 'ada  ', 'ada', 'ada'] })).toEqual([all[1]!.id]);
    expect(await found({ [filter]: [] })).toEqual([]);
  });

  it('finds the sessions whose forms show an item of the bank', async () => {
    const shown = await keepForms(['a', 'b'], ['b'], ['A'], []);
    const foreign = formOf([formItemOf('a', organisation + 1)], {});
    await ports.forms.keep(organisation, [foreign]);
    const all = idsOf(
      await addSessions(...[...shown, foreign].map(({ id }, index) => storedSession(now + index, { formId: id }))),
    );
    expect(await found({ itemReferences: ['a'] })).toEqual([all[0]]);
    expect(await found({ itemReferences: ['b', 'b', 'none'] })).toEqual([all[0], all[1]]);
    expect(await found({ itemReferences: ['A', 'a'] }, 'desc')).toEqual([all[2], all[0]]);
    expect(await found({ itemReferences: ['none'] })).toEqual([]);
    expect(await found({ itemReferences: [] })).toEqual([]);
  });

  it('includes both ends of a period; a period of completion excludes sessions without one', async () => {
    const [early, late, open] = await addSessions(
      storedSession(now, { startedAt: 1000, completedAt: 5000 }),
      storedSession(now + 1, { startedAt: 2000, completedAt: 6000 }),
      storedSession(now + 2, { startedAt: 3000, completedAt: null, status: 'Incomplete' }),
    );
    expect(await found({ started: { from: 1000, to: 2000 } })).toEqual([early!.id, late!.id]);
    expect(await found({ started: { from: 1001 } })).toEqual([late!.id, open!.id]);
    expect(await found({ completed: { from: 0 } })).toEqual([early!.id, late!.id]);
    expect(await found({ completed: { to: 5999 } })).toEqual([early!.id]);
    expect(await found({ updated: { from: now + 1, to: now + 1 } })).toEqual([late!.id]);
  });

  it('agrees with a scan of all sessions for any combination of filters', async () => {
    const random = randomFrom(7);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
    const users = several(70, (index) => `user-${index}`);
    const activities = several(4, (index) => `activity-${index}`);
    // The first items are in few forms. The last one is in many, because each of its sessions has its own form.
    const items = several(6, (index) => `item-${index}`);
    const forms = await keepForms(...several(12, (index) => items.slice(index % 5, (index % 5) + 2)));
    const own = await keepForms(...several(40, () => ['item-6']));
    const shows = new Map(
      [...forms, ...own].map(({ id, items: shown }) => [id, shown.map(({ reference }) => reference)]),
    );
    const all = storedSessions(300, now, (index) => ({
      formId: pick([...forms, ...own]).id,
      userId: random(3) === 0 ? users[0]! : pick(users),
      activityId: pick(activities),
      status: pick(SETTABLE_STATUSES),
      adaptive: random(4) === 0 ? { items: [] } : null,
      updatedAt: now + ((index * 7) % 100),
    }));
    await addSessions(...all);
    const listOf = (values: readonly string[]): string[] =>
      several(pick([0, 1, 2, 3, 15, 60]), () => pick([...values, 'nobody']));
    for (let round = 0; round < 60; round++) {
      const filter: SessionFilter = {};
      if (random(2)) filter.userIds = listOf(users);
      if (random(2)) filter.activityIds = listOf(activities);
      if (random(4) === 0) filter.sessionIds = several(90, () => pick(all).sessionId);
      if (random(3) === 0) filter.statuses = several(1 + random(2), () => pick(SESSION_STATUSES));
      if (random(4) === 0) filter.isAdaptive = true;
      if (random(2) === 0) filter.itemReferences = several(random(3), () => pick([...items, 'item-6', 'none']));
      if (random(3) === 0) filter.updated = { from: now + random(50), to: now + 50 + random(50) };
      const direction = pick(['asc', 'desc'] as const);
      const until = random(2) ? now + 80 : undefined;
      const expected = all.filter(
        (session) => matches(filter, session, shows) && (until === undefined || session.updatedAt <= until),
      );
      if (direction === 'desc') expected.reverse();
      const met: string[] = [];
      for (let after: string | undefined; ; after = met.at(-1)) {
        const sort = { direction, after, until };
        const part = await ports.sessionReader.inOrder(organisation, filter, sort, 13, {});
        met.push(...idsOf(part));
        if (part.length < 13) break;
      }
      expect({ round, filter, met }).toEqual({ round, filter, met: idsOf(expected) });
      const states = all.filter((session) => matches(filter, session, shows)).sort(byChange);
      const place = states[random(states.length)];
      const after = place ?? { updatedAt: now, id: '' };
      const later = await ports.sessionReader.changedAfter(organisation, filter, after, 20);
      const beyond = states.slice(place ? states.indexOf(place) + 1 : 0, (place ? states.indexOf(place) + 1 : 0) + 20);
      expect(later).toEqual(beyond.map(({ id, updatedAt }) => ({ id, updatedAt })));
      const some = several(20, () => pick(all));
      const read = await ports.sessionReader.byIds(organisation, filter, idsOf(some), {});
      expect(idsOf(read).sort()).toEqual(
        [...new Set(idsOf(some.filter((session) => matches(filter, session, shows))))].sort(),
      );
    }
  });

  it('reads only the requested texts, exactly as they were stored', async () => {
    const [session] = await addSessions(
      storedSession(now, {
        responses: [storedResponse({ responseId: 'r', response: { value: 'Grüße 😀 "<b>"', type: 'string' } })],
        metadata: { max_time: 60, deep: { z: 1, a: [2] } },
        tags: [{ type: 'Class', name: '7b' }],
        adaptive: { items: ['item'] },
        customState: { step: 3 },
      }),
    );
    const read = async (...texts: Parameters<typeof ports.sessionReader.byIds>[3]['texts'] & object) =>
      (await ports.sessionReader.byIds(organisation, {}, [session!.id], { texts }))[0]!;
    const parsed = ({ texts }: SessionRecord) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text && (JSON.parse(text) as unknown)]));
    expect((await read()).texts).toEqual({});
    expect((await read('metadata')).texts).toEqual({ metadata: '{"max_time":60,"deep":{"z":1,"a":[2]}}' });
    expect(parsed(await read('tags', 'adaptive', 'customState', 'subscores'))).toEqual({
      tags: [{ type: 'Class', name: '7b' }],
      adaptive: { items: ['item'] },
      customState: { step: 3 },
      subscores: null,
    });
    expect(parsed(await read('responses')).responses).toMatchObject([
      { response_id: 'r', score: 1, response: { value: 'Grüße 😀 "<b>"', type: 'string' } },
    ]);
  });

  it('reads the facts, and the responses with their marks', async () => {
    const [session] = await addSessions(
      storedSession(now, {
        activityTemplateId: 'template',
        responses: [storedResponse({ score: 0.5 }), storedResponse({ score: null, scoredAt: null, attempted: false })],
      }),
    );
    const [record] = await ports.sessionReader.inOrder(
      ...([organisation, {}, { direction: 'desc' }, 1, { responses: true }] as const),
    );
    const { items: _i, subscores: _s, metadata: _m, tags: _t, adaptive: _a, customState: _c, ...facts } = session!;
    expect(record).toEqual({ ...facts, texts: {} });
  });
}

function matches(filter: SessionFilter, session: Session, shows: ReadonlyMap<string, string[]>): boolean {
  const among = (values: readonly string[] | undefined, value: string) => !values || values.includes(value);
  const within = ({ from = -Infinity, to = Infinity } = {}, value: number) => from <= value && value <= to;
  return (
    among(filter.userIds, session.userId) &&
    among(filter.activityIds, session.activityId) &&
    among(filter.sessionIds, session.sessionId) &&
    among(filter.statuses, session.status) &&
    (!filter.itemReferences || shows.get(session.formId)!.some((item) => filter.itemReferences!.includes(item))) &&
    (!filter.isAdaptive || session.adaptive !== null || session.customState !== null) &&
    within(filter.updated, session.updatedAt)
  );
}

function byChange(one: Session, other: Session): number {
  return one.updatedAt - other.updatedAt || (one.id < other.id ? -1 : 1);
}
