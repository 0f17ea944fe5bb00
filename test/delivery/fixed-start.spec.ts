import { Sweeps } from '#delivery';
import { anEngine } from '../support/engines';
import { errorOf, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { writeSessionBank } from '../support/session-bank';
import { HOUR, MINUTE } from '../support/time';

describe.each(anEngine(__filename))('a test with a start time on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(() => writeSessionBank(service.client));
  beforeEach(() => service.clock.advance(10_000));

  /** The first full minute after some time from now. */
  const minuteIn = (ms: number): number => Math.ceil((service.clock.now() + ms) / MINUTE) * MINUTE;
  const valueOf = (at: number): string =>
    new Date(at)
      .toISOString()
      .replace(/\D/g, '')
      .replace(/^(\d{8})(\d{4}).*/, '$1-$2');
  const timed = (at: number, more: object = {}) => ({
    time: { start_time: { type: 'hard', value: valueOf(at) }, max_time: 3600, limit_type: 'hard', ...more },
  });
  const ask = (config: object, more: object = {}) => TestPage.ask(service, { items: ['i-1', 'i-2'], config, ...more });
  const start = (config: object, more: object = {}) =>
    TestPage.start(service, { items: ['i-1', 'i-2'], config, ...more });
  const moveTo = (at: number) => service.clock.advance(at - service.clock.now());

  it.each([{}, { type: 'local_practice' }, { state: 'resume' }, { items: undefined, sections: [{ items: ['i-1'] }] }])(
    'refuses to start before its time, and sends none of its items: %j',
    async (more) => {
      const at = minuteIn(HOUR);
      const session_id = TestPage.request().session_id;
      const early = await ask(timed(at), { session_id, ...more });
      expect(errorOf(early)).toMatchObject({ status: 409, code: 20011, pointer: '/config/time/start_time' });
      expect(early.body).toMatchObject({
        starts_at: new Date(at).toISOString(),
        starts_in_seconds: Math.ceil((at - service.clock.now()) / 1000),
      });
      expect(Object.keys(early.body as object).sort()).toEqual(['errors', 'starts_at', 'starts_in_seconds']);
      moveTo(at - 1);
      expect((await ask(timed(at), { session_id, ...more })).status).toBe(409);
      moveTo(at);
      expect((await ask(timed(at), { session_id, ...more })).status).toBe(200);
    },
  );

  it('counts its limit from its time, also for a learner who comes late, and takes no answers after it', async () => {
    const at = minuteIn(0);
    moveTo(at + 40 * MINUTE);
    const page = await start(timed(at));
    expect(page.started.time).toMatchObject({ max_time: 3600, remaining_seconds: 20 * 60 });
    expect(page.started.session.started_at).toBe(new Date(at).toISOString());
    const [first] = page.questions;
    expect((await page.save({ [first.response_id]: ['1'] })).body.time.remaining_seconds).toBe(20 * 60);
    const again = await start(timed(at), { session_id: page.sessionId });
    expect(again.started.time.remaining_seconds).toBe(20 * 60);
    moveTo(at + HOUR + 11_000);
    await service.get(Sweeps).sweep();
    expect(await page.stored()).toMatchObject({
      status: 'Completed',
      dt_started: new Date(at).toISOString().replace('.000', ''),
    });
    expect((await page.save({ [first.response_id]: ['2'] })).status).toBe(409);
  });

  it.each(['submit_practice', 'local_practice'])(
    'gives a learner who waited for it the whole time, although pages do not ask all at once: %s',
    async (type) => {
      const at = minuteIn(0);
      moveTo(at + 7_000);
      const page = await start(timed(at), { type });
      expect(page.started.time.remaining_seconds).toBe(3600);
      moveTo(at + MINUTE);
      expect((await start(timed(at), { type })).started.time.remaining_seconds).toBe(3540);
      const again = await start(timed(at), { type, session_id: page.sessionId });
      expect(again.started.time.remaining_seconds).toBe(type === 'local_practice' ? 3540 : 3547);
    },
  );

  it.each(['submit_practice', 'local_practice'])(
    'refuses a learner who comes only after its hard limit, and sends none of its items: %s',
    async (type) => {
      const at = minuteIn(0);
      moveTo(at + HOUR + 11_000);
      const late = await ask(timed(at), { type });
      expect(errorOf(late)).toMatchObject({ status: 409, code: 20011, pointer: '/config/time/start_time' });
      expect(late.body).toEqual({ errors: expect.any(Array) as unknown, is_over: true });
      expect((await ask(timed(at, { limit_type: 'soft' }), { type })).body.time.remaining_seconds).toBe(0);
      expect((await ask(timed(at, { max_time: 0 }), { type })).body.time.remaining_seconds).toBeNull();
    },
  );

  it('counts from the first opening with the type soft, and never stops its clock', async () => {
    const config = { time: { start_time: { type: 'soft' }, max_time: 3600, limit_type: 'hard' } };
    const page = await start(config);
    for (const each of [page, await start(timed(minuteIn(-MINUTE)))])
      expect(errorOf(await each.call('sessions/current/pauses', { paused: true }))).toMatchObject({ status: 403 });
    service.clock.advance(10 * MINUTE);
    const again = await start(config, { session_id: page.sessionId });
    expect(again.started.time).toMatchObject({ paused: false, remaining_seconds: 50 * 60 });
  });

  it('also follows the activity, and takes a pause away that began before the test had a start time', async () => {
    const page = await start({ time: { max_time: 3600, limit_type: 'hard' } });
    await page.call('sessions/current/pauses', { paused: true });
    service.clock.advance(10 * MINUTE);
    const at = minuteIn(-5 * MINUTE);
    const reference = 'with a start time';
    await service.client.set('itembank/activities', {
      activities: [{ reference, data: { items: ['i-1', 'i-2'], config: timed(at) } }],
    });
    const again = await start({}, { session_id: page.sessionId, items: undefined, activity_template_id: reference });
    const left = Math.ceil((at + HOUR - service.clock.now()) / 1000);
    expect(again.started.time).toMatchObject({ paused: false, remaining_seconds: left });
  });

  it('can be previewed before its time', async () => {
    const page = await start(timed(minuteIn(HOUR)), { state: 'preview' });
    expect(page.started.time.remaining_seconds).toBe(3600);
  });
});
