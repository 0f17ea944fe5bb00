import { type Job } from '#jobs';
import { type Output, ProgressDisplay } from './progress';

const job = (done: number, total: number | null, status: Job['status'] = 'running'): Job => ({
  organisation: 1,
  id: '01JZX3M5V2Q4T6W8Y0A1B2C3D4',
  type: 'count',
  subject: null,
  status,
  createdAt: 0,
  completedAt: null,
  holder: null,
  progress: { done, total },
  results: null,
  error: null,
  attempts: 0,
});

/** Displays the jobs one after the other and returns the output. */
function shown(jobs: readonly Job[], output: Omit<Output, 'write'>): string {
  let text = '';
  const display = new ProgressDisplay({ ...output, write: (more: string) => (text += more) });
  for (const each of jobs) display.show(each);
  display.end();
  return text;
}

/** The lines as a terminal shows them. */
const drawn = (text: string): string[] => text.replace(/\n$/, '').split('\r\x1b[2K').slice(1);

describe('the progress of a job on a terminal', () => {
  it('redraws one bar in its line, and ends that line when the job ends', () => {
    const text = shown([job(0, null, 'queued'), job(1, 8), job(1, 8), job(8, 8, 'completed')], {
      isTTY: true,
      columns: 80,
    });
    expect(drawn(text)).toEqual([
      `[${'-'.repeat(40)}]   ? %  0 done  queued`,
      `[${'#'.repeat(5)}${'-'.repeat(35)}]  12 %  1 of 8  running`,
      `[${'#'.repeat(40)}] 100 %  8 of 8  completed`,
    ]);
    expect(text).toMatch(/completed\n$/);
  });

  it('fits into any terminal width', () => {
    for (let columns = 1; columns <= 200; columns++)
      for (const each of [job(0, 0), job(7, null), job(12_345, 100_000), job(9, 8)])
        for (const line of drawn(shown([each], { isTTY: true, columns }))) expect(line.length).toBeLessThan(columns);
    expect(drawn(shown([job(1, 2)], { isTTY: true, columns: 40 }))).toEqual([
      `[${'#'.repeat(7)}${'-'.repeat(7)}]  50 %  1 of 2  running`,
    ]);
  });

  it('shows a full bar when there was nothing to do, or when more was done than expected', () => {
    for (const each of [job(0, 0), job(9, 8)]) {
      const [line] = drawn(shown([each], { isTTY: true, columns: 80 }));
      expect(line).toMatch(/^\[#{40}\] 100 %/);
    }
  });
});

describe('the progress of a job elsewhere', () => {
  it('is one line for each change', () => {
    const text = shown([job(0, null, 'queued'), job(1, 8), job(1, 8), job(8, 8, 'completed')], {});
    expect(text).toBe('queued, 0 done\nrunning, 1 of 8\ncompleted, 8 of 8\n');
  });
});
