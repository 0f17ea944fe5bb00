import { SearchFilling } from '#content';
import { Fault } from '#kernel';
import { type Logger } from '#platform';
import { until } from '../support/until';

describe('work that a process repeats', () => {
  it('logs an outage of the database once, and its end', async () => {
    const lines: string[] = [];
    const log = {
      warn: (_: object, line: string) => lines.push(line),
      info: (_: object, line: string) => lines.push(line),
    };
    let calls = 0;
    const fill = async () => {
      if (++calls <= 3) throw new Fault('unavailable', 'The database cannot be reached at the moment.');
      return 0;
    };
    const index = { fill } as unknown as ConstructorParameters<typeof SearchFilling>[0];
    const filling = new SearchFilling(index, log as unknown as Logger);
    filling.start();
    await until(async () => calls > 4);
    await filling.stop();
    const failure = 'records that wait for the search index could not be indexed';
    expect(lines).toEqual([failure, `${failure}; now it works again`]);
  });
});
