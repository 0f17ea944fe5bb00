import { Consumers } from '#access';
import { newId } from '#kernel';
import { People } from '#people';
import { type Browser, newPerson, signedIn } from '../support/browser';
import { type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { workflow } from '../support/builders';
import { write } from '../support/bank';

const PATH = 'itembank/audit';

interface Entry {
  subject: string;
  reference: string;
  operation: string;
  created_by: string;
  author: { id: string; firstname: string | null; email: string | null };
  detail: Record<string, unknown>;
}

describe.each(anEngine(__filename))('the audit log on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  let operator: Browser;

  beforeAll(async () => {
    ({ browser: operator } = await signedIn(service, ['operator']));
    const tags = (names: string[], user?: string) =>
      client.set('itembank/tagging/tags', {
        tags: names.map((name) => ({ type: 'Subject', name, description: `About ${name}` })),
        ...(user && { meta: { user: { id: user, firstname: 'Ana', lastname: 'Lee', email: 'ana@example.org' } } }),
      });
    await tags(['Art', 'Maths'], 'ana');
    service.clock.advance(60_000);
    await tags(['Music']);
    await write(client, { workflows: [workflow('Review', { Draft: ['Done'], Done: [] })] });
  });

  const read = async (request: object = {}, of: Client = client) => {
    const { data, meta } = await of.get(PATH, request);
    expect(meta).toMatchObject({ status: true });
    return data as Entry[];
  };
  const references = async (request: object) => (await read(request)).map(({ reference }) => reference);

  it('shows what was changed, by whom and by which operation, newest first', async () => {
    expect(await read({ subjects: ['tag', 'workflow'] })).toEqual([
      expect.objectContaining({ subject: 'workflow', reference: 'review', created_by: 'manual-user' }),
      expect.objectContaining({ reference: 'subject:music', created_by: 'manual-user' }),
      expect.objectContaining({ reference: 'subject:maths', created_by: 'ana' }),
      {
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        subject: 'tag',
        reference: 'subject:art',
        operation: 'set itembank/tagging/tags',
        dt_created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        created_by: 'ana',
        author: { id: 'ana', firstname: 'Ana', lastname: 'Lee', email: 'ana@example.org' },
        detail: expect.objectContaining({ after: expect.objectContaining({ type: 'Subject', name: 'Art' }) }),
      },
    ]);
  });

  it.each([
    [{ subjects: ['workflow'] }, ['review']],
    [{ subjects: ['pool'] }, []],
    [{ references: ['SUBJECT:Art'] }, ['subject:art']],
    [{ references: ['Review', 'nothing'] }, ['review']],
    [{ subjects: ['tag'], created_by: ['ana'] }, ['subject:maths', 'subject:art']],
    [{ subjects: ['tag'], created_by: ['manual-user'] }, ['subject:music']],
    [{ operations: ['set itembank/workflows'] }, ['review']],
    [{ subjects: ['tag'], maxtime: '2020-01-01 00:00:00' }, []],
  ])('is filtered by %j', async (request, wanted) => {
    expect(await references(request)).toEqual(wanted);
  });

  it('is filtered by the earliest and the latest time of a change', async () => {
    const { data } = await client.get(PATH, { references: ['Subject:Art'] });
    const [{ dt_created: time }] = data as [{ dt_created: string }];
    expect(await references({ subjects: ['tag'], maxtime: time })).toEqual(['subject:maths', 'subject:art']);
    expect(await references({ subjects: ['tag'], mintime: time })).toHaveLength(3);
  });

  it('returns each entry once over all pages', async () => {
    const first = await client.get(PATH, { subjects: ['tag'], limit: 2 });
    const second = await client.get(PATH, { subjects: ['tag'], limit: 2, next: first.meta.next });
    expect([...(first.data as Entry[]), ...(second.data as Entry[])].map(({ reference }) => reference)).toEqual([
      'subject:music',
      'subject:maths',
      'subject:art',
    ]);
    expect(second.meta.next).toBeUndefined();
  });

  it('refuses an unknown subject, and names its place', async () => {
    expect(await client.get(PATH, { subjects: ['tag', 'tags'] })).toMatchObject({
      status: 400,
      meta: { errors: [{ pointer: '/subjects/1' }] },
    });
  });

  it('shows people and consumers of the organisation, without their roles in others', async () => {
    const person = await newPerson(service, { 1: ['author'], 2: ['operator'] });
    const stranger = await newPerson(service, { 2: ['author'] });
    const [entry] = await read({ subjects: ['person'], references: [person.id] });
    expect(entry).toMatchObject({ operation: 'create person', detail: { email: person.email, roles: ['author'] } });
    expect(await read({ subjects: ['person'], references: [stranger.id] })).toEqual([]);

    const { key } = await service.get(Consumers).create({
      label: 'shared',
      domains: ['*'],
      features: [],
      rateLimits: {},
      legacySignatures: false,
      grants: [
        { organisation: 1, access: 'read', primary: true },
        { organisation: 2, access: 'read', primary: false },
      ],
    });
    expect(await read({ references: [key] })).toEqual([]);
    const consumers = await read({ subjects: ['consumer'] });
    expect(consumers).toEqual([expect.objectContaining({ operation: 'create consumer' })]);
    expect(JSON.stringify(consumers)).not.toContain('secret');
    expect(await references({ subjects: ['organisation'] })).toEqual(['1']);
  });

  it('still lists the removal of an account after the details of the account are erased', async () => {
    const { body } = await operator.send('POST', '/console/people', {
      email: 'gone@example.org',
      firstname: 'Gone',
      lastname: null,
      roles: [{ organisation: 1, roles: ['viewer'] }],
    });
    expect((await operator.send('DELETE', `/console/people/${body.id}`)).status).toBe(204);
    const [entry] = await read({ subjects: ['person'], operations: ['remove person'] });
    expect(entry).toMatchObject({ reference: body.id, detail: {} });
    expect(JSON.stringify(await read({ subjects: ['person'] }))).not.toContain('gone@example.org');
  });

  it('shows reviewers and analysts only the subjects of their work, and names the place of each other one', async () => {
    const { browser: reviewer } = await signedIn(service, ['reviewer']);
    const call = (request: object, by = reviewer) => by.call(PATH, 'get', request);
    expect(await call({ subjects: ['tag', 'workflow'] })).toMatchObject({ status: 200, data: { length: 4 } });
    expect(await call({})).toMatchObject({ status: 403, meta: { code: 40003, errors: [{ pointer: '/subjects' }] } });
    expect(await call({ subjects: ['tag', 'session', 'person'] })).toMatchObject({
      status: 403,
      meta: { errors: [{ pointer: '/subjects/1' }, { pointer: '/subjects/2' }] },
    });
    const { browser: analyst } = await signedIn(service, ['analyst']);
    expect((await call({ subjects: ['session'] }, analyst)).status).toBe(200);
    expect((await call({ subjects: ['learner'] }, analyst)).status).toBe(403);
    expect((await call({}, operator)).status).toBe(200);
  });

  it('can be read however many people an organisation has', async () => {
    const { database, clock } = service;
    const ids = Array.from({ length: 40_000 }, () => newId(clock.now()));
    const person = (id: string) => [id, id, id, '', '', 'active', 0];
    const columns = ['id', 'email', 'email_key', 'firstname', 'lastname', 'status', 'created_at'];
    await database.insert('person', columns, ids.map(person));
    const roles = ids.map((id) => [2, id, 'viewer']);
    await database.insert('person_role', ['organisation_id', 'person_id', 'role'], roles);
    const other = await service.consumerOf([2, 'read']);
    const member = await newPerson(service, { 2: ['author'] });
    const [newest] = await read({ subjects: ['person'], limit: 1 }, other);
    expect(newest).toMatchObject({ operation: 'create person', reference: member.id });
    expect(await read({ subjects: ['person'], references: [ids[7]!, member.id] }, other)).toHaveLength(1);
  });

  it('shows nothing of other organisations', async () => {
    const other = await service.consumerOf([2, 'read']);
    expect(await read({ subjects: ['tag', 'workflow'] }, other)).toEqual([]);
    expect((await service.get(People).list()).length).toBeGreaterThan(0);
  });
});
