import { callPage } from '../support/page';
import { startService, type TestService } from '../support/service';

/** The maximum number of starts from one address within 5 s. */
const MAX_STARTS = 500;

describe('the limit of starts per address', () => {
  let service: TestService;
  afterEach(() => service?.close());

  const start = async (address: string): Promise<number> =>
    (
      await callPage(
        service.url,
        'sessions',
        { security: {}, request: '{}' },
        { headers: { 'X-Forwarded-For': address } },
      )
    ).status;
  const useUp = async (address: string) => {
    for (let sent = 0; sent < MAX_STARTS; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => start(address)));
  };

  it('counts the address that a trusted proxy gives', async () => {
    service = await startService('sqlite', { TRUSTED_PROXIES: 'loopback' });
    await useUp('192.0.2.1');
    expect([await start('192.0.2.1'), await start('192.0.2.2')]).toEqual([429, 400]);
  });

  it('counts the address of the connection when no proxy is trusted', async () => {
    service = await startService('sqlite');
    await useUp('192.0.2.1');
    expect(await start('192.0.2.2')).toBe(429);
  });
});
