import { setTimeout as sleep } from 'node:timers/promises';
import { LearnerErasure } from '#learners';
import { SessionsErasure, SessionStore } from '#sessions';
import { signal } from '../contracts/ports';
import { anEngine } from '../support/engines';
import { commandHere } from '../support/command-line';
import { diesAt, itembank, json, type Settings } from '../support/processes';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { store, storedSessions } from '../support/sessions';
import { submit } from '../support/submissions';
import { allRows, holding } from './all-rows';

const LEARNER = 'learner-7f3a2b';
/** Enough for 50 units of work, so that the twentieth is in the middle. */
const SESSIONS = 1_000;

describe.each(anEngine(__filename))('an erasure on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let place: { settings: Settings };
  beforeAll(async () => {
    await writeSessionBank(service.client);
    place = { settings: service.settings };
  });

  const count = async (table: string, condition = '1 = 1') =>
    Number(
      (await service.database.row<{ found: number }>(`SELECT COUNT(*) AS found FROM ${table} WHERE ${condition}`))!
        .found,
    );

  it('is completed by the next run after it was killed', async () => {
    const sessions = storedSessions(SESSIONS, service.clock.now(), (index) => ({
      sessionId: `own-session-${index}`,
      userId: LEARNER,
      activityId: 'shared',
      ...(index % 2 === 1 ? { status: 'Incomplete', completedAt: null } : {}),
    }));
    await store(service.get(SessionStore), 1, [
      ...sessions,
      ...storedSessions(3, service.clock.now(), () => ({ activityId: 'shared' })),
    ]);
    const args = ['learner', 'erase', LEARNER, '--organisation', '1', '--json'];
    const killed = await itembank(args, { settings: { ...place.settings, ...diesAt(20) } });
    expect([killed.code, killed.stdout]).toEqual([null, '']);
    const done = await count('erased_session');
    const left = await count('session', `user_id = '${LEARNER}'`);
    // The erasure was killed half-way, and each unit of work is complete or absent.
    expect([done > 0, left > 0]).toEqual([true, true]);
    expect([left + done, await count('anonymous_session')]).toEqual([SESSIONS, Math.ceil(done / 2)]);
    expect(await count('session_work')).toBe(left + 3);

    const erased = () => service.get(LearnerErasure).erasedAmong(['somebody', LEARNER], 1);
    expect(await erased()).toEqual(new Set([LEARNER]));

    const report = await json<{ sessions: object }>(commandHere(args, place));
    expect(report).toMatchObject({ sessions: { anonymised: left / 2, removed: left / 2 } });
    expect(await count('anonymous_session', `activity_id = 'shared'`)).toBe(SESSIONS / 2);
    expect(await count('session')).toBe(3);
    expect(holding(await allRows(service.database), ['7f3a2b', 'own-session'])).toEqual({});
    const [entry, ...more] = await service.database.rows<{ detail: string }>(
      `SELECT detail FROM audit WHERE subject = 'learner'`,
    );
    expect([more, JSON.parse(entry!.detail)]).toEqual([[], expect.objectContaining({ all_sessions: SESSIONS })]);
    expect(await erased()).toEqual(new Set([LEARNER]));
  });

  it('succeeds while others write the same sessions', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `own-session-${index}`);
    const save = (value: string) =>
      submit(
        service,
        ids.map((id) =>
          wholeSession(id, { userId: LEARNER, customState: value, status: 'Incomplete', completedAt: null }),
        ),
      );
    await save('before');
    const erase = () => service.get(LearnerErasure).erase(LEARNER, 1, { dryRun: false });
    const rounds = [save('one'), erase(), save('two'), erase(), save('three')];
    const failures = (await Promise.allSettled(rounds)).flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason)] : [],
    );
    expect(failures).toEqual([]);
    // Each session is complete and has its work, in any order of the writes.
    const [sessions, work] = [await count('session', `user_id = '${LEARNER}'`), await count('session_work')];
    expect(work).toBe(sessions + 3);
    await erase();
    expect(await count('session')).toBe(3);
    expect(await count('erased_session')).toBe(0);
    expect(holding(await allRows(service.database), ['7f3a2b', 'own-session'])).toEqual({});
  });

  it('keeps each session for statistics once when it runs several times at once', async () => {
    const [before, others] = [await count('anonymous_session'), await count('session')];
    const own = () => ({ userId: LEARNER, activityId: 'shared' });
    await store(service.get(SessionStore), 1, storedSessions(100, service.clock.now(), own));
    const erase = () => service.get(LearnerErasure).erase(LEARNER, 1, { dryRun: false });
    const reports = await Promise.all([erase(), erase(), erase()]);
    expect(await count('anonymous_session')).toBe(before + 100);
    expect(reports.reduce((sum, { sessions }) => sum + sessions.anonymised, 0)).toBe(100);
    expect([await count('session'), await count('erased_session')]).toEqual([others, 0]);
  });

  it('leaves no record of sessions that another erasure removed first', async () => {
    const others = await count('session');
    await store(
      service.get(SessionStore),
      1,
      storedSessions(5, service.clock.now(), () => ({ userId: LEARNER })),
    );
    const own = await service.get(SessionsErasure).sessions(1, LEARNER, 10);
    expect(own).toHaveLength(5);
    const [locked, found] = [signal(), signal()];
    const quicker = service.database.run(async () => {
      await service.get(SessionStore).lock(
        1,
        own.map(({ sessionId }) => sessionId),
      );
      locked.give();
      await found.promise;
      await service.get(SessionsErasure).remove(1, own);
    });
    await locked.promise;
    const erased = service.get(LearnerErasure).erase(LEARNER, 1, { dryRun: false });
    // By now the erasure has found the sessions and waits for their locks, or on SQLite for the writer.
    await sleep(300);
    found.give();
    await quicker;
    expect((await erased).sessions).toMatchObject({ anonymised: 0, removed: 0 });
    expect([await count('session'), await count('erased_session')]).toEqual([others, 0]);
  });
});
