import { Fault } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { type Browser, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { startService, type TestService } from '../support/service';

/** The error of a driver, as the database translates it. */
const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const unreachable = () => Object.assign(new Fault('unavailable', 'The database cannot be reached.'), { cause });

describe.each(anEngine(__filename))('the log of a service on %s whose database cannot be reached', (engine) => {
  let service: TestService;
  let operator: Browser;
  let warn: jest.SpyInstance;
  beforeAll(async () => {
    service = await startService(engine);
    ({ browser: operator } = await signedIn(service, ['operator']));
    warn = jest.spyOn(service.service.app.get<Logger>(LOGGER), 'warn');
    jest.spyOn(service.database, 'rows').mockImplementation(async () => {
      throw unreachable();
    });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await service?.close();
  });

  it.each([
    ['an operation', () => service.client.get('itembank/items', {})],
    ['the console', () => operator.send('GET', '/console/people')],
  ] as const)('says why a call of %s failed', async (_, call) => {
    warn.mockClear();
    await call();
    expect(warn.mock.calls).toContainEqual([
      expect.objectContaining({ err: cause, request_id: expect.any(String) }),
      'The database cannot be reached.',
    ]);
  });
});
