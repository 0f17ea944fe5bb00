import { type Answer, type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { changeKey, ITEMS, wholeSession, writeSessionBank } from '../support/session-bank';
import { answer, submission, submit } from '../support/submissions';
import { SECOND } from '../support/time';

describe.each(anEngine(__filename))('the questions of sessions on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  beforeAll(async () => {
    await writeSessionBank(client);
    const first = (sessionId: string, activityId: string) =>
      submission(sessionId, {
        activityId,
        items: ITEMS.slice(0, 1),
        responses: [answer('i-1', 'choice', ['1']), answer('i-1', 'other', ['2'])],
      });
    await submit(service, [wholeSession('both'), first('first', 'activity'), first('elsewhere', 'other')]);
    await submit(service, [
      submission('foreign', {
        items: [{ ...ITEMS[1]!, organisation: 1 }],
        responses: [answer('i-2', 'essay', 'Words')],
      }),
    ]);
    service.clock.advance(10 * SECOND);
  });

  const read = async (path: string, request: object): Promise<Answer> => {
    const answered = await client.get(path, request);
    expectSuccess(answered);
    return answered;
  };
  const idsOf = ({ data }: Answer): string[] => data.map((each: { session_id: string }) => each.session_id);

  it.each(['sessions/responses', 'sessions/statuses', 'sessions/scores', 'sessions/metadata'])(
    '%s finds the sessions that show an item, alone and with other filters',
    async (path) => {
      const found = async (filter: object) => idsOf(await read(path, { sort: 'asc', ...filter })).sort();
      expect(await found({ items: ['i-1'] })).toEqual(['both', 'elsewhere', 'first']);
      expect(await found({ items: ['i-2'] })).toEqual(['both', 'foreign']);
      expect(await found({ items: ['i-1', 'i-2'], activity_id: ['activity'] })).toEqual(['both', 'first', 'foreign']);
      expect(await found({ items: ['i-1'], activity_id: ['other'], status: ['Completed'] })).toEqual(['elsewhere']);
      expect(await found({ items: ['I-1'] })).toEqual([]);
    },
  );

  it('pages through the sessions that show an item', async () => {
    const first = await read('sessions/statuses', { items: ['i-1'], limit: 2 });
    const { next } = first.meta;
    const second = await read('sessions/statuses', { items: ['i-1'], limit: 2, next });
    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(['both', 'elsewhere', 'first']);
    const other = await client.get('sessions/statuses', { items: ['i-2'], limit: 2, next });
    expectFailure(other, 400, 20004, /next/);
  });

  it('refuses items that are not a list of texts, naming the place', async () => {
    const answered = await client.get('sessions/statuses', { items: ['i-1', 7] });
    expect(answered.status).toBe(400);
    expect(answered.meta.errors).toMatchObject([{ pointer: '/items/1' }]);
  });

  it('shows the questions by which sessions were scored, whatever the bank holds now', async () => {
    const request = { session_id: ['both', 'first'], sort: 'asc', include: { questions: true } };
    const before = (await read('sessions/responses', request)).data;
    await changeKey(client, '3');
    const after = (await read('sessions/responses', request)).data;
    expect(after).toEqual(before);
    const both = after.find(({ session_id }: { session_id: string }) => session_id === 'both');
    expect(both.questions).toMatchObject([
      {
        reference: 'choice',
        item_reference: 'i-1',
        definition_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        data: { type: 'mcq', stimulus: 'choice', validation: { valid_response: { score: 2, value: ['1'] } } },
      },
      { reference: 'other', item_reference: 'i-1', data: { type: 'mcq' } },
      { reference: 'essay', item_reference: 'i-2', data: { type: 'longtextV2', validation: { max_score: 4 } } },
    ]);
    const reasons = await read('sessions/scores', { session_id: ['both'], include: { reasons: true } });
    expect(both.questions.map((each: { definition_hash: string }) => each.definition_hash)).toEqual(
      reasons.data[0].responses.map((each: { reasons: { definition_hash: string } }) => each.reasons.definition_hash),
    );
  });

  it('leaves questions out unless the request includes them', async () => {
    const { data } = await read('sessions/responses', { session_id: ['both'] });
    expect(data[0]).not.toHaveProperty('questions');
  });

  it('hides the questions of an item bank that the caller may not read', async () => {
    const { data } = await read('sessions/templates', { items: ['i-1'] });
    expect(data.questions).toHaveLength(2);
    const partner = await service.consumerOf([2, 'write'], [1, 'read']);
    const items = [{ ...ITEMS[0]! }];
    await submit(service, [submission('lent', { items, responses: [answer('i-1', 'choice', ['1'])] })], {
      organisation: 2,
    });
    const stranger = await service.consumerOf([2, 'read']);
    const request = { organisation_id: 2, session_id: ['lent'], include: { questions: true } };
    const shown = async (who: Client) => (await who.get('sessions/responses', request)).data[0].questions;
    expect((await shown(partner)).map((each: { data: unknown }) => each.data !== null)).toEqual([true, true]);
    expect(await shown(stranger)).toMatchObject([
      { reference: 'choice', data: null },
      { reference: 'other', data: null },
    ]);
    const [lent] = (await partner.get('sessions/statuses', { organisation_id: 2, items: ['i-1'] })).data;
    expect(lent).toBeUndefined();
  });
});
