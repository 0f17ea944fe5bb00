import { type ImportedEntry, Unreadable } from '#interchange';
import { JsonImportReport } from './import-report';

const entry = (reference: string): ImportedEntry => ({
  source: `a.ndjson:${reference}`,
  reference,
  result: 'created',
  notes: [],
});

/** What `work` writes to standard output. */
function outputOf(work: () => void): string {
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    work();
  } finally {
    write.mockRestore();
  }
  return written.join('');
}

describe('a report as JSON', () => {
  it('is one object when the import fails after some entries', () => {
    const output = outputOf(() => {
      const report = new JsonImportReport();
      report.begin({ import: 'import-1', format: 'ndjson' });
      report.add(entry('first'));
      report.add(entry('second'));
      report.fail(new Error('The database is away.'));
    });
    expect(JSON.parse(output)).toMatchObject({
      import: 'import-1',
      entries: [{ reference: 'first' }, { reference: 'second' }],
      created: 2,
      error: { code: 'failed', message: 'The database is away.' },
    });
  });

  it('names the code and the place when the source cannot be read', () => {
    const output = outputOf(() => {
      const report = new JsonImportReport();
      report.begin({ import: null, format: 'csv' });
      const cause = new Unreadable('csv-invalid', 'A quote is open.', 'a.csv:7');
      report.fail(new Error(cause.message, { cause }));
    });
    expect(JSON.parse(output)).toMatchObject({
      entries: [],
      error: { code: 'csv-invalid', message: 'A quote is open.', at: 'a.csv:7' },
    });
  });
});
