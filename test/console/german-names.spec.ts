import { Verifications } from '#platform';
import { FAULTS } from '../../apps/api/src/http/faults';
import { summaryOf } from '../../apps/console/src/ui/fault-summaries';
import { nameIn } from '../../apps/console/src/routes/verification/names';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';

describe.each(anEngine(__filename))('the German names of checks on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  it('exist for every check of the service, and an unknown name stays in English', async () => {
    const checks = new Set<string>();
    const findings = service.get(Verifications).findings(1, ({ check }) => checks.add(check));
    while (!(await findings.next()).done) {
      // The progress has the names of the checks.
    }
    expect([...checks].filter((check) => nameIn('de', check) === check)).toEqual([]);
    expect(checks.size).toBeGreaterThan(20);
    expect(nameIn('de', 'new check')).toBe('new check');
    expect(nameIn('en', 'tags')).toBe('tags');
  });
});

describe('the German sentences about refusals', () => {
  it('exist for every error code that the console can receive', () => {
    // The console calls with a cookie and the right method, so faults of signatures and methods cannot occur.
    const isOfSignature = (code: number) => code === 40001 || (code >= 41000 && code < 42000 && code !== 41007);
    const codes = [...new Set(Object.values(FAULTS).map(({ code }) => code))].filter((code) => !isOfSignature(code));
    expect(codes.filter((code) => !summaryOf('de', code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(15);
    expect(summaryOf('en', 20000)).toBeUndefined();
  });
});
