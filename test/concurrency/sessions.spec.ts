import { Jobs } from '#jobs';
import {
  ManualScores,
  scoresRecord,
  type Session,
  SessionStatuses,
  SessionStore,
  SessionTags,
  SETTABLE_STATUSES,
  statusRecord,
  Submissions,
} from '#sessions';
import { several } from '../support/builders';
import { engines } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { IDS, ITEMS, wholeSession, writeSessionBank } from '../support/session-bank';
import { eventsOf } from '../support/session-events';
import { faultsInSession } from '../support/session-faults';
import { answer, resultsOf, sessionOf, submission, submit } from '../support/submissions';
import { until } from '../support/until';

const SESSIONS = ['contested-1', 'contested-2', 'contested-3'];
const SAVES = 12;
const SCORES = 10;
const STATUSES = 12;
const TAGS = 4;

type Results = Record<string, unknown>;

/** Orders the session ids differently for each index. Locking them in this order would cause deadlocks. */
const rotatedSessions = (index: number) => SESSIONS.map((_, at) => SESSIONS[(at + index) % SESSIONS.length]!);

describe.each(engines)('concurrent writers of the same sessions on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine, { JOB_CONCURRENCY: '6', DATABASE_CONNECTIONS: '8' }));
  let results: Record<'saves' | 'scores' | 'statuses' | 'tags', Results[]>;

  beforeAll(async () => {
    await writeSessionBank(service.client);
    await submit(
      service,
      SESSIONS.map((id) => wholeSession(id, { status: 'Incomplete', completedAt: null })),
    );
    const by = (author: string) => ({ ...service.scope(), author: { id: author } });
    /** Saves an answer to `choice` with a higher revision each time. The last answer is right. */
    const save = (index: number) =>
      service.get(Submissions).start(
        {
          submissions: rotatedSessions(index).map((id) =>
            submission(id, {
              status: 'Incomplete',
              completedAt: null,
              items: ITEMS,
              responses: [answer('i-1', 'choice', [String(((SAVES - index - 1) % 3) + 1)], index + 2)],
            }),
          ),
          ignoreRevisions: false,
        },
        by('player'),
      );
    const score = (index: number) =>
      service.get(ManualScores).start(
        rotatedSessions(index).map((sessionId) => ({
          sessionId,
          userId: 'learner',
          responses: [{ responseId: IDS.essay, score: index / 4, attempted: true }],
        })),
        by(`marker-${index}`),
      );
    const change = (index: number) =>
      service.get(SessionStatuses).start(
        rotatedSessions(index).map((sessionId, at) => ({
          sessionId,
          userId: 'learner',
          status: SETTABLE_STATUSES[(index + at) % SETTABLE_STATUSES.length]!,
        })),
        by('proctor'),
      );
    const tag = (index: number) =>
      service.get(SessionTags).start(
        rotatedSessions(index).map((sessionId) => ({
          sessionId,
          userId: 'learner',
          tags: [{ type: 'Round', name: String(index) }],
        })),
        by('sorter'),
      );
    const all = [
      ...several(SAVES, (index) => ['saves', () => save(index)] as const),
      ...several(SCORES, (index) => ['scores', () => score(index + 1)] as const),
      ...several(STATUSES, (index) => ['statuses', () => change(index)] as const),
      ...several(TAGS, (index) => ['tags', () => tag(index)] as const),
    ];
    // Interleaves the kinds of requests.
    const mixed = all.map((each, index) => [(index * 17) % all.length, each] as const).sort(([a], [b]) => a - b);
    results = { saves: [], scores: [], statuses: [], tags: [] };
    await Promise.all(
      mixed.map(async ([, [kind, start]]) => {
        results[kind].push((await resultsOf(service, await start())) as Results);
      }),
    );
    // Waits for the jobs that follow completions.
    await until(async () => {
      const { entries } = await service.get(Jobs).find([1], { status: ['queued', 'running'], limit: 1 });
      return entries.length === 0 || undefined;
    });
  });

  const stored = (id: string) => sessionOf(service, id);
  const changesOf = async ({ id }: Session) => (await service.get(SessionStore).changesOf(1, [id])).get(id) ?? [];

  it('all succeed', async () => {
    const { entries } = await service.get(Jobs).find([1], { status: ['halted'], limit: 1 });
    expect(entries).toEqual([]);
    expect(Object.values(results).map((list) => list.length)).toEqual([SAVES, SCORES, STATUSES, TAGS]);
    for (const { saved, unchanged, refused } of results.saves as Record<string, number>[])
      expect(saved! + unchanged! + refused!).toBe(SESSIONS.length);
    for (const { updated, refused } of results.scores) expect([updated, refused]).toEqual([SESSIONS.length, []]);
  });

  it.each(SESSIONS)('leave %s with sums that match its parts', async (id) => {
    expect(faultsInSession(await stored(id))).toEqual([]);
  });

  it.each(SESSIONS)('leave the response with the highest revision in %s, scored by the engine', async (id) => {
    expect((await stored(id)).responses[0]).toMatchObject({
      revision: SAVES + 1,
      response: { value: ['1'] },
      score: 2,
      mark: { by: 'engine' },
    });
  });

  it.each(SESSIONS)("never lose a person's score in %s", async (id) => {
    const session = await stored(id);
    const essay = (await changesOf(session)).flatMap(({ cause, author, changes }) =>
      changes.filter(({ at }) => at === 2).map(({ after }) => ({ cause, author, after })),
    );
    // Each marker gave another score, and no other write removed it.
    expect(essay.map(({ cause }) => cause)).toEqual(several(SCORES, () => 'manual'));
    expect(new Set(essay.map(({ author }) => author)).size).toBe(SCORES);
    for (const { author, after } of essay) expect(author).toBe(`marker-${after! * 4}`);
    const { author, after } = essay.at(-1)!;
    expect(session.responses[2]).toMatchObject({ score: after, mark: { by: 'person', author } });
  });

  it.each(SESSIONS)('change the scores of %s one after another, each from the result of the last', async (id) => {
    const session = await stored(id);
    const scores: (number | null)[] = [2, 0, null];
    for (const { changes } of await changesOf(session))
      for (const { at, before, after } of changes) {
        // Each change started from the result of the one before.
        expect([at, before]).toEqual([at, scores[at]]);
        scores[at] = after;
      }
    expect(session.responses.map(({ score }) => score)).toEqual(scores);
  });

  it.each(SESSIONS)('end with events that have the final state of %s', async (id) => {
    const session = await stored(id);
    const events = await eventsOf(service.database, id);
    const last = (kind: string) => events.filter((event) => event.kind === kind).at(-1)!.payload;
    expect(last('session-status')).toEqual(statusRecord(session));
    expect(last('session-scores')).toMatchObject(scoresRecord(session));
  });
});
