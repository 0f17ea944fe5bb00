import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Events } from '#events';
import { commandHere } from '../support/command-line';
import { anEngine, emptyQueue, engines, queueEngines } from '../support/engines';
import { json, type Settings, temporaryFolders } from '../support/processes';
import { Receiver } from '../support/receiver';
import { serviceOfSuite, startService } from '../support/service';
import { until } from '../support/until';

const folder = temporaryFolders();
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const UNKNOWN = '01JZX3M5V2Q4T6W8Y0A1B2C3D4';
const INSIDE = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_ALLOW_HTTP: 'true' };

type Listed = Record<string, unknown> & { event: string };

describe.each(anEngine(__filename))('events from the command line on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine, INSIDE));
  let receiver: Receiver;
  let place: { settings: Settings; cwd: string };
  beforeAll(async () => {
    // The clock must be ahead of that of the commands. Ids never go back in time, so each engine gets its own years.
    service.clock.advance(Date.UTC(2080 + engines.indexOf(engine), 0, 2, 3, 4, 5) - service.clock.now());
    receiver = await new Receiver(({ event }) => (event.key === 'bad' ? 500 : 200)).listen();
    const cwd = folder();
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'secret'), `${OTHER_SECRET}\n`);
    place = {
      cwd,
      settings: { ...service.settings, HOOK: SECRET, ...INSIDE },
    };
  });
  afterAll(() => receiver?.close());

  const command = (...args: string[]) => commandHere(args, place);
  const events = (...args: string[]) => command('events', ...args);
  const listed = (...args: string[]) => json<Listed[]>(events(...args, '--json'));
  const record = (organisation: number, ...keys: string[]) =>
    service.database.run(() =>
      service.get(Events).record(
        keys.map((key) => ({ kind: 'session-status', key, payload: '{"user_id":"somebody"}' })),
        organisation,
        service.clock.now(),
      ),
    );

  async function provision(description: object, ...options: string[]) {
    writeFileSync(join(place.cwd, 'site.json'), JSON.stringify(description));
    return command('provision', 'site.json', ...options);
  }
  const site = (webhooks: object[], streams?: object[]) => ({
    organisations: [{ id: 1, name: 'Organisation 1', events: { webhooks, ...(streams && { streams }) } }],
  });
  const hook = (values: object = {}) => ({ name: 'hook', url: receiver.url, secret: { env: 'HOOK' }, ...values });

  describe('webhooks and streams of a description', () => {
    it('are set up once, and repeating the description changes nothing', async () => {
      const made = await provision(site([hook()]));
      expect([made.code, made.stderr]).toEqual([0, '']);
      const [line] = made.stdout.split('\n');
      expect(line).toMatch(
        /^\+ webhook "hook" of organisation 1: url "http:\S+"; kinds \[.+\]; secret "[0-9a-f]{12}"$/,
      );
      expect((await provision(site([hook()]))).stdout).toBe('Nothing to change.\n');
      expect(
        (
          await provision(
            site([hook({ kinds: ['learner-erased', 'session-lifecycle', 'session-scores', 'session-status'] })]),
          )
        ).stdout,
      ).toBe('Nothing to change.\n');
    });

    it('keep the secret of a webhook hidden when they store it', async () => {
      const { stdout } = await provision(site([hook({ secret: { file: 'secret' } })]), '--json');
      const rows = await service.database.rows('SELECT settings, secret FROM event_sink');
      const audit = await service.database.rows('SELECT * FROM audit');
      for (const seen of [stdout, JSON.stringify([rows, audit]), (await events('receivers', '--json')).stdout])
        for (const secret of [SECRET, OTHER_SECRET]) expect(seen).not.toContain(secret.slice(6));
      expect(JSON.parse(stdout)).toMatchObject({
        changes: [{ change: 'update', kind: 'webhook', organisation: 1, key: 'hook' }],
      });
      expect((await provision(site([hook()]))).stdout).toMatch(
        /^~ webhook "hook" of organisation 1: secret "\w+" → "\w+"\n/,
      );
    });

    it.each<[string, object[], string]>([
      ['the secret itself', [{ secret: SECRET }], 'secret must be {env: NAME} or {file: PATH}'],
      [
        'a text that is not a secret',
        [{ secret: { env: 'DATABASE_URL' } }],
        'leads to a text that is not a secret of a webhook',
      ],
      ['a variable that is not set', [{ secret: { env: 'NOT_SET' } }], 'names a variable that is not set'],
      ['an address inside', [{ url: 'https://10.0.0.1/' }], 'url leads to an address that is not public'],
      [
        'another scheme',
        [{ url: 'ftp://example.org/' }],
        'url must be an address that begins with https:// or http://',
      ],
      ['a password in the address', [{ url: 'https://u:p@example.org/' }], 'url must be without user and password'],
      ['an unknown kind', [{ kinds: ['session-started'] }], 'must be session-status or'],
      ['a name twice', [{}, {}], 'webhooks[1].name is that of organisations[0].events.webhooks[0] already'],
      ['a name with blanks', [{ name: 'a b' }], 'name must be letters, digits'],
    ])('reject %s', async (_, webhooks, message) => {
      const { code, stdout, stderr } = await provision(site(webhooks.map(hook)), '--dry-run');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^site\.json:\d+:\d+: organisations\[0\]\.events\.webhooks\[\d\]/m);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain(SECRET.slice(6));
    });

    it('reject streams without Redis', async () => {
      const { code, stderr } = await provision(site([hook()], [{ name: 's', stream: 'events' }]));
      expect(code).toBe(1);
      expect(stderr).toContain('organisations[0].events.streams: streams need a Redis: set STREAMS_URL');
    });
  });

  it('lists deliveries with their results, without their content, and delivers them again', async () => {
    await provision(site([hook()]));
    await record(2, 'elsewhere');
    await record(1, 'good \u001b[31m', 'bad');
    const [sink] = await until(async () => {
      const found = await listed('receivers');
      return found[0]!.reached === 2 && found[0]!.waiting === 1 ? found : undefined;
    });
    const numbered = await until(async () => {
      const found = await listed('list');
      return found.every(({ number }) => number !== null) ? found : undefined;
    });
    const time = new Date(service.clock.now()).toISOString();
    const [bad, good, elsewhere] = numbered.map(({ event }) => event);
    const kind = 'session-status';
    expect(numbered).toEqual([
      { event: bad, organisation: 1, number: 2, kind, key: 'bad', recorded_at: time },
      { event: good, organisation: 1, number: 1, kind, key: 'good \u001b[31m', recorded_at: time },
      { event: elsewhere, organisation: 2, number: 1, kind, key: 'elsewhere', recorded_at: time },
    ]);
    expect(sink).toEqual({
      sink: 'hook',
      type: 'webhook',
      organisation: 1,
      kinds: null,
      url: receiver.url,
      reached: 2,
      waiting: 1,
      dead: 0,
      unreachable_since: null,
      paused_until: null,
      paused_at: null,
    });
    const idsOf = async (...args: string[]) => (await listed(...args)).map(({ event }) => event);
    expect(await idsOf('list', '--key', 'bad')).toEqual([bad]);
    expect(await idsOf('list', '--organisation', '2')).toEqual([elsewhere]);
    expect(await idsOf('list', '--limit', '2')).toEqual([bad, good]);
    expect(await listed('deliveries', '--failed')).toEqual([
      {
        attempted_at: time,
        organisation: 1,
        sink: 'hook',
        event: bad,
        number: 2,
        attempt: 1,
        outcome: 'refused',
        http_status: 500,
        duration_ms: expect.any(Number),
        error: 'The receiver answered 500.',
      },
    ]);
    expect(await idsOf('deliveries', '--event', good!, '--sink', 'hook')).toEqual([good]);
    const tables = [
      (await events('list')).stdout,
      (await events('deliveries')).stdout,
      (await events('receivers')).stdout,
    ];
    expect(tables[0]).toMatch(/^EVENT +ORGANISATION +NUMBER +KIND +KEY +RECORDED\n/);
    expect(tables[0]).toContain('good \\u001b[31m');
    expect(tables[1]).toMatch(/^TIME +RECEIVER +EVENT +ATTEMPT +OUTCOME +STATUS +MS +ERROR\n/);
    expect(tables[2]).toMatch(/^hook +webhook +1 +http:\S+ +2 +1 +0 +- +-$/m);
    expect(tables.join()).not.toContain('somebody');

    // After three days of failures, the delivery is dead.
    expect(await listed('dead')).toEqual([]);
    const dead = await until(async () => {
      service.clock.advance(7 * 3_600_000);
      const found = await listed('dead');
      return found.length > 0 ? found : undefined;
    });
    expect(dead).toEqual([
      {
        event: bad,
        organisation: 1,
        sink: 'hook',
        number: 2,
        kind,
        key: 'bad',
        attempts: expect.any(Number),
        failed_since: time,
        given_up_at: expect.stringMatching(/^20/),
      },
    ]);
    expect((await events('dead', '--sink', 'hook')).stdout).toMatch(
      new RegExp(`^${bad}  hook +1 +2 +${kind} +bad +\\d+ +20`, 'm'),
    );
    receiver.behaviour = () => 200;
    expect((await events('redeliver', '--dead', '--sink', 'hook')).stdout).toBe('1 delivery starts again.\n');
    await until(async () => ((await listed('receivers'))[0]!.waiting === 0 ? true : undefined));
    expect(await listed('dead')).toEqual([]);
    const before = receiver.received.length;
    expect(receiver.numbers.at(-1)).toBe(2);
    expect((await events('redeliver', good!, bad!)).stdout).toBe('2 deliveries start again.\n');
    await until(async () => receiver.received.length === before + 2 || undefined);
    expect(receiver.received.at(-1)!.headers['webhook-id']).toMatch(new RegExp(`^(${good}|${bad})$`));
    // This organisation has no receivers.
    expect((await events('redeliver', elsewhere!)).stdout).toBe('0 deliveries start again.\n');
  });

  it('pauses and resumes a receiver, and says when there is nothing to do', async () => {
    const outputOf = async (...args: string[]) => (await events(...args)).stdout;
    const pausedAt = async () => (await listed('receivers', '--organisation', '1')).map((sink) => sink.paused_at);
    expect(await outputOf('resume', 'hook')).toBe('Nothing to do: hook is not paused.\n');
    expect(await outputOf('pause', 'hook', '--organisation', '1')).toBe('hook is paused.\n');
    expect(await pausedAt()).toEqual([expect.stringMatching(/^\d{4}-.*Z$/)]);
    const table = (await events('receivers')).stdout;
    expect(table).toMatch(/^RECEIVER .*PAUSED SINCE\n/);
    // The former name of the command.
    expect((await events('sinks')).stdout).toBe(table);
    expect(await outputOf('pause', 'hook')).toBe('Nothing to do: hook is paused already.\n');
    expect(await outputOf('resume', 'hook')).toBe('hook is resumed.\n');
    expect(await pausedAt()).toEqual([null]);
  });

  it.each([
    [['redeliver'], /Say what to deliver again/],
    [['redeliver', UNKNOWN, '--dead'], /Say what to deliver again/],
    [['redeliver', UNKNOWN], /There is no event 01JZX3M5V2Q4T6W8Y0A1B2C3D4\. Old events are removed\./],
    [['redeliver', "' OR 1=1 --\u001b"], /There is no event ' OR 1=1 --\\u001b/],
    [
      ['redeliver', '--dead', '--sink', 'no\u001bne'],
      /There is no receiver no\\u001bne; itembank events receivers lists them\./,
    ],
    [['pause', 'nobody'], /There is no receiver nobody; itembank events receivers lists them\./],
    [['deliveries', '--sink', 'nobody'], /There is no receiver nobody/],
    [['dead', '--sink', 'nobody'], /There is no receiver nobody/],
    [['deliveries', '--event', UNKNOWN], /There is no event 01JZX3M5V2Q4T6W8Y0A1B2C3D4\. Old events are removed\./],
    [['receivers', '--organisation', '99'], /There is no organisation 99\. "itembank organisation list" lists them/],
    [['list', '--organisation', '99'], /There is no organisation 99/],
    [['list', '--limit', '0'], /whole number from 1 to 1000/],
    [['dead', '--organisation', 'x'], /whole number from 1 to 2147483647/],
  ])('rejects %j', async (args, message) => {
    const { code, stdout, stderr } = await events(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  });

  for (const queueEngine of queueEngines.filter((each) => each !== 'in process'))
    it(`sends events to streams on ${queueEngine}`, async () => {
      const settings = { ...place.settings, STREAMS_URL: emptyQueue(queueEngine).url! };
      writeFileSync(
        join(place.cwd, 'site.json'),
        JSON.stringify(site([], [{ name: 's', stream: 'a:b', max_length: 7 }])),
      );
      const { stdout } = await commandHere(['provision', 'site.json'], { ...place, settings });
      expect(stdout.split('\n').slice(0, 2)).toEqual([
        '- webhook "hook" of organisation 1',
        '+ event stream "s" of organisation 1: stream "a:b"; max_length 7; kinds ["session-status","session-scores","session-lifecycle","learner-erased"]',
      ]);
      expect(await listed('receivers')).toMatchObject([{ sink: 's', type: 'stream', stream: 'a:b', max_length: 7 }]);
    });
});
