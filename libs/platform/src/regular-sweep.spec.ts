import { type Logger } from './logging';
import { RegularSweep } from './regular-sweep';

const INTERVAL_MS = 1;

/** Counts its sweeps. Each one lasts until `end` is called. */
class SlowSweep extends RegularSweep {
  started = 0;
  end: () => void = () => undefined;

  constructor() {
    super(INTERVAL_MS, {} as Logger, 'failed');
  }

  protected override work(): Promise<void> {
    this.started++;
    return new Promise((resolve) => (this.end = resolve));
  }
}

/** Waits for three times of a timer. Earlier timers with the same interval have then fired as often. */
const intervals = (): Promise<void> =>
  new Promise((resolve) => {
    let fired = 0;
    const timer = setInterval(() => {
      if (++fired < 3) return;
      clearInterval(timer);
      resolve();
    }, INTERVAL_MS);
  });

describe('a regular sweep', () => {
  it('does not start while the previous one still runs', async () => {
    const sweep = new SlowSweep();
    sweep.onApplicationBootstrap();
    await intervals();
    expect(sweep.started).toBe(1);
    sweep.end();
    await intervals();
    expect(sweep.started).toBe(2);
    sweep.end();
    await sweep.onApplicationShutdown();
  });

  it('ends before the application has shut down', async () => {
    const sweep = new SlowSweep();
    sweep.onApplicationBootstrap();
    await intervals();
    let isDown = false;
    const down = sweep.onApplicationShutdown().then(() => (isDown = true));
    await intervals();
    expect([sweep.started, isDown]).toEqual([1, false]);
    sweep.end();
    await down;
  });
});
