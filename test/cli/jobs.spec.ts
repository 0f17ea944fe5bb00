import { Fault } from '#kernel';
import { type Job, type JobHandler, JobRunner, Jobs, type RunningJob } from '#jobs';
import { BullmqQueue } from '../../libs/jobs/src/infrastructure/bullmq-queue';
import { commandHere } from '../support/command-line';
import { anEngine, emptyQueue, engines, queueEngines } from '../support/engines';
import { itembank, json, type Settings } from '../support/processes';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

const UNKNOWN = '01JZX3M5V2Q4T6W8Y0A1B2C3D4';

interface ShownJob {
  reference: string;
  organisation: number;
  status: string;
  [member: string]: unknown;
}

describe.each(anEngine(__filename))('jobs from the command line on %s', (engine) => {
  let service: TestService;
  let settings: Settings;
  beforeAll(async () => {
    // The clock of the service is ahead, so it sees a job that a command cancels as ended long ago.
    service = await startService(engine, { JOB_RETENTION_DAYS: '36500' });
    // The clock must be ahead of that of the commands. Ids never go back in time, so each engine gets its own years.
    service.clock.advance(Date.UTC(2070 + engines.indexOf(engine), 0, 2, 3, 4, 5) - service.clock.now());
    ({ settings } = service);
    for (const handler of [echo, refuse, climb]) service.get(JobRunner).register(handler);
  });
  afterAll(async () => {
    steps = Infinity;
    await service?.close();
  });

  const echo: JobHandler = { type: 'echo', run: async ({ input }) => JSON.stringify(input) };
  const refuse: JobHandler = {
    type: 'refuse',
    run: async () => {
      throw new Fault('value', 'No:\u001b[31m\nnot so.');
    },
  };
  /** The number of steps that a job of the next handler may take. */
  let steps = 0;
  const climb: JobHandler = {
    type: 'climb',
    run: async (job: RunningJob<number>) => {
      while ((job.state ?? 0) < 3) {
        await until(async () => job.signal.aborted || (job.state ?? 0) < steps || undefined);
        await job.batch(async () => ({
          state: (job.state ?? 0) + 1,
          progress: { done: (job.state ?? 0) + 1, total: 3 },
        }));
      }
      return null;
    },
  };

  const start = (type: string, input: unknown = null, organisation = 1) => {
    return service.get(Jobs).start({ type, lane: 'short', input: JSON.stringify(input) }, service.scope(organisation));
  };
  const jobs = (...args: string[]) => commandHere(['jobs', ...args], { settings });
  const show = (reference: string) => json<ShownJob>(jobs('show', reference, '--json'));
  const waitForJob = (reference: string, matches: (job: Job) => boolean) =>
    until(async () => {
      const { entries } = await service.get(Jobs).find([1, 2], { references: [reference], limit: 1 });
      return matches(entries[0]!) || undefined;
    });
  const waitForStatus = (reference: string, status: string) => waitForJob(reference, (job) => job.status === status);
  const waitForSteps = (reference: string, steps: number) =>
    waitForJob(reference, ({ progress }) => progress.done === steps);
  const startAndWait = async (type: string, status: string, input: unknown = null, organisation = 1) => {
    const reference = await start(type, input, organisation);
    await waitForStatus(reference, status);
    return reference;
  };

  it('are listed, newest first', async () => {
    const completed = await startAndWait('echo', 'completed', { stored: 2 });
    const other = await startAndWait('echo', 'completed', 7, 2);
    const halted = await startAndWait('refuse', 'halted');
    expect(await json(jobs('list', '--json'))).toMatchObject([
      { reference: halted, organisation: 1, type: 'refuse', status: 'halted' },
      { reference: other, organisation: 2, results: 7 },
      { reference: completed, organisation: 1 },
    ]);
    const listed = async (...args: string[]) =>
      (await json<ShownJob[]>(jobs('list', '--json', ...args))).map(({ reference }) => reference);
    expect(await listed('--organisation', '1', '--status', 'completed', 'running')).toEqual([completed]);
    expect(await listed('--limit', '1')).toEqual([halted]);
    expect(await listed('--organisation', '2', '--status', 'halted')).toEqual([]);
    const { stdout } = await jobs('list');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^REFERENCE +ORGANISATION +TYPE +STATUS +PROGRESS +CREATED$/);
    expect(rows[0]).toMatch(new RegExp(`^${halted}  1 +refuse +halted +0 done +20\\d\\d-`));
  });

  it('are shown with all their properties', async () => {
    const time = new Date(service.clock.now()).toISOString();
    const completed = await startAndWait('echo', 'completed', { stored: 2 });
    const halted = await startAndWait('refuse', 'halted');
    expect(await show(completed)).toEqual({
      reference: completed,
      organisation: 1,
      type: 'echo',
      status: 'completed',
      created_at: time,
      completed_at: time,
      progress: { done: 0, total: null },
      failed_attempts: expect.any(Number),
      held_by: null,
      error: null,
      results: { stored: 2 },
    });
    const lines = (await jobs('show', halted)).stdout;
    expect(lines).toMatch(/^status +halted$/m);
    // Control characters in a job's message do not reach the terminal.
    expect(lines).toMatch(/^error +No:\\u001b\[31m\\u000anot so\.$/m);
    expect((await jobs('show', completed)).stdout).toMatch(/^results\n\{\n {2}"stored": 2\n\}\n$/m);
  });

  it('are shown with the worker that runs them, and the time of its claim', async () => {
    steps = 1;
    const reference = await start('climb');
    await waitForSteps(reference, 1);
    expect((await show(reference)).held_by).toEqual({
      worker: expect.stringMatching(/^[0-9a-f-]{36}$/),
      since: new Date(service.clock.now()).toISOString(),
    });
    expect((await jobs('show', reference)).stdout).toMatch(/^held by +worker [0-9a-f-]{36} since 20\d\d-/m);
    steps = 3;
    await itembank(['jobs', 'watch', reference], { settings });
  });

  it('are watched until they are completed', async () => {
    steps = 1;
    const reference = await start('climb');
    const watched = itembank(['jobs', 'watch', reference], { settings });
    await waitForSteps(reference, 1);
    steps = 3;
    const { code, stdout, stderr } = await watched;
    expect([code, stderr]).toEqual([0, '']);
    // Without a terminal, the command prints a line for each change.
    const lines = stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('completed, 3 of 3');
    for (const line of lines) expect(line).toMatch(/^(queued|running|completed), (0 done|[123] of 3)$/);
  });

  it('are watched until they are halted', async () => {
    const { code, stdout, stderr } = await jobs('watch', await start('refuse'));
    expect(stderr).toMatch(/^itembank: Job \w{26} is halted: No:\\u001b\[31m\\u000anot so\.\n$/);
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, 'halted, 0 done']);
  });

  it('are cancelled, and continue from their checkpoint when they are retried', async () => {
    steps = 1;
    const reference = await start('climb');
    await waitForSteps(reference, 1);
    const cancelled = await jobs('cancel', reference);
    expect([cancelled.code, cancelled.stderr]).toEqual([0, '']);
    expect(await show(reference)).toMatchObject({
      status: 'halted',
      progress: { done: 1, total: 3 },
      error: { message: expect.stringMatching(/cancelled/) },
    });
    expect((await jobs('cancel', reference)).stderr).toMatch(/^itembank: The job \w{26} is halted and cannot be canc/);
    // The next batch detects that the job was cancelled.
    steps = 3;
    const retried = await jobs('retry', reference);
    expect([retried.code, retried.stderr]).toEqual([0, '']);
    // The command cannot reach the queue inside the service's process, so the service finds the job by polling the
    // table.
    await waitForStatus(reference, 'completed');
    expect(await show(reference)).toMatchObject({ progress: { done: 3, total: 3 }, error: null });
    expect((await jobs('retry', reference)).stderr).toMatch(/^itembank: The job \w{26} is completed and cannot be ret/);
  });

  it.each([
    [['show', UNKNOWN], /There is no job 01JZX3M5V2Q4T6W8Y0A1B2C3D4\./],
    [['watch', `${UNKNOWN}\u001b`], /There is no job 01JZX3M5V2Q4T6W8Y0A1B2C3D4\\u001b\./],
    [['cancel', "' OR 1=1 --"], /There is no job ' OR 1=1 --\./],
    [['retry', ''], /There is no job \./],
    [['list', '--status', 'lost'], /Allowed choices are queued, running, completed, halted/],
    [['list', '--limit', '0'], /whole number from 1 to 1000/],
    [['list', '--organisation', '99'], /There is no organisation 99\. "itembank organisation list" lists them/],
    [['list', '--organisation', 'one'], /whole number from 1 to 2147483647/],
  ])('are not changed or shown for invalid arguments: %j', async (args, message) => {
    const { code, stdout, stderr } = await jobs(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  for (const queueEngine of queueEngines.filter((each) => each !== 'in process'))
    describe(`with a queue on ${queueEngine}`, () => {
      it('are enqueued when they are retried', async () => {
        const reference = await startAndWait('refuse', 'halted');
        const QUEUE_URL = emptyQueue(queueEngine).url!;
        const queue = new BullmqQueue(QUEUE_URL, () => undefined);
        try {
          const enqueued = new Promise((resolve) => queue.consume('short', 1, async (job) => resolve(job)));
          const place = { settings: { ...settings, QUEUE_URL } };
          expect((await commandHere(['jobs', 'retry', reference], place)).code).toBe(0);
          expect(await enqueued).toEqual({ organisation: 1, id: reference });
        } finally {
          await queue.close();
        }
      });
    });

  it('are retried and listed while the queue is unreachable', async () => {
    const reference = await startAndWait('refuse', 'halted');
    const place = { settings: { ...settings, QUEUE_URL: 'redis://127.0.0.1:1' } };
    const { code, stderr } = await commandHere(['jobs', 'retry', reference], place);
    expect([code, stderr]).toEqual([0, '']);
    expect((await commandHere(['jobs', 'list'], place)).stdout).toContain(reference);
  });
});
