import { newId } from '#kernel';
import {
  type StoredRescoring,
  type RescoringStore,
  type SessionRescoring,
} from '../../libs/rescoring/src/application/ports/rescoring-store';
import { DAY } from '../support/time';
import { newDay, newOrganisation, type Ports } from './ports';

const HASH = 'ab'.repeat(32);

export function rescoringStoreContract(ports: Ports): void {
  let store: RescoringStore;
  let organisation: number;
  let now: number;
  beforeAll(() => {
    store = ports.rescorings;
  });
  beforeEach(() => {
    organisation = newOrganisation();
    now = newDay();
  });

  const newRescoring = (values: Partial<StoredRescoring> = {}): StoredRescoring => {
    const id = newId(now);
    return {
      id,
      status: 'planning',
      job: id,
      hash: null,
      rules: { item: { organisation, record: newId(now) }, questions: [], overwriteManual: false },
      sessions: 3,
      ...values,
    };
  };
  const addRescoring = async (values: Partial<StoredRescoring> = {}): Promise<StoredRescoring> => {
    const rescoring = newRescoring(values);
    await store.add(organisation, rescoring, now);
    return rescoring;
  };
  const session = (position: number, values: Partial<SessionRescoring> = {}): SessionRescoring => ({
    position,
    sessionId: `Session ${position} `,
    outcome: 'planned',
    reason: null,
    fingerprint: 'cd'.repeat(32),
    work: {
      formBefore: newId(now),
      formAfter: newId(now),
      before: { score: 1.25, maxScore: 4 },
      after: { score: -0.5, maxScore: 5 },
      numResponses: 2,
      numChanged: 1,
      responses: [
        {
          at: 7,
          responseId: 'ä "x"',
          old: {
            score: 1.25,
            maxScore: 4,
            attempted: true,
            automarkable: true,
            scoredAt: now,
            manualScore: null,
            maxManualScore: null,
            mark: { by: 'engine', engine: '1', outcome: 'scored', definition: HASH, changedAt: now },
          },
          verdict: null,
        },
      ],
      subscores: [{ id: 's', before: { score: 1, maxScore: 2 }, after: { score: 2, maxScore: 2 } }],
    },
    ...values,
  });
  const lock = (hash: string, of = organisation) => ports.database.run(() => store.lock(of, hash));

  it('returns an added rescoring in its organisation', async () => {
    const rescoring = await addRescoring();
    expect(await store.find(organisation, rescoring.id)).toEqual(rescoring);
    expect(await store.find(newOrganisation(), rescoring.id)).toBeUndefined();
    expect(await store.find(organisation, newId(now))).toBeUndefined();
    expect(await store.organisations()).toContain(organisation);
  });

  it('finds a rescoring by its hash once it has one', async () => {
    const rescoring = await addRescoring();
    expect(await lock(HASH)).toBeUndefined();
    const { id } = rescoring;
    expect(await store.move(organisation, id, id, { status: 'planned', job: id, hash: HASH }, now)).toBe(true);
    expect(await lock(HASH)).toEqual({ ...rescoring, status: 'planned', hash: HASH });
    expect(await lock(HASH.toUpperCase())).toBeUndefined();
    expect(await lock(HASH, newOrganisation())).toBeUndefined();
    await expect(addRescoring({ hash: HASH })).rejects.toThrow();
  });

  it('changes a rescoring for the job that works on it, and for no other', async () => {
    const rescoring = await addRescoring({ hash: HASH });
    const { id } = rescoring;
    const [next, other] = [newId(now), newId(now)];
    expect(await store.move(organisation, id, id, { status: 'applying', job: next }, now)).toBe(true);
    expect(await store.move(organisation, id, id, { status: 'applied', job: id }, now)).toBe(false);
    expect(await store.move(organisation, id, other, { status: 'reverting', job: other }, now)).toBe(false);
    // A job may repeat its own change.
    expect(await store.move(organisation, id, next, { status: 'applying', job: next }, now)).toBe(true);
    expect(await lock(HASH)).toEqual({ ...rescoring, status: 'applying', job: next });
  });

  it('changes the number of sessions of a rescoring when a job has found them', async () => {
    const rescoring = await addRescoring();
    const { id } = rescoring;
    const to = { status: 'planned', job: id, hash: HASH, sessions: 100_000 } as const;
    expect(await store.move(organisation, id, id, to, now)).toBe(true);
    expect(await store.find(organisation, id)).toEqual({
      ...rescoring,
      status: 'planned',
      hash: HASH,
      sessions: 100_000,
    });
  });

  it('stores the effects on sessions, and returns them in order from any position', async () => {
    const { id } = await addRescoring();
    const nothing = session(1, { outcome: 'ignored', fingerprint: null, work: null });
    const sessions = [session(0), nothing, session(2, { outcome: 'skipped', reason: 'moved' })];
    await store.put(organisation, id, [sessions[2]!, sessions[0]!]);
    await store.put(organisation, id, [sessions[1]!]);
    await store.put(organisation, id, []);
    expect(await store.sessions(organisation, id, 0, 10)).toEqual(sessions);
    expect(await store.sessions(organisation, id, 1, 1)).toEqual([nothing]);
    expect(await store.sessions(organisation, id, 3, 10)).toEqual([]);
    expect(await store.sessions(organisation, newId(now), 0, 10)).toEqual([]);
    expect(await store.outcomes(organisation, id, 0, 2)).toEqual(
      sessions.slice(0, 2).map(({ position, sessionId, outcome, reason, work }) => {
        if (!work) return { position, sessionId, outcome, reason, shift: null };
        const { formBefore: _, formAfter: __, responses: ___, ...shift } = work;
        return { position, sessionId, outcome, reason, shift };
      }),
    );
  });

  it('changes the outcomes of sessions, and nothing else', async () => {
    const { id } = await addRescoring();
    const sessions = [session(0), session(1), session(2)];
    await store.put(organisation, id, sessions);
    const marks = [
      { position: 2, sessionId: 'Session 2 ', outcome: 'skipped', reason: 'moved', fingerprint: null },
      { position: 0, sessionId: 'Session 0 ', outcome: 'applied', reason: null, fingerprint: HASH },
    ] as const;
    await store.mark(organisation, id, marks);
    await store.mark(organisation, id, []);
    expect(await store.sessions(organisation, id, 0, 10)).toEqual([
      { ...sessions[0], ...marks[1] },
      sessions[1],
      { ...sessions[2], ...marks[0] },
    ]);
  });

  it('removes old rescorings in batches; a partly removed one cannot be found', async () => {
    const old = await addRescoring({ hash: HASH });
    await store.put(organisation, old.id, [session(0), session(1), session(2)]);
    const before = now;
    now += DAY;
    const young = await addRescoring();
    await store.put(organisation, young.id, [session(0)]);
    expect(await store.removeOld(organisation, before, 2)).toBe(0);
    expect(await store.removeOld(organisation, before + 1, 2)).toBe(2);
    expect(await lock(HASH)).toBeUndefined();
    expect(await store.removeOld(organisation, before + 1, 2)).toBe(1);
    expect(await store.removeOld(organisation, before + 1, 2)).toBe(1);
    expect(await store.removeOld(organisation, before + 1, 2)).toBe(0);
    expect(await store.find(organisation, old.id)).toBeUndefined();
    expect(await store.sessions(organisation, young.id, 0, 10)).toHaveLength(1);
  });
}
