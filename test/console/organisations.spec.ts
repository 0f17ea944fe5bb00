import { Consumers } from '#access';
import { ROLES } from '#people';
import { type Browser, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';

const QUARTER_HOUR = 15 * 60_000;

describe.each(anEngine(__filename))('operators and organisations on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let operator: Browser;
  let operatorId: string;
  beforeEach(async () => {
    const { person, browser } = await signedIn(service, ['operator', 'marker']);
    [operator, operatorId] = [browser, person.id];
  });

  const send = (method: string, path: string, body: unknown, by = operator) =>
    by.send(method, `/console/organisations${path}`, body);
  const stored = () => service.get(Consumers).organisations();

  it('create an organisation, operate it at once, and keep their roles elsewhere', async () => {
    const { status, body } = await send('POST', '', { id: 71, name: 'Press <b>"é"' });
    expect([status, body]).toEqual([201, { id: 71, name: 'Press <b>"é"' }]);
    const { organisations } = (await operator.readSession()).body;
    expect(
      organisations.map(({ id, name, roles }: { id: number; name: string; roles: string[] }) => [id, name, roles]),
    ).toEqual([
      [1, 'Organisation 1', ['marker', 'operator']],
      [71, 'Press <b>"é"', ['operator']],
    ]);
    const { meta } = await operator.call('itembank/items', 'get', { organisation_id: 71 });
    expect(meta.code).toBeUndefined();
    const rows = await service.database.rows(
      `SELECT operation, author_id FROM audit WHERE subject = 'organisation' AND subject_key = '71'`,
    );
    expect(rows).toEqual([{ operation: 'create organisation', author_id: operatorId }]);
  });

  it('rename it; its settings stay, and the audit has the old name', async () => {
    await send('POST', '', { id: 72, name: 'Before' });
    expect((await send('PATCH', '/72', { name: 'After' })).status).toBe(204);
    expect(await stored()).toContainEqual({ id: 72, name: 'After' });
    const rows = await service.database.rows<{ detail: string }>(
      `SELECT operation, author_id, detail FROM audit WHERE subject = 'organisation' AND subject_key = '72' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ operation: 'rename organisation', author_id: operatorId, detail: expect.any(String) }]);
    expect(JSON.parse(rows[0]!.detail)).toEqual({ before: { name: 'Before' }, after: { name: 'After' } });
  });

  it('get an organisation only once if several create the same one', async () => {
    const { browser: other } = await signedIn(service, ['operator']);
    const answers = await Promise.all([operator, other].map((by) => send('POST', '', { id: 73, name: 'Both' }, by)));
    expect(answers.map(({ status }) => status === 201).sort()).toEqual([false, true]);
    const roles = await service.database.rows('SELECT role FROM person_role WHERE organisation_id = 73');
    expect(roles).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ['an id that is taken', { id: 1 }, '/id'],
    ['the id 0', { id: 0 }, '/id'],
    ['a fraction as id', { id: 1.5 }, '/id'],
    ['an id that is text', { id: '80' }, '/id'],
    ['an id that is too large', { id: 1e300 }, '/id'],
    ['a blank name', { name: ' ' }, '/name'],
    ['a long name', { name: 'x'.repeat(256) }, '/name'],
    ['half a character', { name: '\ud800' }, '/name'],
    ['a name that is a list', { name: ['x'] }, '/name'],
  ])('refuses %s and says where', async (_, wrong, pointer) => {
    const before = await stored();
    const { status, body } = await send('POST', '', { id: 80, name: 'Name', ...wrong });
    expect([status >= 400 && status < 500, body.meta.errors[0].pointer]).toEqual([true, pointer]);
    if (pointer === '/name') expect((await send('PATCH', '/1', wrong)).body.meta.errors[0].pointer).toBe(pointer);
    expect(await stored()).toEqual(before);
  });

  it('need a fresh confirmation', async () => {
    service.clock.advance(QUARTER_HOUR + 1);
    const before = await stored();
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', '/1'],
    ] as const)
      expect((await send(method, path, { id: 81, name: 'Name' })).body.meta.message).toContain('Confirm');
    expect(await stored()).toEqual(before);
  });

  it.each(ROLES.filter((role) => role !== 'operator'))('a %s has no access', async (role) => {
    const { browser } = await signedIn(service, [role]);
    const before = await stored();
    expect((await send('POST', '', { id: 82, name: 'Name' }, browser)).status).toBe(403);
    expect((await send('PATCH', '/1', { name: 'Name' }, browser)).status).toBe(403);
    expect(await stored()).toEqual(before);
  });

  it('cannot rename organisations of others', async () => {
    const { browser } = await signedIn(service, { 2: ['operator'], 1: ['author'] });
    for (const path of ['/1', '/99', '/x', '/01'])
      expect((await send('PATCH', path, { name: 'Mine' }, browser)).status).toBe(403);
  });
});
