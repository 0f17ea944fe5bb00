import { JobRunner, Jobs, type RunningJob, RunnerIntervals } from '#jobs';
import { anEngine, engines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { until } from '../support/until';

const UNKNOWN = '01JZX3M5V2Q4T6W8Y0A1B2C3D4';

describe.each(anEngine(__filename))('an update of jobs on %s', (engine) => {
  // A runner notices at its next heartbeat that a job was cancelled.
  const intervals = { ...new RunnerIntervals(), heartbeatMs: 20 };
  const service = serviceOfSuite(() => startService(engine, { JOB_CONCURRENCY: '1' }, intervals));
  const { client } = service;

  beforeAll(async () => {
    service.clock.advance(Date.UTC(2070 + engines.indexOf(engine), 0, 2) - service.clock.now());
    // Runs until it is cancelled.
    service.get(JobRunner).register({
      type: 'endless',
      run: ({ signal }: RunningJob) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over')))),
    });
    service.get(JobRunner).register({
      type: 'short',
      run: async () => null,
    });
  });

  const start = (type: string, organisation = 1) =>
    service.get(Jobs).start({ type, lane: 'short', input: 'null' }, service.scope(organisation));
  const job = async (reference: string) =>
    (await client.get('jobs', { references: [reference] })).data[0] as { status: string; error?: { message: string } };
  const inStatus = (reference: string, status: string) =>
    until(async () => ((await job(reference)).status === status ? true : undefined));
  const update = (references: unknown, action: unknown, as = client) => as.update('jobs', { references, action });

  it('cancels a job that runs and one that waits behind it', async () => {
    const running = await start('endless');
    await inStatus(running, 'running');
    const waiting = await start('endless');
    expectSuccess(await update([waiting, running], 'cancel'));
    for (const reference of [running, waiting])
      expect(await job(reference)).toMatchObject({
        status: 'halted',
        error: { message: 'An operator cancelled the job.' },
      });
  });

  it('retries a halted job', async () => {
    const held = await start('endless');
    await inStatus(held, 'running');
    const reference = await start('short');
    expectSuccess(await update([reference, held], 'cancel'));
    expectSuccess(await update([reference], 'retry'));
    // If the queue is just dropping its message, the job is found in the table later.
    expect(await client.ended(reference, service.clock)).toMatchObject({ status: 'completed' });
  });

  it('changes no job when it is refused for one, and names the place of each refusal', async () => {
    const running = await start('endless');
    await inStatus(running, 'running');
    const answer = await update([running, UNKNOWN, 'no reference'], 'cancel');
    expectFailure(answer, 400, 30001);
    expect(await job(running)).toMatchObject({ status: 'running' });
    const mixed = await update([UNKNOWN, running], 'cancel');
    expect(mixed.meta.errors).toMatchObject([{ pointer: '/references/0', code: 30001 }]);
    expect(await job(running)).toMatchObject({ status: 'running' });
    const retried = await update([running], 'retry');
    expect(retried.meta.errors).toMatchObject([
      { pointer: '/references/0', message: `The job ${running} is running and cannot be retried.` },
    ]);
    expectSuccess(await update([running], 'cancel'));
  });

  it('refuses a job that is named twice, and a wrong action', async () => {
    const running = await start('endless');
    await inStatus(running, 'running');
    expect((await update([running, running], 'cancel')).meta.errors).toMatchObject([{ pointer: '/references/1' }]);
    expect((await update([running], 'stop')).meta.errors).toMatchObject([{ pointer: '/action' }]);
    expectSuccess(await update([running], 'cancel'));
  });

  it('reaches no job of another organisation', async () => {
    const foreign = await start('short', 2);
    expect((await update([foreign], 'retry')).meta).toMatchObject({ status: false, code: 30001 });
  });

  it('requires write access', async () => {
    const reader = await service.consumerOf([1, 'read']);
    expect((await update([], 'cancel', reader)).meta).toMatchObject({ status: false, code: 40003 });
    expectSuccess(await update([], 'cancel'));
  });
});
