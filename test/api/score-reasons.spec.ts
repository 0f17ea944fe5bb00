import { ENGINE_VERSION } from '#scoring';
import { SessionStore } from '#sessions';
import { write } from '../support/bank';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { store, storedSessions } from '../support/sessions';
import { answer, sessionOf, submission, submit } from '../support/submissions';

describe.each(anEngine(__filename))('reasons of scores on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  beforeAll(async () => {
    await write(client, {
      questions: [
        choice('right', ['1', '2'], 2),
        choice('other', ['3'], 1),
        { reference: 'essay', type: 'longtextV2', data: { stimulus: 'Write', validation: { max_score: 4 } } },
        { reference: 'sum', type: 'formulaV2', data: { validation: formula } },
        { reference: 'long', type: 'clozetext', data: cloze },
      ],
      items: [item('i', 'right', 'other', 'essay', 'sum'), item('l', 'long')],
    });
  });
  beforeEach(() => service.clock.advance(10_000));

  const choice = (reference: string, value: string[], score: number) => ({
    reference,
    type: 'mcq',
    data: {
      multiple_responses: true,
      options: ['1', '2', '3'].map((each) => ({ label: each, value: each })),
      validation: { scoring_type: 'partialMatchV2', penalty: 1, valid_response: { score, value } },
    },
  });
  const formula = {
    scoring_type: 'exactMatch',
    valid_response: { score: 1, value: [{ method: 'equivValue', value: '4' }] },
  };
  const blanks = 60;
  const cloze = {
    template: '{{response}} '.repeat(blanks),
    validation: {
      scoring_type: 'partialMatchV2',
      valid_response: { score: blanks, value: new Array(blanks).fill('x'.repeat(200)) },
    },
  };
  const item = (reference: string, ...widgets: string[]) => ({
    reference,
    definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
  });
  const itemOf = (reference: string) => ({ reference, organisation: 1, time: 1, flagged: false });
  const reasonsOf = async (sessionId: string) => {
    const read = await client.get('sessions/scores', { session_id: [sessionId], include: { reasons: true } });
    expectSuccess(read);
    return read.data[0].responses as { score: number | null; reasons: Record<string, unknown> }[];
  };
  const stored = (sessionId: string) => sessionOf(service, sessionId);

  it('show the definition, the engine and its rules step by step', async () => {
    const responses = [answer('i', 'right', ['1', '3']), answer('i', 'essay', 'Words'), answer('i', 'sum', '2+2')];
    await submit(service, [submission('ruled', { items: [itemOf('i')], responses })]);
    const [right, other, essay, sum] = await reasonsOf('ruled');
    const { responses: kept } = await stored('ruled');
    expect(right).toMatchObject({
      score: kept[0]!.score,
      reasons: {
        definition_hash: kept[0]!.mark.definition,
        engine: ENGINE_VERSION,
        scored_by: 'engine',
        outcome: 'scored',
        author: null,
        job_reference: expect.stringMatching(/^[0-9A-Z]{26}$/),
        score_before: null,
        rule: {
          scoring_type: 'partialMatchV2',
          answer: 0,
          parts: [
            { verdict: 'right', given: '1' },
            { verdict: 'empty', accepted: '2' },
            { verdict: 'wrong', given: '3' },
          ],
          parts_left_off: 0,
        },
        review_parts: [true, false],
        no_rule: null,
        changes: [],
        changes_left_off: 0,
      },
    });
    const steps = (right!.reasons.rule as { steps: { to: number }[] }).steps;
    expect(steps.at(-1)!.to).toBe(right!.score);
    expect(other).toMatchObject({
      score: null,
      reasons: { outcome: 'not-attempted', rule: null, no_rule: expect.stringMatching(/no response/) },
    });
    expect(essay).toMatchObject({
      score: null,
      reasons: { scored_by: null, outcome: 'manual', rule: { message: expect.stringMatching(/person/), parts: [] } },
    });
    expect(sum).toMatchObject({
      score: 1,
      reasons: { scored_by: 'engine', rule: { scoring_type: 'exactMatch', parts: [{ verdict: 'right' }] } },
    });
  });

  it('use the definition that the session was taken with', async () => {
    await write(client, { questions: [choice('moving', ['1'], 1)], items: [item('m', 'moving')] });
    await submit(service, [submission('pinned', { items: [itemOf('m')], responses: [answer('m', 'moving', ['1'])] })]);
    await write(client, { questions: [choice('moving', ['2'], 7)] });
    expect(await reasonsOf('pinned')).toMatchObject([
      { score: 1, reasons: { rule: { parts: [{ verdict: 'right', given: '1', accepted: '1' }] } } },
    ]);
  });

  it('name the person and the job behind a score, the previous score, and every change', async () => {
    await submit(service, [submission('graded', { items: [itemOf('i')], responses: [answer('i', 'other', ['3'])] })]);
    const user = { id: 'grader', firstname: 'Grace', lastname: 'Hopper' };
    expectSuccess(await client.set('itembank/items', { items: [item('named', 'right')], meta: { user } }));
    const before = await stored('graded');
    const now = service.clock.now() + 5_000;
    const job = '01J0000000000000000000000A';
    const responses = before.responses.map((response, at) =>
      at === 1
        ? {
            ...response,
            score: 0.5,
            mark: { ...response.mark, by: 'person' as const, author: 'grader', job, before: 1, changedAt: now },
          }
        : response,
    );
    const change = {
      session: before.id,
      changedAt: now,
      cause: 'manual',
      author: 'grader',
      job,
      formBefore: before.formId,
      formAfter: before.formId,
      changes: [{ at: 1, before: 1, after: 0.5 }],
    } as const;
    await service
      .get(SessionStore)
      .save(
        1,
        [{ session: { ...before, responses, updatedAt: now }, isNew: false, tagsChanged: false }],
        [{ ...change, changes: [...change.changes] }],
      );
    const [right, other] = await reasonsOf('graded');
    expect(right!.reasons.changes).toEqual([]);
    const hash = before.responses[1]!.mark.definition;
    expect(other).toMatchObject({
      score: 0.5,
      reasons: {
        scored_by: 'person',
        author: 'grader',
        marked_by: { id: 'grader', firstname: 'Grace', lastname: 'Hopper', email: null },
        job_reference: job,
        score_before: 1,
        // As reviews do, it shows what the engine says of the entries.
        review_parts: [true],
        rule: null,
        no_rule: expect.stringMatching(/person/),
        changes: [
          {
            dt_changed: `${new Date(now).toISOString().slice(0, 19)}Z`,
            cause: 'manual',
            author: 'grader',
            changed_by: { id: 'grader', firstname: 'Grace', lastname: 'Hopper', email: null },
            job_reference: job,
            score_before: 1,
            score_after: 0.5,
            definition_hash_before: hash,
            definition_hash_after: hash,
          },
        ],
      },
    });
  });

  it('do not show the rules of another version of the engine as those of the score', async () => {
    await submit(service, [submission('old', { items: [itemOf('i')], responses: [answer('i', 'other', ['3'])] })]);
    const before = await stored('old');
    const responses = before.responses.map((response) => ({
      ...response,
      mark: { ...response.mark, engine: '0.9.0' },
    }));
    await service
      .get(SessionStore)
      .save(
        1,
        [{ session: { ...before, responses, updatedAt: before.updatedAt + 1 }, isNew: false, tagsChanged: false }],
        [],
      );
    const [, other] = await reasonsOf('old');
    expect(other).toMatchObject({
      score: 1,
      reasons: { engine: '0.9.0', rule: null, no_rule: expect.stringMatching(/version/) },
    });
  });

  it('are truncated where they are long', async () => {
    const value = new Array<string>(blanks).fill('y'.repeat(200));
    await submit(service, [submission('long', { items: [itemOf('l')], responses: [answer('l', 'long', value)] })]);
    const [long] = await reasonsOf('long');
    const { parts, parts_left_off } = long!.reasons.rule as { parts: unknown[]; parts_left_off: number };
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.length + parts_left_off).toBe(blanks);
    expect(JSON.stringify(parts).length).toBeLessThan(11_000);
  });

  it('are shown for ten sessions per page, even without their documents', async () => {
    const activityId = 'without documents';
    await store(
      service.get(SessionStore),
      1,
      storedSessions(12, service.clock.now(), () => ({ activityId })),
    );
    const request = { activity_id: [activityId], include: { reasons: true } };
    const first = await client.get('sessions/scores', request);
    expectSuccess(first);
    expect(first.meta.records).toBe(10);
    expect(first.data[0].responses[0].reasons).toMatchObject({ scored_by: 'engine', rule: null });
    expect((await client.get('sessions/scores', { ...request, next: first.meta.next })).meta.records).toBe(2);
    expectFailure(await client.get('sessions/scores', { include: { reasons: 'yes' } }), 400, 20003, /include\.reasons/);
  });
});
