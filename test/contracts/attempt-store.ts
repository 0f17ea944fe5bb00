import { type Attempt } from '../../libs/delivery/src/domain/attempt';
import { SqlAttemptStore } from '../../libs/delivery/src/infrastructure/sql-attempt-store';
import { store as storeSessions, storedSession } from '../support/sessions';
import { newOrganisation, NOW, type Ports } from './ports';

const attempt = (sessionId: string, more: Partial<Attempt> = {}): Attempt => ({
  sessionId,
  userId: 'learner',
  formId: '0'.repeat(26),
  plan: {
    activityId: 'activity',
    activityTemplateId: null,
    subscores: [],
    metadata: { 'ä"': null },
    items: [{ id: 'x', reference: 'i-1', organisation: 7, features: [] }],
  },
  seed: 'ab'.repeat(32),
  startedAt: NOW,
  maxTime: null,
  isHard: false,
  pausedAt: null,
  pausedMs: 0,
  saveNumber: 0,
  savedHash: null,
  currentItem: null,
  elapsed: 0,
  checks: {},
  submittedAt: null,
  version: 1,
  ...more,
});

/** Attempts of learners in pages, and the tokens of the pages. */
export function attemptStoreContract(ports: Ports): void {
  let store: SqlAttemptStore;
  beforeAll(() => {
    store = new SqlAttemptStore(ports.database);
  });

  it('finds an attempt by its session, byte for byte and within the organisation', async () => {
    const organisation = newOrganisation();
    const whole = attempt('Session', { pausedAt: NOW, checks: { a: 2 }, currentItem: 'x', savedHash: 'cd'.repeat(32) });
    await store.add(organisation, whole);
    expect(await store.find(organisation, 'Session')).toEqual(whole);
    for (const other of ['session', 'Session ', '', 'x'.repeat(1_000)])
      expect(await store.find(organisation, other)).toBeUndefined();
    expect(await store.find(newOrganisation(), 'Session')).toBeUndefined();
  });

  it('finds an attempt with or without a stored session, and a stored session with or without an attempt', async () => {
    const [organisation, other] = [newOrganisation(), newOrganisation()];
    const [begun, saved] = [attempt('begun'), attempt('saved', { saveNumber: 1 })];
    await store.add(organisation, begun);
    await store.add(organisation, saved);
    const sessions = ['saved', 'submitted'].map((sessionId) => storedSession(NOW, { sessionId }));
    await storeSessions(ports.sessions, organisation, sessions);
    await storeSessions(ports.sessions, other, [storedSession(NOW, { sessionId: 'begun' })]);
    expect(await store.before(organisation, 'begun')).toEqual({ attempt: begun, isStored: false });
    expect(await store.before(organisation, 'saved')).toEqual({ attempt: saved, isStored: true });
    expect(await store.before(organisation, 'submitted')).toEqual({ attempt: undefined, isStored: true });
    expect(await store.before(other, 'begun')).toEqual({ attempt: undefined, isStored: true });
    for (const unknown of ['Begun', 'saved ', '', 'x'.repeat(1_000)])
      expect(await store.before(organisation, unknown)).toEqual({ attempt: undefined, isStored: false });
  });

  it('replaces the version that was read, and no other version', async () => {
    const organisation = newOrganisation();
    const first = attempt('s');
    await store.add(organisation, first);
    const next = { ...first, version: 2, saveNumber: 3, elapsed: 9, submittedAt: NOW + 1 };
    expect(await store.replace(organisation, next, first)).toBe(true);
    expect(await store.replace(organisation, { ...next, saveNumber: 4 }, first)).toBe(false);
    expect(await store.find(organisation, 's')).toEqual(next);
    const last = { ...next, version: 3, plan: { ...next.plan, activityId: 'another' } };
    expect(await store.replace(organisation, last, next)).toBe(true);
    expect(await store.find(organisation, 's')).toEqual(last);
    const other = attempt('other');
    expect(await store.replace(organisation, { ...other, version: 2 }, other)).toBe(false);
  });

  it('lists attempts with answers whose hard limit has passed, in pages, counting pauses at their maximum', async () => {
    const organisation = newOrganisation();
    const hard = { maxTime: 60, isHard: true, saveNumber: 1 };
    await store.add(organisation, attempt('due', hard));
    await store.add(organisation, attempt('later', { ...hard, pausedMs: 5_000 }));
    await store.add(organisation, attempt('paused', { ...hard, pausedAt: NOW + 1_000 }));
    await store.add(organisation, attempt('soft', { ...hard, isHard: false }));
    await store.add(organisation, attempt('unsaved', { ...hard, saveNumber: 0 }));
    await store.add(organisation, attempt('submitted', { ...hard, submittedAt: NOW }));
    const due = async (time: number, most = 10, skip = 0) =>
      (await store.overdue(organisation, time, most, skip)).map(({ sessionId }) => sessionId);
    expect(await due(NOW + 60_000)).toEqual([]);
    expect(await due(NOW + 60_001)).toEqual(['due']);
    expect(await due(NOW + 70_000)).toEqual(['due', 'later']);
    expect(await due(NOW + 25 * 60 * 60_000)).toEqual(['due', 'later', 'paused']);
    expect(await due(NOW + 25 * 60 * 60_000, 1)).toEqual(['due']);
    expect(await due(NOW + 25 * 60 * 60_000, 1, 1)).toEqual(['later']);
  });

  it('keeps tokens until they expire, and removes the oldest first', async () => {
    const organisation = newOrganisation();
    const terms = { domain: 'localhost', state: 'initial' } as never;
    const permission = { sessionId: 's', userId: 'learner', consumer: 'key', endsAt: NOW, terms };
    const hash = (digit: string) => digit.repeat(64);
    for (const [digit, endsAt] of [
      ['a', NOW],
      ['b', NOW + 1],
      ['c', NOW + 2],
    ] as const)
      await store.addPermission(organisation, hash(digit), { ...permission, endsAt });
    expect(await store.permission(organisation, hash('a'))).toEqual({ permission, attempt: undefined });
    const begun = attempt('s');
    await store.add(organisation, begun);
    expect(await store.permission(organisation, hash('a'))).toEqual({ permission, attempt: begun });
    expect(await store.permission(newOrganisation(), hash('a'))).toBeUndefined();
    expect(await store.removeEnded(organisation, NOW + 2, 1)).toBe(1);
    expect(await store.permission(organisation, hash('a'))).toBeUndefined();
    expect(await store.removeEnded(organisation, NOW + 2, 10)).toBe(1);
    expect(await store.removeEnded(organisation, NOW + 2, 10)).toBe(0);
    expect(await store.permissionsOf(organisation, 'learner')).toEqual([{ sessionId: 's', endsAt: NOW + 2 }]);
  });

  it('removes attempts without a save after their last token has expired', async () => {
    const organisation = newOrganisation();
    const terms = { domain: 'localhost', state: 'initial' } as never;
    const names = ['gone', 'saved', 'open', 'submitted'];
    for (const name of names)
      await store.add(
        organisation,
        attempt(name, { saveNumber: Number(name === 'saved'), submittedAt: name === 'submitted' ? NOW : null }),
      );
    const permit = (sessionId: string, digit: string, endsAt: number) =>
      store.addPermission(organisation, digit.repeat(64), {
        sessionId,
        userId: 'learner',
        consumer: 'k',
        endsAt,
        terms,
      });
    for (const [index, name] of names.entries()) await permit(name, `${index}`, NOW);
    await permit('open', 'f', NOW + 10);
    expect(await store.removeEnded(organisation, NOW + 5, 10)).toBe(4);
    const left = await store.attemptsOf(organisation, 'learner', 10, '');
    expect(left.map(({ sessionId }) => sessionId)).toEqual(['open', 'saved', 'submitted']);
  });

  it('removes all data of a learner, and nothing of other learners', async () => {
    const organisation = newOrganisation();
    for (const name of ['a', 'b']) await store.add(organisation, attempt(name));
    await store.add(organisation, attempt('c', { userId: 'Learner' }));
    expect((await store.attemptsOf(organisation, 'learner', 1, '')).map(({ sessionId }) => sessionId)).toEqual(['a']);
    expect((await store.attemptsOf(organisation, 'learner', 9, 'a')).map(({ sessionId }) => sessionId)).toEqual(['b']);
    expect(await store.eraseOf(organisation, 'learner')).toBe(2);
    expect(await store.eraseOf(organisation, 'learner')).toBe(0);
    expect(await store.find(organisation, 'c')).toBeDefined();
  });
}
