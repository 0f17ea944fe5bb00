import { LearnerErasure, LearnerExport } from '#learners';
import { SessionReader, SessionStore } from '#sessions';
import { write } from '../support/bank';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { essay, IDS, itemOf, wholeSession, writeSessionBank } from '../support/session-bank';
import { store, storedResponse, storedSessions } from '../support/sessions';
import { answer, resultsOf, resultsOfStarted, sessionOf, submission, submit } from '../support/submissions';
import { MINUTE, SECOND } from '../support/time';
import { until } from '../support/until';

interface Taken {
  answer: string | null;
  marked_by_me: number;
  progress: Record<string, number>;
}
interface Marked {
  reference: string;
  session_id: string;
  stage: string;
  score: number | null;
  marks: {
    author: { id: string; firstname: string | null };
    score: number;
    comment: string | null;
  }[];
}

function expectRejection(answer: Answer, status: number, code: number, pointer: string): void {
  expectFailure(answer, status, code);
  expect(answer.meta.errors?.map((error) => error.pointer)).toEqual([pointer]);
}

describe.each(anEngine(__filename))('marking rounds on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let made = 0;
  beforeAll(async () => {
    await writeSessionBank(service.client);
    await write(service.client, { questions: [essay('halted'), essay('bulk')] });
  });
  beforeEach(() => service.clock.advance(10 * SECOND));

  const by = (id: string) => ({ meta: { user: { id, firstname: id.toUpperCase() } } });
  /** A round over new sessions of the activity of the test; returns its reference. */
  async function round(sessions: number, rules: object = {}): Promise<{ id: string; sessions: string[] }> {
    const activityId = `activity-${++made}`;
    const ids = Array.from({ length: sessions }, (_, index) => `${activityId}-s${index}`);
    await submit(
      service,
      ids.map((id) => wholeSession(id, { activityId, userId: `learner-${id}` })),
    );
    service.clock.advance(SECOND);
    return {
      id: await created({ sessions: { activity_id: [activityId] }, ...rules }),
      sessions: ids,
    };
  }
  async function created(rules: object): Promise<string> {
    const started = await service.client.set('sessions/marking/rounds', {
      name: 'Round',
      question: 'essay',
      ...rules,
    });
    await resultsOfStarted(service, started);
    const { data: jobs } = await service.client.get('jobs', { references: [started.data.job_reference] });
    expect(jobs).toMatchObject([{ type: 'collect-marking-round', subject: { question: 'essay', ...rules }.question }]);
    return started.data.reference as string;
  }
  const take = (id: string, marker: string, more: object = {}) =>
    service.client.set('sessions/marking/queue', { round: id, ...by(marker), ...more });
  const taken = async (id: string, marker: string, more: object = {}): Promise<Taken> => {
    const given = await take(id, marker, more);
    expectSuccess(given);
    return given.data as Taken;
  };
  const mark = (
    id: string,
    answer: string | null,
    marker: string,
    score: number | null,
    more: object = {},
  ): Promise<Answer> =>
    score === null
      ? service.client.update('sessions/marking/marks', { round: id, answer, ...by(marker) })
      : service.client.set('sessions/marking/marks', {
          round: id,
          answer,
          score,
          ...by(marker),
          ...more,
        });
  /** Marks, and waits for the job that writes the score, if there is one. */
  const marked = async (...all: Parameters<typeof mark>) => {
    const given = await mark(...all);
    expectSuccess(given);
    if (given.data.job_reference !== null) await resultsOfStarted(service, given);
    return given.data as { stage: string; score: number | null; job_reference: string | null };
  };
  const marks = async (id: string, more: object = {}): Promise<Marked[]> =>
    service.client.all('sessions/marking/marks', { round: id, ...more });
  const read = async (id: string) =>
    (await service.client.get('sessions/marking/rounds', { references: [id] })).data[0] as {
      status: string;
      progress: Record<string, number>;
    };
  const essayOf = async (sessionId: string) => {
    const { data } = await service.client.get('sessions/scores', {
      session_id: [sessionId],
      include: { reasons: true },
    });
    return data[0].responses.find((each: { response_id: string }) => each.response_id === IDS.essay);
  };

  it('collect answers that await a mark, and give them out one by one until all have a score', async () => {
    const { id, sessions } = await round(2);
    expect(await read(id)).toMatchObject({
      status: 'open',
      progress: { answers: 2, first: 2, settled: 0 },
    });
    const first = await taken(id, 'ann');
    expect(first).toMatchObject({ marked_by_me: 0, progress: { answers: 2 } });
    const { data: shown } = await service.client.get('sessions/marking/queue', {
      round: id,
      answer: first.answer,
    });
    expect(shown).toMatchObject({
      question_reference: 'essay',
      max_score: 4,
      response: { value: 'Words' },
      question: { type: 'longtextV2', stimulus: 'Write' },
      marks: [],
    });
    expect(sessions).toContain(shown.session_id);
    expect(await marked(id, first.answer, 'ann', 3, { comment: 'Well argued' })).toMatchObject({
      stage: 'settled',
      score: 3,
    });
    const second = await taken(id, 'ann');
    expect(second.answer).not.toBe(first.answer);
    await marked(id, second.answer, 'ann', 0);
    expect(await taken(id, 'ann')).toMatchObject({
      answer: null,
      marked_by_me: 2,
      progress: { settled: 2 },
    });
    const essay = await essayOf(shown.session_id);
    const { responses } = await sessionOf(service, shown.session_id);
    expect(responses[2]).toMatchObject({
      score: 3,
      attempted: true,
      manualScore: 3,
      maxManualScore: 4,
    });
    expect(essay.reasons).toMatchObject({ scored_by: 'person', author: 'ann', marking_round: id });
    const [one] = (await marks(id)).filter(({ reference }) => reference === first.answer);
    expect(one).toMatchObject({
      session_id: shown.session_id,
      score: 3,
      marks: [{ author: { id: 'ann', firstname: 'ANN' }, score: 3, comment: 'Well argued' }],
    });
  });

  it('count a repeated mark once, let its marker change it, and withdraw the score with it', async () => {
    const { id, sessions } = await round(1);
    const { answer } = await taken(id, 'ann');
    await marked(id, answer, 'ann', 3);
    expect(await marked(id, answer, 'ann', 3)).toMatchObject({ job_reference: null, score: 3 });
    expect((await marks(id))[0]!.marks).toHaveLength(1);
    await marked(id, answer, 'ann', 1);
    expect((await essayOf(sessions[0]!)).score).toBe(1);
    expect(await marked(id, answer, 'ann', null)).toMatchObject({ stage: 'first', score: null });
    expect((await essayOf(sessions[0]!)).score).toBeNull();
    // The answer stays reserved for its marker.
    expect((await taken(id, 'ben')).answer).toBeNull();
    expect((await taken(id, 'ann')).answer).toBe(answer);
    expect(await marked(id, answer, 'ann', null)).toMatchObject({
      stage: 'first',
      job_reference: null,
    });
  });

  it('give an answer to two markers, average marks within the allowed difference, and otherwise need a third mark', async () => {
    const { id, sessions } = await round(2, { markers: 2, blind: true, allowed_difference: 1 });
    const near = (await taken(id, 'ann')).answer;
    expect(await marked(id, near, 'ann', 3)).toMatchObject({ stage: 'second', score: null });
    const far = (await taken(id, 'ann')).answer;
    await marked(id, far, 'ann', 4);
    expect((await taken(id, 'ann')).answer).toBeNull();
    // The first marker cannot be the second one, and can change the mark until then.
    expect(await marked(id, near, 'ann', 2.1)).toMatchObject({ stage: 'second' });
    const { answer } = await taken(id, 'ben');
    expect(answer).toBe(near);
    const { data: shown } = await service.client.get('sessions/marking/queue', {
      round: id,
      answer,
    });
    expect(shown).toMatchObject({ session_id: null, user_id: null, activity_id: null, marks: [] });
    expect(JSON.stringify(shown)).not.toContain('learner');
    // Binary fractions would give 2.1500000000000004.
    expect(await marked(id, near, 'ben', 2.2)).toMatchObject({ stage: 'settled', score: 2.15 });
    expectRejection(await mark(id, near, 'ann', 3), 409, 20011, '/answer');
    expectRejection(await mark(id, near, 'ann', null), 409, 20011, '/answer');
    expectRejection(await mark(id, near, 'cal', 3), 409, 20011, '/answer');
    expect(await marked(id, far, 'ben', 1)).toMatchObject({ stage: 'third', score: null });
    expect((await taken(id, 'ben')).answer).toBeNull();
    expect((await taken(id, 'ann')).answer).toBeNull();
    const differing = await marks(id, { stages: ['third'] });
    expect(differing.map(({ marks: its }) => its.map(({ author, score }) => [author.id, score]))).toEqual([
      [
        ['ann', 4],
        ['ben', 1],
      ],
    ]);
    expect((await essayOf(differing[0]!.session_id)).score).toBeNull();
    expect((await taken(id, 'cal')).answer).toBe(far);
    expect(await marked(id, far, 'cal', 2, { comment: 'Between' })).toMatchObject({
      stage: 'settled',
      score: 2,
    });
    expect((await essayOf(differing[0]!.session_id)).score).toBe(2);
    expect((await read(id)).progress).toEqual({
      answers: 2,
      first: 0,
      second: 0,
      third: 0,
      settled: 2,
    });
    const scores = await Promise.all(sessions.map(async (session) => (await essayOf(session)).score as number));
    expect(scores.sort()).toEqual([2, 2.15]);
  });

  it('count a mark only for the answer that it was given for, when the learner changes the answer', async () => {
    const { id, sessions } = await round(1, { markers: 2, allowed_difference: 1 });
    const { answer: reference } = await taken(id, 'ann');
    const shown = async () =>
      (await service.client.get('sessions/marking/queue', { round: id, answer: reference })).data;
    const { response_hash: before } = await shown();
    await marked(id, reference, 'ann', 3, { if_response_hash: before });
    await taken(id, 'ben');
    const responses = [answer('i-2', 'essay', 'Other words', 2)];
    await submit(service, [
      wholeSession(sessions[0]!, { activityId: `activity-${made}`, userId: `learner-${sessions[0]}`, responses }),
    ]);
    // The marker has read the words before.
    const late = await mark(id, reference, 'ben', 2, { if_response_hash: before });
    expectRejection(late, 409, 20011, '/if_response_hash');
    const now = await shown();
    expect(now).toMatchObject({ response: { value: 'Other words' }, stage: 'first', marks: [] });
    const more = { if_response_hash: now.response_hash };
    // The mean of the two marks would be within the allowed difference.
    expect(await marked(id, reference, 'ben', 2, more)).toMatchObject({ stage: 'second', score: null });
    expect((await marks(id))[0]!.marks.map(({ author, score }) => [author.id, score])).toEqual([['ben', 2]]);
    expect((await taken(id, 'ann')).answer).toBe(reference);
    expect(await marked(id, reference, 'ann', 1)).toMatchObject({ stage: 'settled', score: 1.5 });
    expect((await essayOf(sessions[0]!)).score).toBe(1.5);
  });

  it('never give an answer to two people at once, and give it to another person after 15 minutes', async () => {
    const { id } = await round(6);
    const markers = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const all = await Promise.all(markers.map(async (marker) => (await taken(id, marker)).answer));
    const given = all.filter((answer) => answer !== null);
    expect(given).toHaveLength(6);
    expect(new Set(given).size).toBe(6);
    // The first answer is reserved for its marker, so nobody else can mark it.
    const another = markers[(all.indexOf(given[0]!) + 1) % markers.length]!;
    expectRejection(await mark(id, given[0]!, another, 1), 409, 20011, '/answer');
    // A request for the next answer releases the reserved one.
    service.clock.advance(16 * MINUTE);
    const late = await taken(id, 'late');
    expect(late.answer).not.toBeNull();
    const next = await taken(id, 'late', { after: late.answer });
    expect(next.answer).not.toBe(late.answer);
    expect((await taken(id, 'later')).answer).toBe(late.answer);
    expect((await taken(id, 'late')).answer).toBe(next.answer);
  });

  /** A round whose job an operator cancelled before it collected anything; the activity has 60 sessions. */
  async function halted(): Promise<{ id: string; activity: string }> {
    const activity = `activity-${++made}`;
    const responses = () => [storedResponse({ questionReference: 'halted', automarkable: false, score: null })];
    const sessions = storedSessions(60, service.clock.now(), () => ({ activityId: activity, responses: responses() }));
    await store(service.get(SessionStore), 1, sessions);
    const started = jest.spyOn(service.get(SessionReader), 'inOrder').mockImplementation(() => new Promise(() => {}));
    const { data } = await service.client.set('sessions/marking/rounds', {
      name: 'Halted',
      question: 'halted',
      sessions: { activity_id: [activity] },
    });
    await until(async () => started.mock.calls.length > 0 || undefined);
    expectSuccess(await service.client.update('jobs', { references: [data.reference], action: 'cancel' }));
    started.mockRestore();
    return { id: data.reference as string, activity };
  }
  const update = (id: string, status: string) =>
    service.client.update('sessions/marking/rounds', { reference: id, status });
  const retry = async (id: string) => {
    expectSuccess(await service.client.update('jobs', { references: [id], action: 'retry' }));
    return resultsOf(service, id);
  };

  it('keep the status collecting when their job halts, and continue after a retry', async () => {
    const { id } = await halted();
    expect(await read(id)).toMatchObject({ status: 'collecting', progress: { answers: 0 } });
    expectRejection(await update(id, 'open'), 409, 20011, '/reference');
    expectRejection(await take(id, 'ann'), 409, 20011, '/round');
    expect(await retry(id)).toMatchObject({ answers: 60 });
    expect(await read(id)).toMatchObject({ status: 'open', progress: { answers: 60 } });
  });

  it('can be closed while they collect, and then collect nothing even if the job is retried', async () => {
    const { id } = await halted();
    expectSuccess(await update(id, 'closed'));
    expect(await retry(id)).toMatchObject({ answers: 0 });
    expect(await read(id)).toMatchObject({ status: 'closed', progress: { answers: 0 } });
    expectSuccess(await update(id, 'open'));
    expect(await read(id)).toMatchObject({ status: 'open', progress: { answers: 0 } });
  });

  it('reject wrong points, unknown rounds and answers, and marks in a closed round, with pointers', async () => {
    const { id } = await round(1);
    const { answer } = await taken(id, 'ann');
    expectRejection(await mark(id, answer, 'ann', 5), 400, 20004, '/score');
    expectRejection(await mark(id, answer, 'ann', -1), 400, 20004, '/score');
    expectRejection(await mark(id, 'nothing', 'ann', 1), 400, 30001, '/answer');
    expectRejection(await mark('nothing', answer, 'ann', 1), 400, 30001, '/round');
    const nowhere = await take('nothing', 'ann');
    expectRejection(nowhere, 400, 30001, '/round');
    expect(nowhere.meta.message).toBe(
      'round: there is no such marking round; get sessions/marking/rounds lists them all.',
    );
    expectRejection(await service.client.get('sessions/marking/marks', { round: 'nothing' }), 400, 30001, '/round');
    const closed = { reference: id, status: 'closed' };
    expectSuccess(await service.client.update('sessions/marking/rounds', closed));
    expectRejection(await mark(id, answer, 'ann', 1), 409, 20011, '/round');
    expectRejection(await take(id, 'ann'), 409, 20011, '/round');
    expectSuccess(await service.client.update('sessions/marking/rounds', { ...closed, status: 'open' }));
    await marked(id, answer, 'ann', 1);
    const unknown = { reference: 'nothing', status: 'open' };
    expectRejection(await service.client.update('sessions/marking/rounds', unknown), 400, 30001, '/reference');
  });

  it('are refused when neither the bank nor any session has the question', async () => {
    const jobs = async () => (await service.client.all('jobs', {})).length;
    const before = await jobs();
    const refused = await service.client.set('sessions/marking/rounds', { name: 'Round', question: 'esay' });
    expectRejection(refused, 400, 30001, '/question');
    expect(refused.meta.message).toMatch(/"esay".*get sessions\/marking\/questions/);
    expect(await jobs()).toBe(before);
  });

  it('collect the answers to a question of another bank', async () => {
    const both = await service.consumerOf([1, 'write'], [2, 'write']);
    const foreign = { organisation_id: 2 };
    expectSuccess(await both.set('itembank/questions', { ...foreign, questions: [essay('their-essay')] }));
    expectSuccess(await both.set('itembank/items', { ...foreign, items: [itemOf('their-item', 'their-essay')] }));
    const items = [{ reference: 'their-item', organisation: 2, time: 1, flagged: false }];
    await submit(
      service,
      [submission('foreign', { items, responses: [answer('their-item', 'their-essay', 'Words')] })],
      {
        othersReadable: [2],
      },
    );
    const id = await created({ question: 'their-essay' });
    expect((await read(id)).progress.answers).toBe(1);
  });

  it('leave out answers that have a score, unless the round asks for them', async () => {
    const { id, sessions } = await round(2);
    const { answer } = await taken(id, 'ann');
    await marked(id, answer, 'ann', 2);
    const wanted = { sessions: { session_id: sessions } };
    expect((await read(await created(wanted))).progress.answers).toBe(1);
    const again = await created({ ...wanted, scored: true });
    expect((await read(again)).progress.answers).toBe(2);
    // The second round replaces the score of the first one, and the reasons name both.
    const [scored] = (await marks(id)).filter(({ stage }) => stage === 'settled');
    const [same] = (await marks(again)).filter(({ session_id }) => session_id === scored!.session_id);
    await marked(again, same!.reference, 'ben', 4);
    const { reasons, score } = await essayOf(scored!.session_id);
    expect(score).toBe(4);
    expect(reasons).toMatchObject({ author: 'ben', marking_round: again, score_before: 2 });
    expect(
      reasons.changes.map((each: { author: string; score_after: number }) => [each.author, each.score_after]),
    ).toEqual([
      ['ann', 2],
      ['ben', 4],
    ]);
  });

  it('export the marks of a learner, and hold nothing of the learner after an erasure', async () => {
    const { id, sessions } = await round(2);
    const { answer } = await taken(id, 'ann');
    await marked(id, answer, 'ann', 2, { comment: 'A secret remark' });
    const [settled] = (await marks(id)).filter(({ stage }) => stage === 'settled');
    const user = `learner-${settled!.session_id}`;
    const lines = [];
    for await (const line of service.get(LearnerExport).lines(user, 1)) lines.push(line);
    expect(lines.filter(({ record }) => record === 'mark')).toMatchObject([
      {
        session_id: settled!.session_id,
        marking_round: id,
        author: 'ann',
        score: 2,
        comment: 'A secret remark',
      },
    ]);
    const report = await service.get(LearnerErasure).erase(user, 1, { dryRun: false });
    expect(report.marks).toBe(1);
    expect((await read(id)).progress).toMatchObject({ answers: 1, settled: 0 });
    expectRejection(await mark(id, answer, 'ann', 1), 400, 30001, '/answer');
    const left = await marks(id);
    expect(left.map(({ session_id }) => session_id)).toEqual(sessions.filter((each) => each !== settled!.session_id));
  });

  it('accept more than a thousand sessions; the list of questions contains those that people mark', async () => {
    const response = () => storedResponse({ questionReference: 'bulk', automarkable: false, score: null });
    await store(
      service.get(SessionStore),
      1,
      storedSessions(1_120, service.clock.now(), () => ({
        activityId: 'many',
        responses: [response()],
      })),
    );
    const id = await created({ question: 'bulk', sessions: { activity_id: ['many'] } });
    expect((await read(id)).progress).toMatchObject({ answers: 1_120, first: 1_120 });
    expect(await marks(id)).toHaveLength(1_120);
    const { data } = await service.client.get('sessions/marking/questions', {});
    expect(data).toMatchObject([
      { reference: 'essay', type: 'longtextV2', items: ['i-2'] },
      { reference: 'their-essay', type: 'longtextV2', items: ['their-item'] },
    ]);
  });

  it('list a renamed item once, by its present reference, among the items of a question', async () => {
    const taken = (id: string, item: string) =>
      submission(id, {
        items: [{ reference: item, organisation: 1, time: 1, flagged: false }],
        responses: [answer(item, 'letter', 'Words')],
      });
    await write(service.client, { questions: [essay('letter')], items: [itemOf('draft', 'letter')] });
    await submit(service, [taken('before', 'draft')]);
    await write(service.client, { items: [{ ...itemOf('draft', 'letter'), new_reference: 'final', title: 'Final' }] });
    await write(service.client, { questions: [essay('other-letter')], items: [itemOf('draft', 'other-letter')] });
    await submit(service, [taken('after', 'final')]);
    service.clock.advance(SECOND);
    const { data } = await service.client.get('sessions/marking/questions', {});
    expect(data.find(({ reference }: { reference: string }) => reference === 'letter')).toMatchObject({
      items: ['final'],
      sessions: 2,
    });
  });
});
