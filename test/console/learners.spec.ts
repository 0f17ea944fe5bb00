import { ROLES } from '#people';
import { type Browser, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { IDS, wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { parseLines } from '../support/ndjson';

const LEARNER = 'learner "é" \\ <b>';
const QUARTER_HOUR = 15 * 60_000;
const CALLS = ['look', 'export', 'erase'];

describe.each(anEngine(__filename))('operators and the data of learners on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let operator: Browser;
  let operatorId: string;
  beforeAll(() => writeSessionBank(service.client));
  beforeEach(async () => {
    const { person, browser } = await signedIn(service, ['operator']);
    [operator, operatorId] = [browser, person.id];
  });

  const send = (call: string, body: unknown = { organisation: 1, user_id: LEARNER }, by = operator) =>
    by.send('POST', `/console/learners/${call}`, body);
  const stored = async (userId: string) => {
    const { data } = await service.client.get('sessions/responses', { user_id: [userId] });
    return (data as { session_id: string }[]).map(({ session_id: id }) => id).sort();
  };
  const store = () =>
    submit(service, [
      wholeSession('done', { userId: LEARNER }),
      wholeSession('open', { userId: LEARNER, status: 'Incomplete', completedAt: null }),
      wholeSession('of-another', { userId: 'another' }),
    ]);

  it('count, export and erase the data; afterwards only the time of the erasure is found', async () => {
    await store();
    const { status, body: found } = await send('look');
    expect([status, found]).toEqual([
      200,
      expect.objectContaining({ found: true, sessions: { anonymised: 1, removed: 1 }, erased_at: [] }),
    ]);
    expect(await stored(LEARNER)).toEqual(['done', 'open']);

    const { status: exported, headers, text } = await send('export');
    expect([exported, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      'no-store',
    ]);
    const lines = parseLines<{ record: string; session_id?: string }>(text);
    const sessions = lines.filter(({ record }) => record === 'session');
    expect(sessions.map(({ session_id: id }) => id).sort()).toEqual(['done', 'open']);
    expect(JSON.stringify(sessions)).toContain(IDS.essay);
    expect(text).not.toContain('of-another');

    const before = service.clock.now();
    const { status: erased, body: report } = await send('erase');
    const { erased_at: _, ...promised } = found;
    expect([erased, report]).toEqual([200, promised]);
    expect([await stored(LEARNER), await stored('another')]).toEqual([[], ['of-another']]);
    const { body: after } = await send('look');
    expect(after).toMatchObject({ found: false, sessions: { anonymised: 0, removed: 0 } });
    expect(after.erased_at.map((time: string) => Date.parse(time) >= before)).toEqual([true]);
    expect((await send('export')).text).toBe('');
  });

  it('leave an audit entry with their name, and with the learner only as a hash', async () => {
    await store();
    const { body } = await send('erase');
    const rows = await service.database.rows<{ subject_key: string; author_id: string; detail: string }>(
      `SELECT subject_key, author_id, detail FROM audit WHERE subject = 'learner' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ subject_key: body.learner_sha256, author_id: operatorId, detail: expect.any(String) }]);
    expect(rows[0]!.detail).not.toContain('learner \\"');
  });

  it('need a fresh confirmation to erase data, and none to see them', async () => {
    await store();
    service.clock.advance(QUARTER_HOUR + 1);
    expect((await send('look')).status).toBe(200);
    expect((await send('export')).status).toBe(200);
    const { status, body } = await send('erase');
    expect([status, body.meta.message]).toEqual([expect.any(Number), expect.stringContaining('Confirm')]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await stored(LEARNER)).toEqual(['done', 'open']);
  });

  it.each(ROLES.filter((role) => role !== 'operator'))('a %s has no access', async (role) => {
    await store();
    const { browser } = await signedIn(service, [role]);
    for (const call of CALLS) expect((await send(call, undefined, browser)).status).toBe(403);
    expect(await stored(LEARNER)).toEqual(['done', 'open']);
  });

  it('are refused data of other organisations, and calls from pages without a known origin', async () => {
    await store();
    const { browser } = await signedIn(service, { 2: ['operator'], 1: ['analyst'] });
    for (const call of CALLS) {
      const { status, body } = await send(call, undefined, browser);
      expect([status, body.meta.errors[0].pointer]).toEqual([403, '/organisation']);
      operator.csrf = undefined;
      expect((await send(call)).status).toBe(403);
      await operator.readSession();
    }
    expect(await stored(LEARNER)).toEqual(['done', 'open']);
  });

  it.each<[string, unknown, string]>([
    ['no learner', { organisation: 1 }, '/user_id'],
    ['an empty id', { organisation: 1, user_id: '' }, '/user_id'],
    ['a list of ids', { organisation: 1, user_id: [LEARNER] }, '/user_id'],
    ['half a character', { organisation: 1, user_id: '\ud800' }, '/user_id'],
    ['a long id', { organisation: 1, user_id: 'x'.repeat(1_001) }, '/user_id'],
    ['no organisation', { user_id: LEARNER }, '/organisation'],
    ['an organisation that is text', { organisation: '1', user_id: LEARNER }, '/organisation'],
    ['an organisation with a number that is too large', { organisation: 1e300, user_id: LEARNER }, '/organisation'],
  ])('refuses %s and says where', async (_, body, pointer) => {
    for (const call of CALLS) {
      const { status, body: answer } = await send(call, body);
      expect([400, 403]).toContain(status);
      expect(answer.meta.errors[0].pointer).toBe(pointer);
    }
  });
});
