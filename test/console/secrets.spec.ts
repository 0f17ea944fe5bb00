import { Browser, PASSWORD } from '../support/browser';
import { commandHere } from '../support/command-line';
import { json, ServiceProcess, temporaryFolders } from '../support/processes';

const folder = temporaryFolders();
const linkIn = (text: string) => /\/console\/link#([\w-]{43})/.exec(text)?.[1];

describe('the first start', () => {
  let cwd: string;
  let service: ServiceProcess;
  /** Texts that only their owners may see. */
  const secrets: string[] = [];
  beforeAll(async () => {
    cwd = folder();
    service = await ServiceProcess.listening({ cwd, settings: { LOG_LEVEL: 'trace' } });
  });
  afterAll(() => service?.end('SIGKILL'));

  it('prints a link that signs its operator in, once', async () => {
    const [line] = service.greeting.split('\n').filter((each) => each.includes('/console/link#'));
    expect(line!.startsWith(`  ${service.url}/console/link#`)).toBe(true);
    const link = linkIn(line!)!;
    secrets.push(link);
    const browser = new Browser(service.url);
    expect((await browser.useLink(link)).status).toBe(204);
    secrets.push(...browser.cookies.values(), browser.csrf!);
    expect((await browser.readSession()).body).toMatchObject({
      person: { email: 'operator@localhost', has_password: false },
      is_fresh: true,
      organisations: [{ id: 1, roles: ['operator'] }],
    });
    expect((await browser.call('itembank/items', 'get', { limit: 1 })).meta.records).toBe(1);
    expect((await new Browser(service.url).useLink(link)).status).toBe(401);
    const set = await browser.send('POST', '/console/session/password', { current: '', password: PASSWORD });
    expect(set.status).toBe(204);
    expect((await new Browser(service.url).signIn('operator@localhost', PASSWORD)).status).toBe(204);
  });

  it('keeps passwords, cookies, tokens, links and addresses of people out of the log, whatever goes wrong', async () => {
    const wrong = 'wrong horse battery staple';
    secrets.push(PASSWORD, wrong, 'zebra@example.org', 'A'.repeat(43));
    const browser = new Browser(service.url);
    await browser.signIn('operator@localhost', PASSWORD);
    secrets.push(...browser.cookies.values(), browser.csrf!);
    const person = { email: 'zebra@example.org', roles: [{ organisation: 1, roles: ['author'] }] };
    const made = await browser.send('POST', '/console/people', person);
    secrets.push(linkIn(made.text)!);
    const consumer = { label: 'x', domains: [], organisation: 1, access: 'read' };
    secrets.push((await browser.send('POST', '/console/consumers', consumer)).body.secret);
    const stranger = new Browser(service.url);
    await stranger.signIn('zebra@example.org', wrong);
    await stranger.useLink('A'.repeat(43), wrong);
    await stranger.useLink(linkIn(made.text)!, 'short');
    await stranger.send('POST', '/console/session', { email: ['zebra@example.org'], password: { wrong } });
    await stranger.send('POST', '/console/session', `{"email":"zebra@example.org","password":"${wrong}"`);
    await stranger.send(
      'POST',
      '/console/session',
      { email: 'zebra@example.org', password: wrong },
      { 'Content-Type': 'x' },
    );
    const link = await json<{ link: string }>(commandHere(['user', 'link', 'zebra@example.org', '--json'], { cwd }));
    expect(link.link.startsWith(`${service.url}/console/link#`)).toBe(true);
    secrets.push(linkIn(link.link)!);
    await stranger.useLink(linkIn(link.link)!);
    await browser.send('DELETE', '/console/session');
    // Ends it, so that the log is whole.
    await service.end('SIGTERM');
    const log = service.stdout.slice(service.greeting.length);
    expect(log).toContain('POST console/signIn');
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    expect(service.stderr).toBe('');
    for (const line of log.trimEnd().split('\n')) expect(JSON.parse(line)).not.toMatchObject({ level: 50 });
  });

  it('a later start prints the command for a new link instead of a link', async () => {
    await service.end('SIGTERM');
    service = await ServiceProcess.listening({ cwd });
    expect(linkIn(service.greeting)).toBeUndefined();
    expect(service.greeting).toContain('npm run -s itembank -- user link operator@localhost');
  });
});
