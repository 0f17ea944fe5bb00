import { Authors } from '#access';
import { Jobs } from '#jobs';
import { Forms, ManualScores, ResponseScoring, type Session, SessionStore } from '#sessions';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { changeKey, IDS, wholeSession, writeSessionBank } from '../support/session-bank';
import { eventsOf } from '../support/session-events';
import { replace } from '../support/sessions';
import { answer, resultsOf, resultsOfStarted, sessionOf, sessionsOf, submit } from '../support/submissions';
import { statementsDuring } from '../support/statements';
import { SECOND } from '../support/time';

const PATH = 'sessions/responses/scores';

type Given = Record<string, unknown> & { response_id: string };

describe.each(anEngine(__filename))('scores that people give on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let made = 0;
  let sessionId: string;
  beforeAll(() => writeSessionBank(service.client));
  beforeEach(async () => {
    service.clock.advance(10 * SECOND);
    sessionId = `s-${++made}`;
    await submit(service, [wholeSession(sessionId)]);
    service.clock.advance(10 * SECOND);
  });

  const stored = (id = sessionId) => sessionOf(service, id);
  const entry = (responses: Given[], more: object = {}) => ({
    session_id: sessionId,
    user_id: 'learner',
    responses,
    ...more,
  });
  const update = (sessions: object[], more: object = {}): Promise<Answer> =>
    service.client.call(PATH, 'update', { sessions, ...more });
  /** Updates, waits for the job, and returns its results. */
  const updated = async (responses: Given[], more: object = {}) => {
    return resultsOfStarted(service, await update([entry(responses)], more));
  };
  const jobs = async () => (await service.get(Jobs).find([1], { limit: 50 })).entries.length;

  /** Rescores as sessions/item and the completion of sessions do. By default, this keeps scores from people. */
  async function rescored(session: Session, overwriteManual = false): Promise<Session> {
    const form = (await service.get(Forms).of(1, [session.formId])).get(session.formId)!;
    return service.get(ResponseScoring).marked(session, form, 'all', { now: service.clock.now(), overwriteManual });
  }

  it('are stored with their author, and all totals are counted again', async () => {
    const results = await updated(
      [
        { response_id: IDS.essay, score: 3.5, attempted: true, manual_score: 3.5, max_manual_score: 4 },
        { response_id: IDS.other, score: 1, max_score: 5, attempted: true },
      ],
      { meta: { user: { id: 'marker', firstname: 'Mary' } } },
    );
    expect(results).toEqual({ updated: 1, unchanged: 0, refused: [] });
    const session = await stored();
    expect(session.responses).toMatchObject([
      { score: 2, maxScore: 2, manualScore: null, mark: { by: 'engine' } },
      { score: 1, maxScore: 5, attempted: true, manualScore: null, mark: { by: 'person', before: 0 } },
      {
        score: 3.5,
        maxScore: 4,
        manualScore: 3.5,
        maxManualScore: 4,
        mark: { by: 'person', author: 'marker', job: expect.stringMatching(/^[0-9A-Z]{26}$/) },
      },
    ]);
    expect(session.totals).toEqual({ score: 6.5, maxScore: 11, numQuestions: 3, numAttempted: 3 });
    expect(session.items.map(({ scoring }) => scoring)).toMatchObject([
      { score: 3, maxScore: 7 },
      { score: 3.5, maxScore: 4 },
    ]);
    expect(session.subscores).toMatchObject([
      { id: 'first', score: 3, maxScore: 7 },
      { id: 'second', score: 3.5, maxScore: 4 },
    ]);
    expect(await service.get(Authors).find(1, ['marker'])).toEqual(
      new Map([['marker', expect.objectContaining({ firstname: 'Mary' })]]),
    );
    const changes = (await service.get(SessionStore).changesOf(1, [session.id])).get(session.id);
    expect(changes).toMatchObject([
      {
        cause: 'manual',
        author: 'marker',
        changes: [
          { at: 1, before: 0, after: 1 },
          { at: 2, before: null, after: 3.5 },
        ],
      },
    ]);
    const scores = (await eventsOf(service.database, sessionId)).filter(({ kind }) => kind === 'session-scores');
    expect(scores.map(({ payload }) => payload.score)).toEqual([2, 6.5]);
  });

  it('change the time of the record each time, and the time of the score when its value changes', async () => {
    const before = (await stored()).responses[0]!;
    const first = service.clock.now();
    await updated([{ response_id: IDS.choice, score: 2, attempted: true }]);
    const same = (await stored()).responses[0]!;
    expect(same).toMatchObject({ scoredAt: before.scoredAt, mark: { by: 'person', changedAt: first } });
    service.clock.advance(SECOND);
    const second = service.clock.now();
    await updated([{ response_id: IDS.choice, score: 1, attempted: true }]);
    expect((await stored()).responses[0]).toMatchObject({ scoredAt: second, mark: { changedAt: second, before: 2 } });
  });

  it('survive automatic rescoring, unless it is told to overwrite them', async () => {
    await updated([
      { response_id: IDS.choice, score: 0, attempted: true },
      { response_id: IDS.essay, score: 4, attempted: true },
    ]);
    const session = await stored();
    const kept = await rescored(session);
    expect(kept.totals).toMatchObject({ score: 4 });
    expect(kept.responses).toEqual(session.responses);
    const overwritten = await rescored(session, true);
    expect(overwritten.responses.map(({ score }) => score)).toEqual([2, 0, null]);
  });

  it('are removed when the response changes', async () => {
    await updated([
      { response_id: IDS.choice, score: 0, attempted: true },
      { response_id: IDS.essay, score: 4, attempted: true },
    ]);
    const again = (choice: string, revision: number) =>
      submit(service, [
        wholeSession(sessionId, {
          responses: [answer('i-1', 'choice', [choice], revision), answer('i-2', 'essay', 'Words')],
        }),
      ]);
    // The player sent a higher revision, but the same response.
    await again('1', 2);
    expect((await stored()).responses[0]).toMatchObject({ score: 0, revision: 2, mark: { by: 'person' } });
    await again('2', 3);
    await again('1', 4);
    expect((await stored()).responses).toMatchObject([
      { score: 2, revision: 4, mark: { by: 'engine' } },
      {},
      { score: 4, mark: { by: 'person' } },
    ]);
  });

  it('are removed by null, and then the engine scores by the documents of the session', async () => {
    await updated([
      { response_id: IDS.choice, score: 1, max_score: 7, attempted: true, manual_score: 1, max_manual_score: 1 },
      { response_id: IDS.essay, score: 4, attempted: true },
    ]);
    await changeKey(service.client, '3');
    service.clock.advance(SECOND);
    await updated([
      { response_id: IDS.choice, score: null },
      { response_id: IDS.essay, score: null },
      { response_id: IDS.other, score: null },
    ]);
    await changeKey(service.client, '1');
    expect((await stored()).responses).toMatchObject([
      { score: 2, maxScore: 2, manualScore: null, maxManualScore: null, mark: { by: 'engine', before: 1 } },
      { score: 0, mark: { by: 'engine' } },
      { score: null, attempted: true, mark: { by: null } },
    ]);
    expect((await stored()).totals).toMatchObject({ score: 2, maxScore: 9 });
  });

  it('leave other responses unchanged, and change nothing when they equal the present scores', async () => {
    await updated([{ response_id: IDS.essay, score: 3, attempted: true, manual_score: 3, max_manual_score: 4 }]);
    const before = await stored();
    expect(await updated([{ response_id: IDS.essay }, { response_id: IDS.choice, max_score: 2 }])).toMatchObject({
      updated: 0,
      unchanged: 1,
    });
    expect(await updated([{ response_id: IDS.essay, score: 3, attempted: true }])).toMatchObject({ unchanged: 1 });
    expect(await stored()).toEqual(before);
    await updated([{ response_id: IDS.essay, max_score: 6, manual_score: null }]);
    expect((await stored()).responses[2]).toMatchObject({
      score: 3,
      attempted: true,
      maxScore: 6,
      manualScore: null,
      maxManualScore: 4,
    });
  });

  it('may be above the maximum of a question, and negative', async () => {
    await updated([
      { response_id: IDS.choice, score: 2.5, attempted: true },
      { response_id: IDS.other, score: -1, attempted: true },
    ]);
    expect((await stored()).totals).toMatchObject({ score: 1.5, maxScore: 9 });
  });

  describe('wrong scores', () => {
    const wrong: [string, Given[], number, string, RegExp][] = [
      ['20004: without an attempt', [{ response_id: IDS.essay, score: 1 }], 20004, '/attempted', /true.*score of 1/],
      [
        '20004: with attempted false',
        [{ response_id: IDS.essay, score: 1, attempted: false }],
        20004,
        '/attempted',
        /true/,
      ],
      [
        '20004: when an attempt is taken from a score that stands',
        [{ response_id: IDS.choice, attempted: false }],
        20004,
        '/attempted',
        /score of 2/,
      ],
      [
        '20004: above the maximum that they name',
        [{ response_id: IDS.essay, score: 5, max_score: 4.5, attempted: true }],
        20004,
        '/max_score',
        /4\.5.*5/,
      ],
      [
        '20004: with a manual part above its maximum',
        [{ response_id: IDS.essay, score: 3, attempted: true, manual_score: 3, max_manual_score: 2 }],
        20004,
        '/manual_score',
        /3.*at most max_manual_score, 2/,
      ],
      [
        '20004: when they are taken back and given at once',
        [{ response_id: IDS.essay, score: null, manual_score: 1 }],
        20004,
        '/manual_score',
        /takes back/,
      ],
      [
        '20004: out of bounds',
        [{ response_id: IDS.essay, score: 1e10, attempted: true }],
        20004,
        '/score',
        /10000000000/,
      ],
    ];
    it.each(wrong)('are rejected, and start no job: %s', async (_, responses, code, member, message) => {
      const before = await jobs();
      const refused = await update([entry(responses)]);
      expectFailure(refused, 400, code, message);
      expect(refused.meta.errors).toMatchObject([{ code, pointer: `/sessions/0/responses/0${member}` }]);
      expect(await jobs()).toBe(before);
    });

    it('are rejected for a manual part above the existing maximum, and for a maximum below the existing part', async () => {
      await updated([{ response_id: IDS.essay, score: 2, attempted: true, manual_score: 2, max_manual_score: 2 }]);
      const part = await update([entry([{ response_id: IDS.essay, manual_score: 3 }])]);
      expect(part.meta.errors).toMatchObject([{ code: 20004, pointer: '/sessions/0/responses/0/manual_score' }]);
      const maximum = await update([entry([{ response_id: IDS.essay, max_manual_score: 1 }])]);
      expect(maximum.meta.errors).toMatchObject([{ code: 20004, pointer: '/sessions/0/responses/0/max_manual_score' }]);
    });

    it('are rejected for missing sessions and responses, all of which are named', async () => {
      const before = await jobs();
      const refused = await update([
        entry([{ response_id: 'nothing' }, { response_id: IDS.choice }, { response_id: IDS.choice }]),
        entry([], { session_id: 'nowhere' }),
        entry([{ response_id: '' }], { session_id: 'x'.repeat(100_000) }),
        entry([{ response_id: IDS.choice, score: 1, attempted: true }]),
      ]);
      expectFailure(refused, 400, 20016, /there is no session "nowhere"/);
      expect(refused.meta.errors).toMatchObject([
        { code: 20016, pointer: '/sessions/1/session_id' },
        { code: 20016, pointer: '/sessions/2/session_id' },
        { code: 30000, pointer: '/sessions/3/session_id' },
        { code: 30001, pointer: '/sessions/0/responses/0/response_id', message: expect.stringContaining('"nothing"') },
        { code: 30000, pointer: '/sessions/0/responses/2/response_id' },
      ]);
      expect(await jobs()).toBe(before);
    });

    it('20016: are rejected for a session of another learner or another organisation', async () => {
      const other = await update([entry([], { user_id: 'somebody' })]);
      expectFailure(other, 400, 20016, /does not belong to the user "somebody"/);
      expect(other.meta.errors).toMatchObject([{ pointer: '/sessions/0/user_id' }]);
      const both = await service.consumerOf([2, 'write']);
      expectFailure(await both.call(PATH, 'update', { sessions: [entry([])] }), 400, 20016, /no session/);
    });
  });

  it('are not applied to a session that has changed so that they are invalid when the job runs', async () => {
    const other = `${sessionId}-other`;
    await submit(service, [wholeSession(other)]);
    const before = await stored();
    const [first, ...rest] = before.responses;
    const moved: Session = {
      ...before,
      updatedAt: before.updatedAt + 1,
      responses: [{ ...first!, responseId: 'new' }, ...rest],
    };
    const scope = service.scope();
    const responses = [{ responseId: IDS.choice, score: 1, attempted: true }];
    const job = await service.database.run(async () => {
      const started = await service.get(ManualScores).start(
        [sessionId, other].map((id) => ({ sessionId: id, userId: 'learner', responses })),
        scope,
      );
      // Before the job can begin.
      await replace(service.get(SessionStore), 1, [moved]);
      return started;
    });
    expect(await resultsOf(service, job)).toEqual({
      updated: 1,
      unchanged: 0,
      refused: [{ session_id: sessionId, message: expect.stringMatching(/sessions\[0\].*no response "i-1-choice"/) }],
    });
    expect(await stored()).toEqual(moved);
    expect((await stored(other)).totals.score).toBe(1);
  });

  it('need a constant number of statements for many sessions', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `${sessionId}-${index}`);
    for (const part of [ids.slice(0, 50), ids.slice(50, 100), ids.slice(100)])
      await submit(
        service,
        part.map((id) => wholeSession(id)),
      );
    let answered!: Answer;
    const statements = await statementsDuring(service.database, async () => {
      answered = await update(
        ids.map((id) => entry([{ response_id: IDS.choice, score: 1, attempted: true }], { session_id: id })),
      );
      expect(await resultsOfStarted(service, answered)).toEqual({ updated: 120, unchanged: 0, refused: [] });
    });
    // One read for the check, then three batches.
    expect(statements.filter((sql) => /FROM session s/.test(sql))).toHaveLength(4);
    expect(statements.length).toBeLessThan(60);
    const sessions = await sessionsOf(service, ids);
    expect(new Set(sessions.map(({ totals }) => totals.score))).toEqual(new Set([1]));
  });
});
