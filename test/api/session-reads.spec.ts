import { SessionStore } from '#sessions';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { replace, store, storedResponse, storedSession, storedSessions } from '../support/sessions';
import { HOUR, SECOND } from '../support/time';

const READS = [
  'sessions/responses',
  'sessions/scores',
  'sessions/responses/scores',
  'sessions/statuses',
  'sessions/metadata',
  'sessions/reports/adaptive',
];

describe.each(anEngine(__filename))('reads of sessions on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  let sessions: SessionStore;
  beforeAll(async () => {
    sessions = service.get(SessionStore);
  });
  beforeEach(() => service.clock.advance(60 * SECOND));

  const now = () => service.clock.now();
  const idsOf = ({ data }: Answer): string[] => data.map((each: { session_id: string }) => each.session_id);
  const read = async (path: string, request: object = {}): Promise<Answer> => {
    const answer = await client.get(path, request);
    expectSuccess(answer);
    return answer;
  };

  describe.each(READS)('%s', (path) => {
    it('pages through all in the order of creation, then returns changes, and then nothing', async () => {
      const activity = `paged ${path}`;
      const all = storedSessions(5, now(), (index) => ({
        sessionId: `${path}-${index}`,
        activityId: activity,
        adaptive: {},
      }));
      await store(sessions, 1, all);
      service.clock.advance(10 * SECOND);
      const request = { activity_id: [activity], limit: 2 };
      const names = all.map(({ sessionId }) => sessionId);
      const first = await read(path, { ...request, sort: 'asc' });
      let { next } = first.meta;
      expect(idsOf(first)).toEqual(names.slice(0, 2));
      await replace(sessions, 1, [{ ...all[3]!, updatedAt: now() + 1 }]);
      service.clock.advance(10 * SECOND);
      const pages: string[][] = [];
      for (let page = 0; page < 4; page++) {
        const answer = await read(path, { ...request, sort: 'asc', next });
        ({ next } = answer.meta);
        pages.push(idsOf(answer));
      }
      expect(pages).toEqual([[names[2], names[4]], [names[3]], [], []]);
      expect(idsOf(await read(path, { ...request, limit: 50 }))).toEqual([...names].reverse());
      const foreign = await client.get(path, { ...request, activity_id: ['other'], next });
      expectFailure(foreign, 400, 20004, /next/);
    });

    it('rejects a token after the clock was set back, because its reader would miss changes', async () => {
      const request = { activity_id: [`set back ${path}`], limit: 2 };
      const { next } = (await read(path, request)).meta;
      service.clock.advance(-30 * SECOND);
      await read(path, { ...request, next });
      service.clock.advance(-HOUR);
      try {
        const changed = storedSessions(1, now(), () => ({ activityId: request.activity_id[0]!, adaptive: {} }));
        await store(sessions, 1, changed);
        expectFailure(await client.get(path, { ...request, next }), 400, 20004, /begin again without next/);
        const again = await read(path, request);
        expect(idsOf(again)).toEqual(changed.map(({ sessionId }) => sessionId));
        expect(idsOf(await read(path, { ...request, next: again.meta.next }))).toEqual([]);
      } finally {
        service.clock.advance(HOUR + 30 * SECOND);
      }
    });

    it('limits a page to 50', async () => {
      const activity = `many ${path}`;
      await store(
        sessions,
        1,
        storedSessions(52, now(), () => ({ activityId: activity, adaptive: {} })),
      );
      const { meta } = await read(path, { activity_id: [activity], limit: 500 });
      expect(meta.records).toBe(50);
      const rest = await read(path, { activity_id: [activity], limit: 500, next: meta.next });
      expect(rest.meta.records).toBe(2);
      expect(rest.meta.next).toEqual(expect.any(String));
    });
  });

  it('combines all filters, accepts statuses in any case, and rejects an unknown status', async () => {
    const day = Date.UTC(2026, 0, 1);
    const session = (sessionId: string, values: object) =>
      storedSession(now(), { sessionId, activityId: 'filters', ...values });
    const changed = now();
    await store(sessions, 1, [
      session('f-done', { userId: 'ada', startedAt: day, completedAt: day + 10 * SECOND }),
      session('f-open', { userId: 'ada', status: 'Incomplete', startedAt: day + 5 * SECOND, completedAt: null }),
      session('f-gone', { userId: 'bob', status: 'Discarded', startedAt: day, completedAt: null }),
      session('f-late', { userId: 'bob', status: 'Pending Scoring', updatedAt: changed + 7 * SECOND }),
    ]);
    const found = async (filter: object) =>
      idsOf(await read('sessions/statuses', { activity_id: ['filters'], sort: 'asc', ...filter }));
    expect(await found({})).toEqual(['f-done', 'f-open', 'f-gone', 'f-late']);
    expect(await found({ user_id: ['ada', 'nobody'] })).toEqual(['f-done', 'f-open']);
    expect(await found({ user_id: ['Ada'] })).toEqual([]);
    expect(await found({ session_id: ['f-gone', 'f-open'] })).toEqual(['f-open', 'f-gone']);
    expect(await found({ status: ['completed', 'INCOMPLETE'] })).toEqual(['f-done', 'f-open']);
    expect(await found({ status: ['pending scoring'], user_id: ['bob'] })).toEqual(['f-late']);
    expect(await found({ mintime: changed / 1000 + 1 })).toEqual(['f-late']);
    expect(await found({ maxtime: Math.floor(changed / 1000) + 1 })).toEqual(['f-done', 'f-open', 'f-gone']);
    expect(await found({ mintime_started: '2026-01-01T00:00:05Z', maxtime_started: day / 1000 + 5 })).toEqual([
      'f-open',
    ]);
    expect(await found({ maxtime_completed: day / 1000 + 10 })).toEqual(['f-done']);
    expect(await found({ mintime_completed: day / 1000 + 11, user_id: ['ada'] })).toEqual([]);
    const answer = await client.get('sessions/statuses', { status: ['Completed', 'Finished'] });
    expectFailure(answer, 400, 20004, /status\[1\].*Completed, Incomplete, Discarded, Pending Scoring.*"Finished"/);
    expect(answer.meta.errors).toMatchObject([{ pointer: '/status/1' }]);
  });

  it('separates organisations', async () => {
    await store(sessions, 2, [storedSession(now(), { sessionId: 'foreign', activityId: 'foreign', adaptive: {} })]);
    const other = await service.consumerOf([2, 'read']);
    for (const path of READS) {
      expect((await read(path, { activity_id: ['foreign'] })).data).toEqual([]);
      expect(idsOf(await other.get(path, { activity_id: ['foreign'] }))).toEqual(['foreign']);
    }
  });

  /** A session as the specification describes it, with a response of each kind. */
  const whole = () =>
    storedSession(now(), {
      sessionId: 'whole',
      userId: 'ada',
      activityId: 'maths',
      activityTemplateId: 'maths-template',
      startedAt: Date.UTC(2026, 0, 1, 10),
      completedAt: Date.UTC(2026, 0, 1, 10, 8, 20),
      totals: { score: 3, maxScore: 10, numQuestions: 3, numAttempted: 2 },
      responses: [
        storedResponse({
          responseId: 'r-1',
          questionReference: 'q-1',
          itemReference: 'i-1',
          score: 3,
          maxScore: 4,
          manualScore: 1,
          maxManualScore: 2,
          scoredAt: Date.UTC(2026, 0, 1, 10, 9),
          mark: { ...storedResponse().mark, changedAt: Date.UTC(2026, 0, 1, 11) },
        }),
        storedResponse({
          responseId: 'r-2',
          type: 'longtextV2',
          questionReference: 'q-2',
          itemReference: 'i-1',
          automarkable: false,
          score: null,
          maxScore: 5,
          scoredAt: null,
          response: { value: '<p>Grüße</p>', wordCount: 1, type: 'string', apiVersion: 'v2' },
        }),
        storedResponse({
          responseId: 'r-3',
          questionReference: 'q-3',
          itemReference: 'i-2',
          response: null,
          score: null,
          attempted: false,
          scoredAt: null,
        }),
      ],
      items: [
        {
          reference: 'i-1',
          organisation: 1,
          time: 31,
          flagged: true,
          scoring: { score: 3, maxScore: 9, type: 'per-question' },
        },
        {
          reference: 'i-2',
          organisation: 1,
          time: 0,
          flagged: false,
          scoring: { score: 0, maxScore: 1, type: 'dichotomous' },
        },
      ],
      subscores: [
        {
          id: 's-1',
          title: 'Sums',
          numQuestions: 2,
          numAttempted: 2,
          score: 3,
          maxScore: 9,
          attemptedMaxScore: 9,
          items: ['i-1'],
        },
      ],
      metadata: { items_api_version: 'v2', max_time: 3600, user_agent: 'Browser', school: { name: 'North' } },
      tags: [{ type: 'Class', name: '7b' }],
    });
  const shown = {
    identity: { user_id: 'ada', activity_id: 'maths', session_id: 'whole', status: 'Completed' },
    progress: {
      num_attempted: 2,
      num_questions: 3,
      session_duration: 9,
      dt_started: '2026-01-01T10:00:00Z',
      dt_completed: '2026-01-01T10:08:20Z',
    },
    scores: {
      score: 3,
      max_score: 10,
      subscores: [
        {
          id: 's-1',
          title: 'Sums',
          num_questions: 2,
          num_attempted: 2,
          score: 3,
          max_score: 9,
          attempted_max_score: 9,
          items: ['i-1'],
        },
      ],
    },
    metadata: {
      activity_template_id: 'maths-template',
      items_api_version: 'v2',
      max_time: 3600,
      user_agent: 'Browser',
    },
  };

  describe('answers', () => {
    beforeAll(() => store(sessions, 1, [whole()]));
    const one = async (path: string, request: object = {}) =>
      (await read(path, { session_id: ['whole'], ...request })).data[0];

    it('contain responses with items and metadata', async () => {
      expect(await one('sessions/responses')).toEqual({
        ...shown.identity,
        ...shown.progress,
        ...shown.scores,
        metadata: shown.metadata,
        items: [
          {
            reference: 'i-1',
            time: 31,
            response_ids: ['r-1', 'r-2'],
            user_flagged: true,
            scoring: { score: 3, max_score: 9, type: 'per-question' },
            source: { organisation_id: 1 },
          },
          {
            reference: 'i-2',
            time: 0,
            response_ids: ['r-3'],
            user_flagged: false,
            scoring: { score: 0, max_score: 1, type: 'dichotomous' },
            source: { organisation_id: 1 },
          },
        ],
        responses: [
          {
            response_id: 'r-1',
            question_type: 'mcq',
            // The time when the value of the score last changed.
            dt_score_updated: '2026-01-01T10:09:00Z',
            automarkable: true,
            attempted: true,
            score: 3,
            max_score: 4,
            manual_score: 1,
            max_manual_score: 2,
            item_reference: 'i-1',
            question_reference: 'q-1',
            response: { value: ['1'], type: 'array', apiVersion: 'v2.100.0', revision: 1 },
          },
          {
            response_id: 'r-2',
            question_type: 'longtextV2',
            dt_score_updated: null,
            automarkable: false,
            attempted: true,
            score: null,
            max_score: 5,
            item_reference: 'i-1',
            question_reference: 'q-2',
            response: { value: '<p>Grüße</p>', wordCount: 1, type: 'string', apiVersion: 'v2' },
          },
          {
            response_id: 'r-3',
            question_type: 'mcq',
            dt_score_updated: null,
            automarkable: true,
            attempted: false,
            score: null,
            max_score: 1,
            item_reference: 'i-2',
            question_reference: 'q-3',
            response: null,
          },
        ],
      });
    });

    it.each([
      { sessions: { session_metadata: ['school', 'session_tags', 'none', 'max_time'] } },
      { 'sessions.session_metadata': ['school', 'session_tags', 'none', 'max_time'] },
    ])('contain further metadata with existing names: %j', async (include) => {
      expect((await one('sessions/responses', { include })).metadata).toEqual({
        ...shown.metadata,
        school: { name: 'North' },
        session_tags: [{ type: 'Class', name: '7b' }],
      });
    });

    const responseScores = [
      // The time after every save and scoring.
      { response_id: 'r-1', dt_score_updated: '2026-01-01T11:00:00Z', score: 3, max_score: 4, item_reference: 'i-1' },
      {
        response_id: 'r-2',
        dt_score_updated: '2026-01-01T10:00:00Z',
        score: null,
        max_score: 5,
        item_reference: 'i-1',
      },
      {
        response_id: 'r-3',
        dt_score_updated: '2026-01-01T10:00:00Z',
        score: null,
        max_score: 1,
        item_reference: 'i-2',
      },
    ];

    it('contain scores, and those of responses on request', async () => {
      const scores = { ...shown.identity, ...shown.scores };
      expect(await one('sessions/scores')).toEqual(scores);
      expect(await one('sessions/scores', { include_response_scores: true })).toEqual({
        ...scores,
        responses: responseScores,
      });
      expect(await one('sessions/responses/scores')).toEqual({ ...scores, responses: responseScores });
    });

    it('contain statuses, and requested members', async () => {
      const statuses = { ...shown.identity, ...shown.progress };
      expect(await one('sessions/statuses')).toEqual(statuses);
      const include = { sessions: ['activity_template_id', 'dt_updated', 'session_tags'] };
      expect(await one('sessions/statuses', { include })).toEqual({
        ...statuses,
        activity_template_id: 'maths-template',
        dt_updated: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/),
        session_tags: [{ type: 'Class', name: '7b' }],
      });
      const flat = { 'sessions.session_metadata': ['activity_template_id', 'school', 'none'] };
      expect(await one('sessions/statuses', { include: flat })).toEqual({
        ...statuses,
        metadata: { activity_template_id: 'maths-template', school: { name: 'North' } },
      });
    });

    it('contain metadata', async () => {
      expect(await one('sessions/metadata')).toEqual({
        user_id: 'ada',
        session_id: 'whole',
        metadata: { session_tags: [{ type: 'Class', name: '7b' }] },
      });
    });

    it('contain no adaptive report of a session that is not adaptive', async () => {
      expect((await read('sessions/reports/adaptive', { session_id: ['whole'] })).data).toEqual([]);
    });

    it('contain defaults for a session that is not completed, divided or tagged', async () => {
      await store(sessions, 1, [
        storedSession(now(), { sessionId: 'bare', status: 'Incomplete', completedAt: null, responses: [], items: [] }),
      ]);
      const bare = (path: string) => read(path, { session_id: ['bare'] }).then(({ data }) => data[0]);
      expect(await bare('sessions/statuses')).toMatchObject({
        session_duration: null,
        dt_completed: null,
        num_questions: 0,
      });
      expect(await bare('sessions/scores')).toMatchObject({ score: 0, max_score: 0, subscores: null });
      expect(await bare('sessions/responses')).toMatchObject({
        metadata: {},
        items: [],
        responses: [],
        subscores: null,
      });
      expect((await bare('sessions/metadata')).metadata).toEqual({ session_tags: [] });
    });
  });

  it('count session_duration between the seconds that dt_started and dt_completed show', async () => {
    const start = Date.UTC(2026, 0, 1, 10);
    const spans = [
      [100, 900],
      [100, 60_900],
      [900, 61_100],
      [0, 60_000],
    ] as const;
    await store(
      sessions,
      1,
      storedSessions(spans.length, now(), (index) => ({
        sessionId: `span-${index}`,
        activityId: 'spans',
        startedAt: start + spans[index]![0],
        completedAt: start + spans[index]![1],
      })),
    );
    const { data } = await read('sessions/statuses', { activity_id: ['spans'], sort: 'asc' });
    expect(
      data.map(({ dt_started, dt_completed, session_duration }: Record<string, unknown>) => [
        dt_started,
        dt_completed,
        session_duration,
      ]),
    ).toEqual([
      ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z', 0],
      ['2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z', 1],
      ['2026-01-01T10:00:00Z', '2026-01-01T10:01:01Z', 2],
      ['2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z', 1],
    ]);
  });

  it('show adaptive reports', async () => {
    const estimate = { ability_estimate: 0.4131, standard_error: 0.9103 };
    const common = { activityId: 'adaptive', startedAt: Date.UTC(2026, 0, 1), completedAt: Date.UTC(2026, 0, 1, 0, 1) };
    await store(sessions, 1, [
      storedSession(now(), {
        ...common,
        sessionId: 'a-outside',
        adaptive: {
          recorded: true,
          ability_estimate: estimate,
          items: ['1', '2'],
          exposed_items: { operational: ['1'], seeding: ['2'] },
        },
        customState: { theta: [0.1, 0.4] },
      }),
      storedSession(now(), { ...common, sessionId: 'a-open', status: 'Incomplete', completedAt: null, adaptive: {} }),
    ]);
    const { data } = await read('sessions/reports/adaptive', { activity_id: ['adaptive'], sort: 'asc' });
    const entry = {
      user_id: 'learner',
      activity_id: 'adaptive',
      num_attempted: 1,
      num_questions: 1,
      score: 1,
      dt_started: '2026-01-01T00:00:00Z',
    };
    expect(data).toEqual([
      {
        ...entry,
        session_id: 'a-outside',
        session_duration: 1,
        status: 'Completed',
        dt_completed: '2026-01-01T00:01:00Z',
        meta: { status: true },
        adaptive: {
          ability_estimate: estimate,
          items: ['1', '2'],
          exposed_items: { operational: ['1'], seeding: ['2'] },
        },
        custom_state: { theta: [0.1, 0.4] },
      },
      {
        ...entry,
        session_id: 'a-open',
        session_duration: null,
        status: 'Incomplete',
        dt_completed: null,
        meta: { status: false },
        adaptive: { ability_estimate: null, items: null, exposed_items: { operational: [], seeding: [] } },
      },
    ]);
  });
});
