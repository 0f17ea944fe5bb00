import { type Database } from '#platform';
import { declarationOf, hasEffect, spellWhen } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { membersOf, type Request, schemaOf, valueAt, withValue } from '../support/declared-members';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { goodRequest, provisionGoodRequests, seedGoodRequests } from '../support/good-requests';
import { serviceOfSuite, startService } from '../support/service';

/* Undeclared members have no effect: a caller cannot set the author, the time or the score of a record with them. */

const TEXT = 'smuggled-7d1f';
const NUMBER = 774_411_996;

/** Stored values that no caller sets, under their names in requests, in the code and in the database. */
const SMUGGLED: Request = {
  ...Object.fromEntries(
    [
      'id',
      'record_id',
      'document_id',
      'pool_id',
      'session_id',
      'job_reference',
      'tag_set_id',
      'hash',
      'content_hash',
      'created_by',
      'created_by_id',
      'last_updated_by',
      'author',
      'author_id',
      'user',
      'user_id',
      'consumer',
      'consumer_key',
      'operation',
      'origin',
      'kind',
      'family',
      'type',
      'status',
      'state',
      'lane',
      'worker',
      'results',
      'input',
      'secret',
    ].map((name) => [name, TEXT]),
  ),
  ...Object.fromEntries(
    [
      'organisation',
      'organisation_id',
      'organisationId',
      'owner',
      'generation',
      'revision',
      'began_at',
      'attempts',
      'token',
      'dt_created',
      'dt_updated',
      'created_at',
      'updated_at',
      'dt_saved',
      'score',
      'max_score',
      'maxScore',
      'number',
    ].map((name) => [name, NUMBER]),
  ),
  constructor: { prototype: { smuggled: TEXT } },
  prototype: { smuggled: TEXT },
  $set: { status: TEXT },
  toString: TEXT,
};

/** Objects that may have any member. */
const OPEN_OBJECTS = /\/(definition|data|metadata|content|template|dynamic_content_data|adaptive)(\/|$)/;

/** Members that an operation rejects. */
const REFUSED: Record<string, string[]> = { 'sessions/templates': ['user_id', 'session_id'] };

// Reading a request does not depend on the database.
describe.each(anEngine(__filename))('members that are not declared, on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  beforeAll(async () => {
    await seedGoodRequests(service.client);
    await provisionGoodRequests(service);
  });

  it.each(
    operations
      .map(declarationOf)
      .map((each) => [`${each.action} ${each.path} ${each.when ? spellWhen(each.when) : ''}`, each] as const),
  )('%s: undeclared members have no effect', async (_, declaration) => {
    const { action, path, when } = declaration;
    const schema = schemaOf(declaration);
    const good = goodRequest(action, path, 1, when && spellWhen(when));
    const places = membersOf(schema)
      .filter(({ schema: inner, pointer }) => inner.properties && !OPEN_OBJECTS.test(pointer))
      .filter(({ pointer }) => isObject(valueAt(good, pointer)));
    const loaded = places.reduceRight(
      (request, { keys, pointer, schema: inner }) =>
        withValue(request, schema, keys, {
          ...undeclared(inner.properties!),
          ...(valueAt(request, pointer) as Request),
        }),
      good,
    );
    const request: Request = { ...undeclared(schema.properties!), ...loaded };
    for (const name of REFUSED[path] ?? []) delete request[name];
    const answer = await service.client.call(path, action, request);
    expectSuccess(answer);
    expect(answer.text).not.toMatch(new RegExp(`${TEXT}|${NUMBER}`));
    if (hasEffect(declaration) || /^jobs\//.test(path)) expect(await traces(service.database)).toEqual([]);
    expect(({} as Request).smuggled).toBeUndefined();
  });
});

const isObject = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of {@link SMUGGLED} that the declaration lacks. */
const undeclared = (declared: object): Request =>
  Object.fromEntries(Object.entries(SMUGGLED).filter(([name]) => !Object.hasOwn(declared, name)));

/** Returns the tables and columns that contain one of the values. */
async function traces(database: Database): Promise<string[]> {
  const tables = await database.rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const found: string[] = [];
  for (const { name } of tables)
    for (const row of await database.rows<Request>(`SELECT * FROM ${name}`))
      for (const [column, value] of Object.entries(row))
        if (String(value).includes(TEXT) || String(value).includes(String(NUMBER)))
          found.push(`${name}.${column}: ${String(value).slice(0, 2000)}`);
  return found;
}
