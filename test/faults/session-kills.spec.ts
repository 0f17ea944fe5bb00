import { setTimeout as sleep } from 'node:timers/promises';
import {
  ManualScores,
  scoresRecord,
  type Session,
  SessionStatuses,
  SessionStore,
  SETTABLE_STATUSES,
  statusRecord,
  Submissions,
} from '#sessions';
import { inParts } from '#kernel';
import { several } from '../support/builders';
import { type ServiceProcess } from '../support/processes';
import { IDS, ITEMS, wholeSession, writeSessionBank } from '../support/session-bank';
import { eventsOf } from '../support/session-events';
import { faultsInSession } from '../support/session-faults';
import { answer, submission } from '../support/submissions';
import { until } from '../support/until';
import { Random, faultsOn, FULL, Installation, temporaryFolders } from './installation';

const KILLS = FULL ? 150 : 6;
/** If too few kills hit a worker with a job, the test would prove nothing. On a slow machine, more jobs end too early. */
const MIN_HITS = KILLS / 2;
const MAX_KILLS = 5 * KILLS;
const WORKERS = 3;
/** More sessions than one batch holds. */
const SESSIONS = several(70, (index) => `session-${index}`);
/** Statuses and scores go in one job each. Submissions go in small parts, so that some worker is always busy. */
const PARTS = [SESSIONS, SESSIONS.slice(0, 30), SESSIONS.slice(30)];
const SUBMITTED = 10;
/** Manual scores are multiples of a quarter, below this number of quarters. */
const SCORES = 17;

const folder = temporaryFolders();

faultsOn('last', `kill -9 of workers that write sessions, ${KILLS} times`, (engine) => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start(engine, folder(), { leaseMs: 2_000 });
  });
  afterAll(() => installation?.end());

  it(
    'leaves no session partly saved, counts no score twice and loses no event',
    async () => {
      const random = new Random('session kills');
      const { api } = installation;
      const scope = () => api.scope();
      await writeSessionBank(api.client);
      const save = (ids: readonly string[], of: (id: string) => ReturnType<typeof submission>) =>
        api.get(Submissions).start({ submissions: ids.map(of), ignoreRevisions: false }, scope());
      const alive: ServiceProcess[] = await Promise.all(several(WORKERS, () => installation.startWorker()));
      for (const ids of inParts(SESSIONS, 50))
        await save(ids, (id) => wholeSession(id, { status: 'Incomplete', completedAt: null }));
      await installation.waitForOutcome();

      const starting = new Set<Promise<unknown>>();
      /** The highest submitted revision of each session. */
      const revisions = new Map<string, number>();
      let kills = 0;
      while (kills < KILLS || ((await countRetried()) <= MIN_HITS && kills < MAX_KILLS)) {
        const kill = ++kills;
        const submitted = SESSIONS.filter(() => random.number(0, 4));
        for (const id of submitted) revisions.set(id, kill + 1);
        for (const ids of inParts(submitted, SUBMITTED))
          await save(ids, (id) =>
            submission(id, {
              status: 'Incomplete',
              completedAt: null,
              items: ITEMS,
              responses: [answer('i-1', 'choice', [String(1 + (kill % 3))], kill + 1)],
            }),
          );
        for (const ids of PARTS) {
          await api.get(ManualScores).start(
            ids.map((sessionId) => ({
              sessionId,
              userId: 'learner',
              responses: [{ responseId: IDS.essay, score: random.number(1, SCORES) / 4, attempted: true }],
            })),
            scope(),
          );
          await api.get(SessionStatuses).start(
            ids.map((sessionId) => ({
              sessionId,
              userId: 'learner',
              status: SETTABLE_STATUSES[random.number(0, SETTABLE_STATUSES.length)]!,
            })),
            scope(),
          );
        }
        await until(async () => {
          const { running, queued } = await installation.jobsByStatus();
          return running || !queued;
        });
        await sleep(random.number(0, 60));
        // At least one worker is needed for progress.
        while (alive.length < 2) await Promise.race(starting);
        const [victim] = alive.splice(random.number(0, alive.length), 1);
        await installation.kill(victim!);
        const next = installation.startWorker().then((worker) => void alive.push(worker));
        starting.add(next);
        void next.finally(() => starting.delete(next));
      }
      await Promise.all(starting);
      const { jobsByStatus } = await installation.waitForOutcome();
      expect(Object.keys(jobsByStatus)).toEqual(['completed']);

      const store = api.get(SessionStore);
      const stored = await store.read(1, SESSIONS);
      const manual = await jobsOf('update-response-scores');
      expect(manual).toHaveLength(kills * PARTS.length);
      for (const id of SESSIONS) {
        const session = stored.get(id)!;
        const faults = [...faultsInSession(session), ...(await faultsInHistory(session, manual))];
        const { revision, response } = session.responses[0]!;
        const highest = revisions.get(id) ?? 1;
        const value = highest === 1 ? ['1'] : [String(1 + ((highest - 1) % 3))];
        expect({ id, faults, revision, value: response!.value }).toEqual({ id, faults: [], revision: highest, value });
      }
      const retried = await countRetried();
      expect(retried).toBeGreaterThan(MIN_HITS);
      process.stderr.write(
        `session kills: ${kills}, jobs: ${jobsByStatus.completed}, claimed more than once: ${retried}\n`,
      );
    },
    FULL ? 3_600_000 : 600_000,
  );

  async function countRetried(): Promise<number> {
    const row = await installation.database.row<{ retried: number | string }>(
      'SELECT COUNT(*) AS retried FROM job WHERE token > 1',
    );
    return Number(row!.retried);
  }

  async function jobsOf(type: string): Promise<string[]> {
    const rows = await installation.database.rows<{ id: string }>('SELECT id FROM job WHERE type = ?', [type]);
    return rows.map(({ id }) => id);
  }

  /**
   * @param manual the jobs that gave the session a score.
   * @returns changes of the session that happened twice or have no event.
   */
  async function faultsInHistory(session: Session, manual: readonly string[]): Promise<string[]> {
    const { database, api } = installation;
    const changes = (await api.get(SessionStore).changesOf(1, [session.id])).get(session.id) ?? [];
    const faults: string[] = [];
    const scores: (number | null)[] = [2, 0, null];
    const total = () => scores.reduce<number>((sum, score) => sum + (score ?? 0), 0);
    const totals = [total()];
    for (const { changes: made } of changes) {
      for (const { at, before, after } of made) {
        if (before !== scores[at]) faults.push(`response ${at} had ${scores[at]} when it was changed from ${before}`);
        scores[at] = after;
      }
      totals.push(total());
    }
    const stored = session.responses.map(({ score }) => score);
    if (stored.join() !== scores.join())
      faults.push(`the scores are ${stored.join()}; the changes lead to ${scores.join()}`);
    const given = changes.filter(({ cause }) => cause === 'manual').map(({ job }) => job!);
    if (new Set(given).size !== given.length) faults.push('a job has given its score twice');
    if (given.some((job) => !manual.includes(job))) faults.push('no job gave a score');

    const events = await eventsOf(database, session.sessionId);
    const payloadsOf = (kind: string) => events.filter((event) => event.kind === kind).map(({ payload }) => payload);
    const [statuses, points, lives] = ['session-status', 'session-scores', 'session-lifecycle'].map(payloadsOf);
    const eventTotals = points!.map(({ score }) => score as number);
    if (distinct(eventTotals).join() !== distinct(totals).join())
      faults.push(`the scores were ${distinct(totals).join()}; the events have ${distinct(eventTotals).join()}`);
    const audits = await database.rows<{ detail: string }>(
      `SELECT detail FROM audit WHERE organisation_id = 1 AND subject = 'session' AND subject_key = ?`,
      [session.sessionId],
    );
    const completions = audits.filter(({ detail }) => JSON.parse(detail).after.status === 'Completed').length;
    const eventCompletions = lives!.filter(({ event }) => event === 'session-completed').length;
    if (completions !== eventCompletions)
      faults.push(`completed ${completions} times, with ${eventCompletions} events`);
    expect(statuses!.at(-1)).toEqual(statusRecord(session));
    expect(points!.at(-1)).toMatchObject(scoresRecord(session));
    return faults;
  }
});

/** Removes consecutive duplicates. */
const distinct = (values: readonly number[]) => values.filter((value, index) => value !== values[index - 1]);
