import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { resultsOfStarted, sessionOf, submit } from '../support/submissions';

const PATH = 'jobs/sessions/scores/subscores';

describe.each(anEngine(__filename))('subscores on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(async () => {
    await writeSessionBank(service.client);
    await submit(service, [
      wholeSession('with'),
      wholeSession('without', { subscores: null }),
      wholeSession('none', { subscores: [] }),
    ]);
  });

  it('are counted from the responses, for sessions that were taken with subscores', async () => {
    const reader = await service.consumerOf([1, 'read']);
    const before = await sessionOf(service, 'with');
    const given = await reader.get(PATH, { session_id: ['without', 'with', 'nowhere', 'none', 'WITH'] });
    expect(given.data.ignored_sessions).toEqual(['without', 'nowhere', 'none', 'WITH']);
    expect(await resultsOfStarted(service, given)).toEqual({
      sessions: [
        {
          session_id: 'with',
          user_id: 'learner',
          activity_id: 'activity',
          subscores: [
            {
              id: 'first',
              title: 'First',
              num_questions: 2,
              num_attempted: 2,
              score: 2,
              max_score: 5,
              attempted_max_score: 5,
              items: ['i-1'],
            },
            {
              id: 'second',
              title: 'Second',
              num_questions: 1,
              num_attempted: 1,
              score: 0,
              max_score: 4,
              attempted_max_score: 4,
              items: ['i-2'],
            },
          ],
        },
      ],
    });
    expect(await reader.ended(given.data.job_reference)).toMatchObject({ progress: { done: 1, total: 1 } });
    // Reading changes no session.
    expect(await sessionOf(service, 'with')).toEqual(before);
  });

  it('are empty for no sessions', async () => {
    const given = await service.client.get(PATH, { session_id: ['without'] });
    expect(given.data).toEqual({ job_reference: expect.any(String), ignored_sessions: ['without'] });
    expect(await resultsOfStarted(service, given)).toEqual({ sessions: [] });
  });

  it('are not shown for sessions of another organisation', async () => {
    const other = await service.consumerOf([2, 'read']);
    const given = await other.get(PATH, { session_id: ['with'] });
    expectSuccess(given);
    expect(given.data).toMatchObject({ ignored_sessions: ['with'] });
  });

  it('30000: may be requested only once per session', async () => {
    const refused = await service.client.get(PATH, { session_id: ['with', 'without', 'with'] });
    expectFailure(refused, 400, 30000, /"with"/);
    expect(refused.meta.errors).toMatchObject([{ pointer: '/session_id/2' }]);
  });
});
