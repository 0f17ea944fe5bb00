import { OutageLog } from './outage-log';

describe('the log of an outage', () => {
  const lines: [level: string, line: string, error?: string][] = [];
  const log = {
    warn: ({ err }: { err: Error }, line: string) => lines.push(['warn', line, err.message]),
    info: (_: object, line: string) => lines.push(['info', line]),
  };

  it('has a line for its beginning, for each change of the error, and for its end', () => {
    const outage = new OutageLog(log as unknown as ConstructorParameters<typeof OutageLog>[0], 'the sweep failed');
    outage.worked();
    for (const message of ['lost', 'lost', 'refused', 'refused', 'lost']) outage.failed(new Error(message));
    outage.worked();
    outage.worked();
    outage.failed(new Error('lost'));
    expect(lines).toEqual([
      ['warn', 'the sweep failed', 'lost'],
      ['warn', 'the sweep failed', 'refused'],
      ['warn', 'the sweep failed', 'lost'],
      ['info', 'the sweep failed; now it works again'],
      ['warn', 'the sweep failed', 'lost'],
    ]);
  });
});
