import { createHash } from 'node:crypto';
import { AttemptRecords } from '#delivery';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { errorOf, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';

const PASSWORD = 'the supervisor knows it';
const pwd = createHash('sha256').update(PASSWORD).digest('hex');

describe('a supervisor at the page of a learner', () => {
  const service = serviceOfSuite(() => startServiceLater('sqlite'));
  beforeAll(async () => {
    await write(service.client, {
      questions: ['1', '2'].map((name) => question({ reference: `q-${name}` })),
      items: ['1', '2'].map((name) => item([`q-${name}`], { reference: `i-${name}` })),
    });
  });

  const hard = (max_time: number) => ({ max_time, limit_type: 'hard' });
  const start = (config: object = {}, more: object = {}) =>
    TestPage.start(service, { items: ['i-1', 'i-2'], config: { administration: { pwd }, ...config }, ...more });
  const act = (page: TestPage, step: object = {}, password = PASSWORD) =>
    page.call('sessions/current/supervisions', { password, ...step });
  const idsOf = (page: TestPage): string[] => page.questions.map(({ response_id: id }) => id);

  it('may extend, save and submit, unless the request says otherwise', async () => {
    expect((await act(await start())).body.actions).toEqual(['extend', 'save', 'submit']);
    const options = { show_extend: false, show_save: 'false', show_submit: true, show_exit: true };
    const page = await start({ administration: { pwd: pwd.toUpperCase(), options } });
    expect((await act(page)).body.actions).toEqual(['submit', 'discard']);
    expect(errorOf(await act(page, { action: 'extend', seconds: 60 }))).toMatchObject({ status: 403, code: 40003 });
  });

  it('needs the password, which no answer contains', async () => {
    const page = await start({ time: hard(60) });
    expect(page.started.supervised).toBe(true);
    expect(page.text).not.toContain(pwd);
    const wrong = await act(page, { action: 'extend', seconds: 60 }, pwd);
    expect(errorOf(wrong)).toMatchObject({ status: 403, pointer: '/password' });
    expect((await act(page)).body.time.max_time).toBe(60);
  });

  it('may try five passwords within five seconds', async () => {
    const page = await start();
    const answers = [];
    for (let tries = 0; tries < 6; tries++) answers.push((await act(page, {}, 'guessed')).status);
    expect(answers).toEqual([403, 403, 403, 403, 403, 429]);
  });

  it.each([
    ['without a password', {}],
    ['with a password that is not a hash', { administration: { pwd: 'secret' } }],
  ])('does not exist %s', async (_, config) => {
    const page = await TestPage.start(service, { items: ['i-1'], config });
    expect(page.started.supervised).toBeUndefined();
    expect((await act(page, {}, 'secret')).status).toBe(403);
  });

  it.each([
    ['no password', { password: undefined }],
    ['an unknown action', { action: 'delete' }],
    ['no time', { action: 'extend' }],
    ['less than a second', { action: 'extend', seconds: 0 }],
    ['more than a day', { action: 'extend', seconds: 86_401 }],
  ])('gets an error for %s', async (_, step) => {
    const page = await start({ time: hard(60) });
    expect((await act(page, step)).status).toBe(400);
    expect((await page.save({})).body.time.max_time).toBe(60);
  });

  it('gives more time, also after a reload with the same request', async () => {
    const config = { time: hard(60) };
    const page = await start(config);
    await page.save({});
    expect((await act(page, { action: 'extend', seconds: 120 })).body.time).toMatchObject({ max_time: 180 });
    service.clock.advance(100_000);
    expect((await page.save({ [idsOf(page)[0]!]: ['1'] })).status).toBe(200);
    const again = await start(config, { session_id: page.sessionId });
    expect(again.started.time).toMatchObject({ max_time: 180, remaining_seconds: 80 });
    service.clock.advance(100_000);
    expect((await again.save({})).status).toBe(409);
  });

  it('gives more time in the section of the current item', async () => {
    const sections = ['i-1', 'i-2'].map((name) => ({ items: [name], config: { time: hard(60) } }));
    const page = await start({}, { items: undefined, sections });
    const [first] = page.started.items;
    await page.save({}, { current_item: first.id });
    const { time } = (await act(page, { action: 'extend', seconds: 30 })).body;
    expect(time).toMatchObject({ max_time: 150, sections: [90, null], extensions: [30, 0] });
    service.clock.advance(85_000);
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    expect((await page.stored()).responses[0].response.value).toEqual(['1']);
    const again = await start({}, { items: undefined, sections, session_id: page.sessionId });
    expect(again.started.time).toMatchObject({ sections: [5, null], extensions: [30, 0] });
    // The export of the learner's data says when a section began, and how much time it has.
    const exported = [];
    for await (const line of service.get(AttemptRecords).lines(1, page.started.session.user_id)) exported.push(line);
    const limit = { max_time: 60, extension_seconds: 30, entered_after_ms: 0 };
    const [one, two] = page.started.items.map(({ id }: { id: string }) => id);
    expect(exported.find(({ session_id }) => session_id === page.sessionId)).toMatchObject({
      sections: [
        { items: [one], ...limit },
        { items: [two], ...limit, extension_seconds: 0, entered_after_ms: null },
      ],
    });
  });

  it('cannot extend a test without a limit, nor one that has ended', async () => {
    const page = await start();
    expect((await act(page, { action: 'extend', seconds: 60 })).status).toBe(400);
    const ended = await start({ time: hard(60) });
    await ended.submit();
    expect(await act(ended, { action: 'extend', seconds: 60 })).toMatchObject({ status: 409, body: { is_over: true } });
  });

  it('discards a session, which then takes no answers and cannot be continued', async () => {
    const administration = { pwd, options: { show_exit: true } };
    const page = await start({ administration });
    await page.save({ [idsOf(page)[0]!]: ['1'] });
    expect((await act(page, { action: 'discard' })).status).toBe(200);
    expect(await page.stored()).toMatchObject({ status: 'Discarded', dt_completed: null });
    for (const late of [await page.save({}), await page.submit({}), await act(page, { action: 'discard' })])
      expect(late).toMatchObject({ status: 409, body: { is_over: true } });
    await expect(start({}, { session_id: page.sessionId })).rejects.toThrow('Discarded');
    expect((await page.stored()).status).toBe('Discarded');
  });
});
