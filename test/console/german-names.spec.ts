import { Verifications } from '#platform';
import { nameIn } from '../../apps/console/src/routes/verification/names';
import { anEngine } from '../support/engines';
import { startService, type TestService } from '../support/service';

describe.each(anEngine(__filename))('the German names of checks on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service?.close());

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
