import { newId } from '#kernel';
import { Rescoring } from '#rescoring';
import { type ScoreChange, type Session, SessionStore, Submissions } from '#sessions';
import { write } from '../support/bank';
import { several } from '../support/builders';
import { stateOfSession } from '../support/rescoring';
import { choice, itemOf } from '../support/session-bank';
import { store } from '../support/sessions';
import { answer, resultsOf, sessionsOf, submission } from '../support/submissions';
import { Random, faultsOn, FULL, Installation, temporaryFolders } from './installation';

const SESSIONS = FULL ? 4_000 : 600;
/** The number of kills during each job. */
const KILLS = FULL ? 20 : 4;
/** A worker dies in one of its first batches of 50 sessions, but not in the very first. So the job outlives all kills. */
const MAX_BATCHES = FULL ? 4 : 3;

const folder = temporaryFolders();

faultsOn('first', 'kill -9 of workers that rescore', (engine) => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start(engine, folder(), { leaseMs: 1_500 });
  });
  afterAll(() => installation?.end());

  const scope = () => installation.api.scope();

  /** Runs the job on workers, each of which dies in one of its first batches. The last one ends the job. */
  async function runWithKills(job: string, random: Random): Promise<void> {
    for (let kill = 0; kill < KILLS; kill++) {
      const worker = await installation.startWorker({ DIES_AT: String(random.number(2, MAX_BATCHES + 1)) });
      expect(await worker.ended).toBe('SIGKILL');
    }
    await installation.startWorker();
    await resultsOf(installation.api, job);
  }

  it(
    'leaves no session partly changed and changes none twice when a plan is applied and reverted',
    async () => {
      const random = new Random('rescoring');
      const { api } = installation;
      await write(api.client, { questions: [choice('a', '1', 2)], items: [itemOf('item', 'a')] });
      const items = [{ reference: 'item', organisation: 1, time: 1, flagged: false }];
      const worker = await installation.startWorker();
      const made = [submission('made', { items, responses: [answer('item', 'a', ['2'])] })];
      await resultsOf(api, await api.get(Submissions).start({ submissions: made, ignoreRevisions: false }, scope()));
      const [one] = await sessionsOf(api, ['made']);
      const ids = several(SESSIONS, (index) => `s-${index}`);
      const copies = ids.map((sessionId) => ({ ...one!, id: newId(Date.now()), sessionId }));
      await store(api.get(SessionStore), 1, copies);
      await write(api.client, { questions: [choice('a', '2', 2)] });
      const rescoring = api.get(Rescoring);
      const request = { sessions: ids, target: { reference: 'item' }, overwriteManual: false, dryRun: true };
      const { plan } = (await resultsOf(api, await rescoring.start(request, scope()))) as { plan: string };
      await installation.kill(worker);
      const before = await sessionsOf(api, ids);

      const applying = await rescoring.apply(plan, scope());
      await runWithKills(applying, random);
      expect(await resultsOf(api, applying)).toMatchObject({ applied: SESSIONS, skipped: 0 });
      expectChangedOnce(await sessionsOf(api, ids), 2, await changes(), [['rescoring', applying]]);
      for (const each of installation.workers) await installation.kill(each);

      const reverting = await rescoring.revert(plan, scope());
      await runWithKills(reverting, random);
      expect(await resultsOf(api, reverting)).toMatchObject({ reverted: SESSIONS, kept: 0 });
      const after = await sessionsOf(api, ids);
      const both: [string, string][] = [
        ['rescoring', applying],
        ['revert', reverting],
      ];
      expectChangedOnce(after, 0, await changes(), both);
      expect(after.map(stateOfSession)).toEqual(before.map(stateOfSession));
      // Each session has exactly two events about its scores.
      const counts = await installation.database.rows<{ event_key: string; events: number | string }>(
        `SELECT event_key, COUNT(*) AS events FROM event WHERE organisation_id = 1 AND kind = 'session-scores'
         AND event_key <> 'made' GROUP BY event_key`,
      );
      expect(counts.filter((each) => Number(each.events) !== 2)).toEqual([]);
      expect(counts).toHaveLength(SESSIONS);

      async function changes(): Promise<Map<string, ScoreChange[]>> {
        return api.get(SessionStore).changesOf(
          1,
          before.map(({ id }) => id),
        );
      }
    },
    FULL ? 1_800_000 : 600_000,
  );
});

/** Expects that every session has this score as the sum of its parts, after one change by each of the jobs. */
function expectChangedOnce(
  sessions: readonly Session[],
  score: number,
  changes: ReadonlyMap<string, ScoreChange[]>,
  jobs: [string, string][],
): void {
  for (const session of sessions) {
    const { sessionId, responses, items, totals } = session;
    const scores = [responses[0]!.score, items[0]!.scoring.score, totals.score];
    expect([sessionId, ...scores]).toEqual([sessionId, score, score, score]);
    const causes = (changes.get(session.id) ?? []).map(({ cause, job }) => [cause, job]);
    expect([sessionId, causes]).toEqual([sessionId, jobs]);
  }
}
