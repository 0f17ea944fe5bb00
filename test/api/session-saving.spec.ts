import { SessionStore } from '#sessions';
import { write } from '../support/bank';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { itemOf, ITEMS } from '../support/session-bank';
import { answer, sessionOf, submission, submit } from '../support/submissions';
import { SECOND } from '../support/time';

describe.each(anEngine(__filename))('saving sessions on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(async () => {
    await write(service.client, {
      questions: [
        question('choice', ['1'], 2),
        question('other', ['2'], 3),
        { reference: 'essay', type: 'longtextV2', data: { stimulus: 'Write', validation: { max_score: 4 } } },
      ],
      items: [itemOf('i-1', 'choice', 'other'), itemOf('i-2', 'essay')],
    });
  });
  beforeEach(() => service.clock.advance(10 * SECOND));

  const question = (reference: string, value: string[], score: number) => ({
    reference,
    type: 'mcq',
    data: {
      stimulus: reference,
      options: ['1', '2', '3'].map((each) => ({ label: each, value: each })),
      validation: { scoring_type: 'exactMatch', valid_response: { score, value } },
    },
  });
  const stored = (sessionId: string) => sessionOf(service, sessionId);

  it('scores what the engine can score, and counts all totals from the parts', async () => {
    const subscores = [{ id: 'first', title: 'First', items: ['i-1'] }];
    const responses = [answer('i-1', 'choice', ['1']), answer('i-2', 'essay', 'Words')];
    const results = await submit(service, [submission('whole', { items: ITEMS, responses, subscores })]);
    expect(results).toEqual({
      saved: 1,
      unchanged: 0,
      refused: 0,
      sessions: [{ session_id: 'whole', status: 'saved' }],
    });
    const session = await stored('whole');
    expect(session).toMatchObject({
      status: 'Completed',
      completedAt: Date.UTC(2026, 0, 1, 10, 8, 20),
      totals: { score: 2, maxScore: 9, numQuestions: 3, numAttempted: 2 },
      subscores: [
        { id: 'first', numQuestions: 2, numAttempted: 1, score: 2, maxScore: 5, attemptedMaxScore: 2, items: ['i-1'] },
      ],
      items: [
        { reference: 'i-1', time: 12, scoring: { score: 2, maxScore: 5, type: 'per-question' } },
        { reference: 'i-2', scoring: { score: 0, maxScore: 4, type: 'per-question' } },
      ],
    });
    expect(session.responses).toMatchObject([
      {
        questionReference: 'choice',
        score: 2,
        maxScore: 2,
        attempted: true,
        automarkable: true,
        mark: { by: 'engine' },
      },
      { questionReference: 'other', response: null, score: null, maxScore: 3, attempted: false, mark: { by: null } },
      { questionReference: 'essay', score: null, maxScore: 4, attempted: true, automarkable: false },
    ]);
  });

  it('keeps the scoring of a session when the item bank changes, and takes new items in their present form', async () => {
    const [first, second] = ITEMS;
    await write(service.client, { questions: [question('moving', ['1'], 1)], items: [itemOf('i-3', 'moving')] });
    const third = { ...first!, reference: 'i-3' };
    await submit(service, [
      submission('kept', { status: 'Incomplete', items: [third], responses: [answer('i-3', 'moving', ['1'])] }),
    ]);
    expectSuccess(await service.client.set('itembank/questions', { questions: [question('moving', ['3'], 5)] }));
    service.clock.advance(SECOND);
    await submit(service, [
      submission('kept', { items: [third, second!], responses: [answer('i-3', 'moving', ['1'], 2)] }),
      submission('fresh', { items: [third], responses: [answer('i-3', 'moving', ['1'])] }),
    ]);
    expect(await stored('kept')).toMatchObject({
      totals: { score: 1, maxScore: 5, numQuestions: 2 },
      status: 'Completed',
    });
    expect(await stored('fresh')).toMatchObject({ totals: { score: 0, maxScore: 5 } });
  });

  it('rejects a save with a lower revision completely, and accepts it when revisions are ignored', async () => {
    const at = (revision: number, choice: string, other: string) =>
      submission('revised', {
        items: ITEMS,
        responses: [answer('i-1', 'choice', [choice], revision), answer('i-1', 'other', [other], 9)],
      });
    await submit(service, [at(5, '1', '1')]);
    const before = await stored('revised');
    const refused = await submit(service, [at(4, '2', '2')]);
    expect(refused).toMatchObject({
      refused: 1,
      sessions: [{ status: 'refused', message: expect.stringMatching(/revision 4.*5/) }],
    });
    expect(await stored('revised')).toEqual(before);
    expect(await submit(service, [at(5, '1', '1')])).toMatchObject({ unchanged: 1 });
    expect(await stored('revised')).toEqual(before);
    await submit(service, [at(4, '2', '2')], { ignoreRevisions: true });
    const after = await stored('revised');
    expect(after.totals).toMatchObject({ score: 3, maxScore: 9 });
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt);
    const changes = await service.get(SessionStore).changesOf(1, [after.id]);
    expect(changes.get(after.id)).toMatchObject([
      {
        cause: 'submission',
        changes: [
          { at: 0, before: 2, after: 0 },
          { at: 1, before: 0, after: 3 },
        ],
      },
    ]);
  });

  it('fails an invalid entry, and saves the others of the request', async () => {
    await submit(service, [submission('mine', { items: ITEMS })]);
    const results = await submit(service, [
      submission('mine', { items: ITEMS, userId: 'somebody else' }),
      submission('no-item', { items: [{ ...ITEMS[0]!, reference: 'nowhere' }] }),
      submission('no-question', { items: ITEMS, responses: [answer('i-1', 'essay', 'x')] }),
      submission('two-ids', {
        items: ITEMS,
        responses: ['choice', 'other'].map((name) => ({ ...answer('i-1', name, ['1']), responseId: 'same' })),
      }),
      submission('good', { items: ITEMS }),
    ]);
    expect(results.sessions).toMatchObject([
      { session_id: 'mine', status: 'refused', message: expect.stringMatching(/another user/) },
      { session_id: 'no-item', status: 'refused', message: expect.stringMatching(/no item "nowhere"/) },
      { session_id: 'no-question', status: 'refused', message: expect.stringMatching(/"essay"/) },
      { session_id: 'two-ids', status: 'refused', message: expect.stringMatching(/two responses "same"/) },
      { session_id: 'good', status: 'saved' },
    ]);
    expect(await stored('no-item')).toBeUndefined();
    expect(await stored('no-question')).toBeUndefined();
  });

  it('keeps a completed session completed after a late save', async () => {
    await submit(service, [submission('late', { items: ITEMS })]);
    await submit(service, [
      submission('late', { status: 'Incomplete', items: ITEMS, responses: [answer('i-1', 'choice', ['1'])] }),
    ]);
    expect(await stored('late')).toMatchObject({ status: 'Completed', totals: { score: 2 } });
  });

  it('keeps times, flags and response ids that a save does not contain', async () => {
    const timed = { reference: 'i-1', organisation: 1, time: 41.5, flagged: true };
    await submit(service, [submission('timed', { items: [timed], responses: [answer('i-1', 'choice', ['2'])] })]);
    const { responseId: _id, ...unnamed } = answer('i-1', 'choice', ['1'], 2);
    await submit(service, [
      submission('timed', { items: [{ reference: 'i-1', organisation: 1 }], responses: [unnamed] }),
    ]);
    expect(await stored('timed')).toMatchObject({
      totals: { score: 2 },
      items: [{ time: 41.5, flagged: true }],
      responses: [{ responseId: 'i-1-choice', revision: 2, response: { value: ['1'] } }, {}],
    });
    await submit(service, [submission('timed', { items: [{ ...timed, time: 0, flagged: false }] })]);
    expect(await stored('timed')).toMatchObject({ items: [{ time: 0, flagged: false }] });
  });

  it('names the response in its faults, even one that was sent without an id', async () => {
    const unnamed = (question_: string, revision: number) => {
      const { responseId: _id, ...response } = answer('i-1', question_, ['1'], revision);
      return response;
    };
    await submit(service, [submission('unnamed', { items: ITEMS, responses: [unnamed('choice', 2)] })]);
    const { responseId } = (await stored('unnamed')).responses[0]!;
    const messageOf = async (response: ReturnType<typeof unnamed>) =>
      (await submit(service, [submission('unnamed', { items: ITEMS, responses: [response] })])).sessions[0]!.message;
    expect(await messageOf(unnamed('choice', 1))).toContain(`the response "${responseId}" has revision 1`);
    expect(await messageOf(unnamed('nowhere', 1))).toContain('a response without an id is to a question "nowhere"');
  });

  it('applies concurrent saves of one session as if they came one after another', async () => {
    const saves = Array.from({ length: 12 }, (_, index) =>
      submit(service, [
        submission('contested', {
          items: ITEMS,
          responses: [answer('i-1', 'choice', [String((index % 3) + 1)], index + 1)],
        }),
      ]),
    );
    const results = await Promise.all(saves);
    expect(results.map(({ refused, saved }) => refused + saved)).toEqual(results.map(() => 1));
    const session = await stored('contested');
    expect(session.responses[0]).toMatchObject({ revision: 12, response: { value: ['3'] }, score: 0 });
    expect(session.totals).toMatchObject({ score: 0, numAttempted: 1 });
  });
});
