import { type Fault } from '#kernel';
import { People, SignIns } from '#people';
import { Browser, newPerson, PASSWORD, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { DAY, HOUR, MINUTE, SECOND } from '../support/time';

const WRONG = 'The e-mail address or the password is wrong.';

describe.each(anEngine(__filename))('signing in on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  // Attempts are limited within five seconds.
  beforeEach(() => service.clock.advance(10 * SECOND));

  const browser = () => new Browser(service.url);
  const isSignedIn = async (each: Browser) => (await each.readSession()).body.person !== null;
  const link = async (id: string, purpose: 'sign-in' | 'invitation' | 'reset') =>
    (await service.get(SignIns).newLink(id, purpose)).secret;

  describe('with a password', () => {
    it('answers with a cookie that scripts cannot read, and says who it is', async () => {
      const { person } = await signedIn(
        service,
        { 1: ['author', 'marker'], 2: ['viewer'] },
        { email: 'anna@example.org' },
      );
      const page = browser();
      const { status, text, headers } = await page.signIn('ANNA@example.org ', PASSWORD);
      expect([status, text]).toEqual([204, '']);
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(/^itembank-local=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
      ]);
      expect(headers['cache-control']).toBe('no-store');
      const { body } = await page.readSession();
      expect(body).toEqual({
        person: { id: person.id, email: 'anna@example.org', firstname: 'Ada', lastname: 'King', has_password: true },
        csrf: expect.stringMatching(/^[0-9a-f]{64}$/),
        is_fresh: true,
        openid: false,
        organisations: [
          { id: 1, name: 'Organisation 1', roles: ['author', 'marker'], operations: expect.any(Array) },
          { id: 2, name: 'Organisation 2', roles: ['viewer'], operations: expect.any(Array) },
        ],
      });
    });

    it('answers the same to a wrong password, an unknown address, a disabled and an uninvited account', async () => {
      const known = (await signedIn(service, ['author'])).person;
      const disabled = (await signedIn(service, ['author'])).person;
      await service.get(People).change(disabled.id, { status: 'disabled' });
      const uninvited = await newPerson(service, ['author']);
      service.clock.advance(10 * SECOND);
      const answers = [];
      for (const [email, password] of [
        [known.email, 'wrong horse battery'],
        ['nobody@example.org', PASSWORD],
        [disabled.email, PASSWORD],
        [uninvited.email, PASSWORD],
        ['', ''],
        ['no address', PASSWORD],
        [known.email, ''],
      ])
        answers.push(await browser().signIn(email!, password!));
      for (const { status, body, headers } of answers) {
        expect(status).toBe(401);
        expect({ ...body.meta, timestamp: 0, request_uuid: '' }).toEqual({
          status: false,
          timestamp: 0,
          code: 41003,
          message: WRONG,
          request_uuid: '',
        });
        expect(headers['set-cookie']).toBeUndefined();
      }
    });

    it('takes about as much processor time for an unknown address as for a wrong password', async () => {
      const { person } = await signedIn(service, ['author']);
      // Processor time does not depend on other programs of the machine. The hash runs in this process.
      const cost = async (email: string) => {
        service.clock.advance(10 * MINUTE);
        const before = process.cpuUsage();
        expect((await browser().signIn(email, 'wrong horse battery')).status).toBe(401);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      await cost('warm-up@example.org');
      const [unknown, wrong]: number[][] = [[], []];
      for (let attempt = 0; attempt < 9; attempt++) {
        unknown!.push(await cost(`nobody-${attempt}@example.org`));
        wrong!.push(await cost(person.email));
      }
      // Without the same work, an unknown address would take a tenth of the time.
      const ratio = Math.min(...unknown!) / Math.min(...wrong!);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    });

    it('waits longer after each wrong password from the fifth on, for known and unknown addresses alike', async () => {
      const { person } = await signedIn(service, ['author']);
      for (const email of [person.email, 'unknown@example.org']) {
        const attempt = async () => {
          service.clock.advance(1);
          const { status, headers } = await browser().signIn(email, 'wrong horse battery');
          return [status, headers['retry-after']];
        };
        for (let count = 1; count <= 5; count++) expect(await attempt()).toEqual([401, undefined]);
        for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
          expect(await attempt()).toEqual([429, String(wait)]);
          service.clock.advance(wait * SECOND - 3);
          expect((await attempt())[0]).toBe(429);
          // Refused attempts do not count.
          service.clock.advance(6 * SECOND);
          expect((await attempt())[0]).toBe(401);
        }
        expect((await browser().signIn(email, PASSWORD)).status).toBe(429);
        service.clock.advance(5 * MINUTE);
      }
      expect((await browser().signIn(person.email, PASSWORD)).status).toBe(204);
      // The right password restarts the count.
      expect((await browser().signIn(person.email, 'wrong horse battery')).status).toBe(401);
      expect((await browser().signIn(person.email, PASSWORD)).status).toBe(204);
    });

    it('forgets wrong passwords after an hour', async () => {
      const { person } = await signedIn(service, ['author']);
      for (let count = 0; count < 5; count++) await browser().signIn(person.email, 'wrong horse battery');
      expect((await browser().signIn(person.email, PASSWORD)).status).toBe(429);
      service.clock.advance(HOUR);
      for (let count = 0; count < 5; count++)
        expect((await browser().signIn(person.email, 'wrong horse battery')).status).toBe(401);
    });

    it.each([
      ['two minutes', 2 * MINUTE],
      ['a day', DAY],
    ])('never lets anybody wait longer because the clock was set back by %s', async (_time, ms) => {
      const [once, often] = [await signedIn(service, ['author']), await signedIn(service, ['author'])];
      for (const { email } of [once.person, ...Array.from({ length: 5 }, () => often.person)])
        expect((await browser().signIn(email, 'wrong horse battery')).status).toBe(401);
      service.clock.advance(-ms);
      try {
        expect((await browser().signIn(once.person.email, PASSWORD)).status).toBe(204);
        const { headers } = await browser().signIn(often.person.email, PASSWORD);
        expect(Number(headers['retry-after'] ?? 0)).toBeLessThanOrEqual(1);
      } finally {
        service.clock.advance(ms);
      }
    });

    it('compares only one password when many are tried at once after a wait', async () => {
      const { person } = await signedIn(service, ['author']);
      service.clock.advance(10 * SECOND);
      for (let count = 0; count < 5; count++) await browser().signIn(person.email, 'wrong horse battery');
      service.clock.advance(10 * SECOND);
      const signIns = service.get(SignIns);
      // Calls the service directly, so that all attempts read the count before one raises it.
      const tried = await Promise.all(
        Array.from({ length: 15 }, () =>
          signIns.withPassword(person.email, 'wrong horse battery', '', '').catch((error: Fault) => error.kind),
        ),
      );
      expect(tried.filter((kind) => kind === 'token').length).toBeLessThanOrEqual(1);
      expect(tried.filter((kind) => kind !== 'token' && kind !== 'too-many-requests')).toEqual([]);
    });

    it('refuses more than 20 attempts of one address in 5 seconds, whatever accounts they name', async () => {
      const statuses = [];
      for (let count = 0; count < 21; count++)
        statuses.push((await browser().signIn(`many-${count}@example.org`, PASSWORD)).status);
      expect(statuses).toEqual([...new Array<number>(20).fill(401), 429]);
      service.clock.advance(6 * SECOND);
      expect((await browser().signIn('many@example.org', PASSWORD)).status).toBe(401);
    });
  });

  describe('a link', () => {
    it('shows its purpose without being used up, and then works once', async () => {
      const person = await newPerson(service, ['author']);
      const secret = await link(person.id, 'invitation');
      for (let count = 0; count < 2; count++) {
        const { status, body } = await browser().send('POST', '/console/session/link/look', { link: secret });
        expect([status, body]).toEqual([200, { purpose: 'invitation', email: person.email }]);
      }
      const page = browser();
      expect((await page.useLink(secret, PASSWORD)).status).toBe(204);
      expect((await page.readSession()).body.person.email).toBe(person.email);
      expect((await browser().useLink(secret, PASSWORD)).status).toBe(401);
      expect((await browser().send('POST', '/console/session/link/look', { link: secret })).status).toBe(401);
      expect((await browser().signIn(person.email, PASSWORD)).status).toBe(204);
    });

    it.each(['invitation', 'reset'] as const)(
      'of the purpose %s needs a password of 12 characters, and stays until it has one',
      async (purpose) => {
        const person = await newPerson(service, ['author']);
        const secret = await link(person.id, purpose);
        for (const password of [undefined, null, '', 'eleven char', 'x'.repeat(201), '😀'.repeat(11)]) {
          const { status, body } = await browser().send('POST', '/console/session/link', { link: secret, password });
          expect([status, body.meta.errors]).toEqual([400, [expect.objectContaining({ pointer: '/password' })]]);
        }
        expect((await browser().useLink(secret, '😀'.repeat(12))).status).toBe(204);
        expect((await browser().signIn(person.email, '😀'.repeat(12))).status).toBe(204);
      },
    );

    it('for signing in needs no password', async () => {
      const person = await newPerson(service, ['author']);
      const page = browser();
      expect((await page.useLink(await link(person.id, 'sign-in'))).status).toBe(204);
      expect((await page.readSession()).body).toMatchObject({ person: { has_password: false }, is_fresh: true });
    });

    it('stops working when somebody creates a newer one', async () => {
      const person = await newPerson(service, ['author']);
      const [old, recent] = [await link(person.id, 'invitation'), await link(person.id, 'reset')];
      expect((await browser().useLink(old, PASSWORD)).status).toBe(401);
      expect((await browser().useLink(recent, PASSWORD)).status).toBe(204);
    });

    it.each([
      ['sign-in', 30 * MINUTE],
      ['invitation', 7 * 24 * HOUR],
      ['reset', HOUR],
    ] as const)('of the purpose %s ends after its time', async (purpose, lasts) => {
      const people = [await newPerson(service, ['author']), await newPerson(service, ['author'])];
      const secrets = [await link(people[0]!.id, purpose), await link(people[1]!.id, purpose)];
      service.clock.advance(lasts - 1);
      expect((await browser().useLink(secrets[0]!, PASSWORD)).status).toBe(204);
      service.clock.advance(1);
      expect((await browser().useLink(secrets[1]!, PASSWORD)).status).toBe(401);
    });

    it('signs in only one of two callers at once', async () => {
      const person = await newPerson(service, ['author']);
      const secret = await link(person.id, 'invitation');
      const used = await Promise.all(
        ['first horse battery', 'second horse battery'].map((password) => browser().useLink(secret, password)),
      );
      expect(used.map(({ status }) => status).sort()).toEqual([204, 401]);
      const winner = used[0]!.status === 204 ? 'first horse battery' : 'second horse battery';
      expect((await browser().signIn(person.email, winner)).status).toBe(204);
    });

    it('of a reset ends all sign-ins of the person, and their wait after wrong passwords', async () => {
      const { person, browser: old } = await signedIn(service, ['author']);
      service.clock.advance(10 * SECOND);
      for (let count = 0; count < 6; count++) await browser().signIn(person.email, 'wrong horse battery');
      const page = browser();
      expect((await page.useLink(await link(person.id, 'reset'), 'another horse battery')).status).toBe(204);
      expect([await isSignedIn(old), await isSignedIn(page)]).toEqual([false, true]);
      expect((await browser().signIn(person.email, 'another horse battery')).status).toBe(204);
      expect((await browser().signIn(person.email, PASSWORD)).status).toBe(401);
    });

    it('of a person who was disabled or removed since does not work', async () => {
      for (const change of ['disable', 'remove']) {
        const person = await newPerson(service, ['author']);
        const secret = await link(person.id, 'sign-in');
        if (change === 'remove') await service.get(People).remove(person.id);
        else {
          await service.get(People).change(person.id, { status: 'disabled' });
          await expect(link(person.id, 'sign-in')).rejects.toThrow(/disabled; enable it first/);
          await service.get(People).change(person.id, { status: 'active' });
        }
        expect((await browser().useLink(secret)).status).toBe(401);
      }
    });

    it.each(['', 'x', 'A'.repeat(43), "' OR 1=1 --", 'ä'.repeat(43), '\u0001'])(
      'that nobody made is refused: %j',
      async (secret) => {
        const { status, body } = await browser().useLink(secret, PASSWORD);
        expect([status, body.meta.message]).toEqual([
          401,
          'This link was used already, has ended, or was replaced by a newer one.',
        ]);
      },
    );
  });

  describe('a sign-in', () => {
    it('ends 12 hours after its last use', async () => {
      const { browser: page } = await signedIn(service, ['author']);
      service.clock.advance(12 * HOUR - MINUTE);
      expect(await isSignedIn(page)).toBe(true);
      service.clock.advance(12 * HOUR - MINUTE);
      expect(await isSignedIn(page)).toBe(true);
      service.clock.advance(12 * HOUR);
      expect(await isSignedIn(page)).toBe(false);
      expect((await page.call('itembank/items', 'get')).status).toBe(401);
    });

    it('is not prolonged by the calls of a page that nobody uses', async () => {
      const { browser: page } = await signedIn(service, ['operator']);
      const read = async (headers: Record<string, string>) =>
        (await page.send('POST', '/console/api/v1/jobs', { action: 'get', request: {} }, headers)).status;
      service.clock.advance(11 * HOUR);
      expect(await read({ 'X-Unattended': 'yes' })).toBe(200);
      expect((await page.send('GET', '/console/health', undefined, { 'X-Unattended': 'yes' })).status).toBe(200);
      service.clock.advance(HOUR);
      expect(await read({})).toBe(401);
    });

    it('ends 7 days after it began, however much it is used', async () => {
      const { browser: page } = await signedIn(service, ['author']);
      for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
        service.clock.advance(8 * HOUR);
        expect(await isSignedIn(page)).toBe(true);
      }
      service.clock.advance(8 * HOUR - 1);
      expect(await isSignedIn(page)).toBe(true);
      service.clock.advance(1);
      expect(await isSignedIn(page)).toBe(false);
    });

    it('ends when the person signs out, in this browser alone', async () => {
      const { person, browser: page } = await signedIn(service, ['author']);
      const other = browser();
      await other.signIn(person.email, PASSWORD);
      const before = new Map(page.cookies);
      const { status, headers } = await page.send('DELETE', '/console/session');
      expect(status).toBe(204);
      expect(headers['set-cookie']).toHaveLength(2);
      expect(page.cookies.size).toBe(0);
      for (const [name, value] of before) page.cookies.set(name, value);
      expect([await isSignedIn(page), await isSignedIn(other)]).toEqual([false, true]);
    });

    it('ends in all browsers when the person signs out everywhere', async () => {
      const { person, browser: page } = await signedIn(service, ['author']);
      const other = browser();
      await other.signIn(person.email, PASSWORD);
      const stranger = (await signedIn(service, ['author'])).browser;
      expect((await page.send('DELETE', '/console/session?everywhere')).status).toBe(204);
      expect([await isSignedIn(page), await isSignedIn(other), await isSignedIn(stranger)]).toEqual([
        false,
        false,
        true,
      ]);
    });

    it('ends at once when the person is disabled or removed', async () => {
      for (const change of ['disable', 'remove']) {
        const { person, browser: page } = await signedIn(service, ['author']);
        if (change === 'disable') await service.get(People).change(person.id, { status: 'disabled' });
        else await service.get(People).remove(person.id);
        expect((await page.call('itembank/items', 'get')).status).toBe(401);
        expect(await isSignedIn(page)).toBe(false);
      }
    });

    it('is listed with its browser, the last used first', async () => {
      const { person, browser: page } = await signedIn(service, ['author']);
      service.clock.advance(30 * SECOND);
      const other = browser();
      const agent = `Agent ${'x'.repeat(400)}`;
      await other.send(
        'POST',
        '/console/session',
        { email: person.email, password: PASSWORD },
        { 'User-Agent': agent },
      );
      const { body } = await page.send('GET', '/console/session/browsers');
      expect(body.map(({ browser: name, is_this }: { browser: string; is_this: boolean }) => [name, is_this])).toEqual([
        [agent.slice(0, 250), false],
        ['Test browser', true],
      ]);
    });

    it('takes the place of the one before in the same browser', async () => {
      const { person, browser: page } = await signedIn(service, ['author']);
      const before = browser();
      for (const [name, value] of page.cookies) before.cookies.set(name, value);
      expect((await page.signIn(person.email, PASSWORD)).status).toBe(204);
      expect([await isSignedIn(before), await isSignedIn(page)]).toEqual([false, true]);
    });

    it('leaves no row when it has not been used for 12 hours and somebody signs in', async () => {
      await signedIn(service, ['author']);
      service.clock.advance(12 * HOUR + 1);
      const { person } = await signedIn(service, ['author']);
      expect(await service.database.rows('SELECT person_id FROM sign_in')).toEqual([{ person_id: person.id }]);
    });
  });

  describe('a change of the password', () => {
    const change = (page: Browser, current: string, password: string) =>
      page.send('POST', '/console/session/password', { current, password });

    it('needs the present one, and ends the other sign-ins and links', async () => {
      const { person, browser: page } = await signedIn(service, ['author']);
      const other = browser();
      await other.signIn(person.email, PASSWORD);
      const secret = await link(person.id, 'reset');
      expect((await change(page, 'wrong horse battery', 'new horse battery')).status).toBe(401);
      expect((await change(page, PASSWORD, 'too short')).body.meta.errors).toEqual([
        expect.objectContaining({ pointer: '/password', code: 20001 }),
      ]);
      expect((await change(page, PASSWORD, 'new horse battery')).status).toBe(204);
      expect([await isSignedIn(page), await isSignedIn(other)]).toEqual([true, false]);
      expect((await browser().useLink(secret, PASSWORD)).status).toBe(401);
      expect((await browser().signIn(person.email, PASSWORD)).status).toBe(401);
      expect((await browser().signIn(person.email, 'new horse battery')).status).toBe(204);
    });

    it('records each new password in the audit log, also one set by a link, but not the password itself', async () => {
      const person = await newPerson(service, ['author']);
      const page = browser();
      await page.useLink(await link(person.id, 'invitation'), PASSWORD);
      expect((await change(page, 'wrong horse battery', 'new horse battery')).status).toBe(401);
      expect((await change(page, PASSWORD, 'new horse battery')).status).toBe(204);
      const entries = await service.database.rows(
        `SELECT operation, author_id, detail FROM audit WHERE subject = 'person' AND subject_key = ? AND operation = ?`,
        [person.id, 'set password'],
      );
      const entry = { operation: 'set password', author_id: person.id, detail: '{}' };
      expect(entries).toEqual([entry, entry]);
    });

    it('sets the first password of a person who has just used a link', async () => {
      const person = await newPerson(service, ['author']);
      const page = browser();
      await page.useLink(await link(person.id, 'sign-in'));
      expect((await change(page, '', PASSWORD)).status).toBe(204);
      expect((await browser().signIn(person.email, PASSWORD)).status).toBe(204);
    });

    it('needs a new sign-in after 15 minutes for a person without a password', async () => {
      const person = await newPerson(service, ['author']);
      const page = browser();
      await page.useLink(await link(person.id, 'sign-in'));
      service.clock.advance(15 * MINUTE);
      const { status, body } = await change(page, '', PASSWORD);
      expect([status, body.meta.code, body.meta.message]).toEqual([400, 41007, expect.stringMatching(/sign in again/)]);
    });
  });

  it('a confirmation is fresh for 15 minutes, and a wrong password does not make it so', async () => {
    const { browser: page } = await signedIn(service, ['operator']);
    const isFresh = async () => (await page.readSession()).body.is_fresh;
    service.clock.advance(15 * MINUTE - 1);
    expect(await isFresh()).toBe(true);
    service.clock.advance(1);
    expect(await isFresh()).toBe(false);
    expect((await page.send('POST', '/console/session/confirmation', { password: 'wrong horse battery' })).status).toBe(
      401,
    );
    expect(await isFresh()).toBe(false);
    expect((await page.send('POST', '/console/session/confirmation', { password: PASSWORD })).status).toBe(204);
    expect(await isFresh()).toBe(true);
  });
});
