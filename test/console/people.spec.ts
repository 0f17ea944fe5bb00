import { setTimeout as delay } from 'node:timers/promises';
import { People, SignIns } from '#people';
import { PersonStore } from '../../libs/people/src/application/ports/person-store';
import { Browser, newPerson, PASSWORD, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { MINUTE } from '../support/time';

const UNKNOWN_ID = '01JZX3M5V2Q4T6W8Y0A1B2C3D4';

describe.each(anEngine(__filename))('the administration of people on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let operator: Browser;
  let operatorId: string;
  beforeEach(async () => {
    const { person, browser } = await signedIn(service, ['operator']);
    [operator, operatorId] = [browser, person.id];
  });

  const send = (method: string, path: string, body?: unknown) => operator.send(method, `/console/people${path}`, body);
  const list = async () => (await send('GET', '')).body as { id: string; email: string; roles: unknown }[];
  const stored = (id: string) => service.get(People).find(id);
  const rolesOf = async (id: string) => Object.fromEntries((await stored(id)).roles);

  it('invites a person, who chooses a password and works', async () => {
    const { status, body } = await send('POST', '', {
      email: ' nina@example.org ',
      firstname: 'Nina',
      lastname: null,
      roles: [{ organisation: 1, roles: ['marker', 'author', 'author'] }],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      email: 'nina@example.org',
      firstname: 'Nina',
      lastname: '',
      status: 'active',
      roles: [{ organisation: 1, roles: ['author', 'marker'] }],
      has_password: false,
      created_at: new Date(service.clock.now()).toISOString(),
      signed_in_at: null,
      link: {
        path: expect.stringMatching(/^\/console\/link#[\w-]{43}$/),
        ends_at: new Date(service.clock.now() + 7 * 24 * 60 * MINUTE).toISOString(),
      },
    });
    const page = new Browser(service.url);
    expect((await page.useLink(body.link.path.split('#')[1], PASSWORD)).status).toBe(204);
    expect((await page.call('itembank/items', 'get')).status).toBe(200);
    expect(await list()).toContainEqual(
      expect.objectContaining({
        id: body.id,
        has_password: true,
        signed_in_at: new Date(service.clock.now()).toISOString(),
      }),
    );
  });

  it('refuses to replace roles that the operator has not seen', async () => {
    const { id } = await newPerson(service, ['author', 'viewer']);
    const change = (roles: string[], before?: string[]) =>
      send('PATCH', `/${id}`, { roles: [{ organisation: 1, roles, before }] });
    expect((await change(['reviewer'], ['viewer', 'author', 'author'])).status).toBe(200);
    const refused = await change(['marker'], ['author', 'viewer']);
    expect(refused.status).toBe(409);
    expect(refused.body.meta).toMatchObject({ errors: [{ pointer: '/roles/0/before', message: /are now reviewer/ }] });
    expect(await rolesOf(id)).toEqual({ 1: ['reviewer'] });
    expect((await change(['marker'], ['reviewer'])).status).toBe(200);
    expect((await change(['author'])).status).toBe(200);
    expect(await rolesOf(id)).toEqual({ 1: ['author'] });
    expect((await change(['author'], 'author' as never)).status).toBe(400);
  });

  it.each<[string, object, string]>([
    ['an address without @', { email: 'nina' }, '/email'],
    ['an address with a blank', { email: 'ni na@example.org' }, '/email'],
    ['an address of two lines', { email: 'nina@example.org\nBcc: x' }, '/email'],
    ['an address with a control character', { email: 'ni\u0007na@example.org' }, '/email'],
    ['a long address', { email: `${'x'.repeat(300)}@example.org` }, '/email'],
    ['an address that folding makes too long', { email: `${'ŉ'.repeat(64)}@${'ŉ'.repeat(120)}` }, '/email'],
    ['no address', { email: undefined }, '/email'],
    ['a long name', { firstname: 'x'.repeat(51) }, '/firstname'],
    ['a name of two lines', { lastname: 'x\ny' }, '/lastname'],
    ['a name that is a number', { lastname: 5 }, '/lastname'],
    ['no roles', { roles: [] }, '/roles'],
    ['an empty list of roles', { roles: [{ organisation: 1, roles: [] }] }, '/roles'],
    ['roles that are text', { roles: 'author' }, '/roles'],
    ['roles that are an object', { roles: { length: 3 } }, '/roles'],
    ['too many roles', { roles: new Array(101).fill({ organisation: 1, roles: ['viewer'] }) }, '/roles'],
    ['null among the roles', { roles: [null] }, '/roles/0'],
    ['a list among the roles', { roles: [[{ organisation: 1, roles: ['operator'] }]] }, '/roles/0'],
    ['text among the roles', { roles: ['author'] }, '/roles/0'],
    ['an unknown role', { roles: [{ organisation: 1, roles: ['owner'] }] }, '/roles/0/roles'],
    ['a role named like a method', { roles: [{ organisation: 1, roles: ['constructor'] }] }, '/roles/0/roles'],
    ['a role that is null', { roles: [{ organisation: 1, roles: [null] }] }, '/roles/0/roles'],
    ['an organisation that is text', { roles: [{ organisation: '1', roles: ['viewer'] }] }, '/roles/0/organisation'],
    ['a fraction of an organisation', { roles: [{ organisation: 1.5, roles: ['viewer'] }] }, '/roles/0/organisation'],
    ['a large organisation', { roles: [{ organisation: 1e15, roles: ['viewer'] }] }, '/roles/0/organisation'],
    ['a foreign organisation', { roles: [{ organisation: 2, roles: ['viewer'] }] }, '/roles/0'],
    ['an organisation that is not there', { roles: [{ organisation: 99, roles: ['viewer'] }] }, '/roles/0'],
  ])('refuses a new person with %s, and says where', async (_, wrong, pointer) => {
    const before = await service.database.rows('SELECT id FROM person ORDER BY id');
    const good = { email: 'wrong@example.org', roles: [{ organisation: 1, roles: ['viewer'] }] };
    const { status, body } = await send('POST', '', { ...good, ...wrong });
    expect([400, 403]).toContain(status);
    expect(body.meta.errors[0].pointer.startsWith(pointer)).toBe(true);
    expect(await service.database.rows('SELECT id FROM person ORDER BY id')).toEqual(before);
  });

  it('refuses a second account of an address, also when two operators make it at once', async () => {
    const person = { email: 'twice@example.org', roles: [{ organisation: 1, roles: ['viewer'] }] };
    const made = await Promise.all([1, 2, 3].map(() => send('POST', '', person)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect((await send('POST', '', { ...person, email: 'TWICE@example.org' })).body.meta).toMatchObject({
      code: 30000,
      errors: [{ pointer: '/email' }],
    });
  });

  it('changes roles within the own organisations, and leaves those of others alone', async () => {
    const { id } = await newPerson(service, { 1: ['author'], 2: ['analyst'] });
    const { status, body } = await send('PATCH', `/${id}`, {
      roles: [{ organisation: 1, roles: ['viewer', 'marker'] }],
    });
    expect([status, body.roles]).toEqual([200, [{ organisation: 1, roles: ['marker', 'viewer'] }]]);
    expect(await rolesOf(id)).toEqual({ 1: ['marker', 'viewer'], 2: ['analyst'] });
    expect((await send('PATCH', `/${id}`, { roles: [{ organisation: 1, roles: [] }] })).body.roles).toEqual([]);
    expect(await rolesOf(id)).toEqual({ 2: ['analyst'] });
    expect((await send('PATCH', `/${id}`, { roles: [{ organisation: 1, roles: ['author'] }] })).status).toBe(400);
  });

  it('keeps the changes that operators of two organisations make at once', async () => {
    const other = (await signedIn(service, { 2: ['operator'] })).browser;
    for (let round = 0; round < 5; round++) {
      service.clock.advance(6_000);
      const { id } = await newPerson(service, { 1: ['viewer'], 2: ['viewer'] });
      const changed = await Promise.all([
        send('PATCH', `/${id}`, { roles: [{ organisation: 1, roles: ['author'] }] }),
        other.send('PATCH', `/console/people/${id}`, { roles: [{ organisation: 2, roles: ['marker'] }] }),
      ]);
      expect(changed.map(({ status }) => status)).toEqual([200, 200]);
      expect(await rolesOf(id)).toEqual({ 1: ['author'], 2: ['marker'] });
    }
  });

  it.each<[string, (from: Browser, id: string) => Promise<{ status: number }>]>([
    [
      'take the role from each other',
      (from, id) => from.send('PATCH', `/console/people/${id}`, { roles: [{ organisation: 1, roles: ['viewer'] }] }),
    ],
    ['disable each other', (from, id) => from.send('PATCH', `/console/people/${id}`, { status: 'disabled' })],
    ['remove each other', (from, id) => from.send('DELETE', `/console/people/${id}`)],
  ])('leaves an operator when two operators %s at once', async (_, act) => {
    service.clock.advance(6_000);
    const [one, other] = [await signedIn(service, ['operator']), await signedIn(service, ['operator'])];
    const answers = await service.database.run(async () => {
      await service.get(PersonStore).lock([one.person.id, other.person.id]);
      const calls = [act(one.browser, other.person.id), act(other.browser, one.person.id)];
      // Both calls pass the checks before a unit of work, and then wait for the rows.
      await delay(500);
      return calls;
    });
    const refused = (await Promise.all(answers)).map(({ status }) => status).filter((status) => status >= 400);
    expect(refused).toHaveLength(1);
    expect([401, 403]).toContain(refused[0]);
  });

  it('does not take the last role of a person, whom no operator would find then', async () => {
    const { id } = await newPerson(service, ['author']);
    const { status, body } = await send('PATCH', `/${id}`, { roles: [{ organisation: 1, roles: [] }] });
    expect([status, body.meta.errors[0].pointer]).toEqual([409, '/roles']);
    expect(await rolesOf(id)).toEqual({ 1: ['author'] });
  });

  it('makes all parts of a change or none', async () => {
    const { id } = await newPerson(service, { 1: ['author'], 2: ['viewer'] });
    const change = { roles: [{ organisation: 1, roles: ['marker'] }], status: 'disabled' };
    expect((await send('PATCH', `/${id}`, change)).status).toBe(403);
    expect(await stored(id)).toMatchObject({
      status: 'active',
      roles: new Map([
        [1, ['author']],
        [2, ['viewer']],
      ]),
    });
    const own = { roles: [{ organisation: 1, roles: ['operator', 'author'] }], status: 'disabled' };
    expect((await send('PATCH', `/${operatorId}`, own)).status).toBe(409);
    expect(await rolesOf(operatorId)).toEqual({ 1: ['operator'] });
  });

  it('disables and enables a person', async () => {
    const { person, browser } = await signedIn(service, ['author']);
    expect((await send('PATCH', `/${person.id}`, { status: 'disabled' })).body.status).toBe('disabled');
    expect((await browser.readSession()).body.person).toBeNull();
    expect((await send('POST', `/${person.id}/links`, { purpose: 'reset' })).status).toBe(409);
    expect((await send('PATCH', `/${person.id}`, { status: 'active' })).body.status).toBe('active');
    expect((await browser.readSession()).body.person).toBeNull();
    expect((await new Browser(service.url).signIn(person.email, PASSWORD)).status).toBe(204);
  });

  it.each<[string, unknown]>([
    ['an unknown status', { status: 'gone' }],
    ['a status that is a list', { status: ['active'] }],
    ['roles that are null', { roles: [null] }],
    ['roles that are text', { roles: 'x' }],
  ])('refuses a change with %s', async (_, body) => {
    const { id } = await newPerson(service, ['author']);
    expect((await send('PATCH', `/${id}`, body)).status).toBe(400);
  });

  it('changes nothing for an empty change', async () => {
    const { id } = await newPerson(service, ['author']);
    const before = await stored(id);
    for (const body of [{}, { roles: null, status: null }, { roles: [] }, { unknown: 1 }])
      expect((await send('PATCH', `/${id}`, body)).status).toBe(200);
    expect(await stored(id)).toEqual(before);
  });

  it('lets no operator disable or remove themselves, or give up their role as operator', async () => {
    for (const roles of [[], ['viewer']])
      expect((await send('PATCH', `/${operatorId}`, { roles: [{ organisation: 1, roles }] })).status).toBe(409);
    expect((await send('PATCH', `/${operatorId}`, { status: 'disabled' })).status).toBe(409);
    expect((await send('DELETE', `/${operatorId}`)).status).toBe(409);
    const more = { roles: [{ organisation: 1, roles: ['operator', 'author'] }] };
    expect((await send('PATCH', `/${operatorId}`, more)).status).toBe(200);
  });

  it('creates links, each of which replaces the one before', async () => {
    const { person } = await signedIn(service, ['author']);
    const link = async (purpose: string) => {
      const { status, body } = await send('POST', `/${person.id}/links`, { purpose });
      expect(status).toBe(201);
      return body.path.split('#')[1] as string;
    };
    const [first, second] = [await link('reset'), await link('sign-in')];
    expect((await new Browser(service.url).useLink(first, PASSWORD)).status).toBe(401);
    expect((await new Browser(service.url).useLink(second)).status).toBe(204);
    for (const purpose of ['owner', null, 1, ['reset'], undefined])
      expect((await send('POST', `/${person.id}/links`, { purpose })).status).toBe(400);
  });

  it('removes a person with all stored data about them, and keeps the id in the history', async () => {
    const { person, browser } = await signedIn(service, ['author'], {
      email: 'leaver@example.org',
      firstname: 'Leandra',
      lastname: 'Leaver',
    });
    await browser.call('itembank/questions', 'set', { questions: [{ reference: 'by-leaver', type: 'mcq', data: {} }] });
    await service.get(SignIns).addIdentity(person.id, { issuer: 'https://id.example', subject: 'leaver-subject' });
    expect((await send('DELETE', `/${person.id}`)).status).toBe(204);
    expect((await list()).map(({ id }) => id)).not.toContain(person.id);
    expect((await browser.readSession()).body.person).toBeNull();
    expect((await send('DELETE', `/${person.id}`)).status).toBe(400);
    const { data } = await service.client.get('itembank/history', { kind: 'question', references: ['by-leaver'] });
    expect(data[0].created_by).toBe(person.id);
    for (const table of ['person', 'person_role', 'person_link', 'person_identity', 'sign_in', 'author', 'audit'])
      expect(JSON.stringify(await service.database.rows(`SELECT * FROM ${table}`))).not.toMatch(
        /leaver@|Leandra|leaver-subject/,
      );
  });

  it('records in the audit log who changed what, without secrets', async () => {
    const { body } = await send('POST', '', {
      email: 'audited@example.org',
      roles: [{ organisation: 1, roles: ['viewer'] }],
    });
    await send('PATCH', `/${body.id}`, { roles: [{ organisation: 1, roles: ['author'] }], status: 'disabled' });
    const rows = await service.database.rows<{ operation: string; detail: string }>(
      `SELECT operation, author_id, detail FROM audit WHERE subject = 'person' AND subject_key = ? ORDER BY id`,
      [body.id],
    );
    expect(rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) }))).toEqual([
      {
        operation: 'create person',
        author_id: operatorId,
        detail: { email: 'audited@example.org', roles: { 1: ['viewer'] } },
      },
      { operation: 'make link', author_id: operatorId, detail: { purpose: 'invitation', ends_at: expect.any(Number) } },
      {
        operation: 'set roles',
        author_id: operatorId,
        detail: { before: { 1: ['viewer'] }, after: { 1: ['author'] } },
      },
      { operation: 'disable person', author_id: operatorId, detail: { status: 'disabled' } },
    ]);
  });

  describe('of other organisations', () => {
    it('neither lists people nor reveals that they exist', async () => {
      const { id, email } = await newPerson(service, { 2: ['author'] });
      expect((await list()).map((each) => each.email)).not.toContain(email);
      for (const who of [id, UNKNOWN_ID, 'x', '%00', `${id}x`, '..', "'"])
        for (const [method, path, body] of [
          ['PATCH', `/${who}`, { status: 'disabled' }],
          ['POST', `/${who}/links`, { purpose: 'reset' }],
          ['DELETE', `/${who}`, undefined],
        ] as const) {
          if (who === '..') continue;
          const { status, body: answer } = await send(method, path, body);
          expect([status, answer.meta.code, answer.meta.message]).toEqual([
            400,
            30001,
            'There is no such person in your organisations.',
          ]);
          service.clock.advance(10);
        }
    });

    it('lists people who also work here with their roles here alone, and changes neither account nor password', async () => {
      const { id } = await newPerson(service, { 1: ['viewer'], 2: ['operator'] });
      expect((await list()).find((each) => each.id === id)!.roles).toEqual([{ organisation: 1, roles: ['viewer'] }]);
      for (const [method, path, body] of [
        ['PATCH', `/${id}`, { status: 'disabled' }],
        ['POST', `/${id}/links`, { purpose: 'reset' }],
        ['DELETE', `/${id}`, undefined],
        ['PATCH', `/${id}`, { roles: [{ organisation: 2, roles: ['viewer'] }] }],
      ] as const) {
        const { status, body: answer } = await send(method, path, body);
        expect([status, answer.meta.code]).toEqual([403, 40003]);
      }
      expect(await stored(id)).toMatchObject({
        status: 'active',
        roles: new Map([
          [1, ['viewer']],
          [2, ['operator']],
        ]),
      });
    });
  });

  it.each(['viewer', 'author', 'reviewer', 'marker', 'analyst'] as const)('is closed to a %s', async (role) => {
    const { browser } = await signedIn(service, [role]);
    for (const [method, path, body] of [
      ['GET', '/console/people', undefined],
      ['POST', '/console/people', { email: 'x@example.org', roles: [{ organisation: 1, roles: ['operator'] }] }],
      ['PATCH', `/console/people/${operatorId}`, { status: 'disabled' }],
      ['POST', `/console/people/${operatorId}/links`, { purpose: 'sign-in' }],
      ['DELETE', `/console/people/${operatorId}`, undefined],
      ['GET', '/console/consumers', undefined],
      ['POST', '/console/consumers', { label: 'x', domains: [], organisation: 1, access: 'write' }],
      ['PATCH', `/console/consumers/${service.client.key}`, { status: 'disabled' }],
      ['POST', `/console/consumers/${service.client.key}/secrets`, { overlap_hours: 0 }],
    ] as const) {
      const { status, body: answer } = await browser.send(method, path, body);
      expect([status, answer.meta.code]).toEqual([403, 40003]);
    }
  });

  it('requires a proof of identity of the last 15 minutes for changes of rights', async () => {
    const { id } = await newPerson(service, ['author']);
    const { key } = service.client;
    const calls = [
      ['POST', '/console/people', { email: 'fresh@example.org', roles: [{ organisation: 1, roles: ['viewer'] }] }],
      ['PATCH', `/console/people/${id}`, { roles: [{ organisation: 1, roles: ['viewer'] }] }],
      ['POST', `/console/people/${id}/links`, { purpose: 'reset' }],
      ['DELETE', `/console/people/${id}`, undefined],
      ['POST', '/console/consumers', { label: 'x', domains: [], organisation: 1, access: 'write' }],
      ['PATCH', `/console/consumers/${key}`, { status: 'active' }],
      ['POST', `/console/consumers/${key}/secrets`, { overlap_hours: 1 }],
    ] as const;
    service.clock.advance(15 * MINUTE);
    for (const [method, path, body] of calls) {
      const { status, body: answer } = await operator.send(method, path, body);
      expect([path, status, answer.meta.code]).toEqual([path, 400, 41007]);
    }
    expect((await send('GET', '')).status).toBe(200);
    expect((await operator.send('POST', '/console/session/confirmation', { password: PASSWORD })).status).toBe(204);
    for (const [method, path, body] of calls)
      expect((await operator.send(method, path, body)).status).toBeLessThan(300);
  });
});
