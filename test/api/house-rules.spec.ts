import { nameOfCharacter } from '#kernel';
import { type Declaration, declarationOf, rightFor, spellWhen } from '../../apps/api/src/declaration/operation';
import implemented from '../../apps/api/src/declaration/specified-operations.json';
import { operations } from '../../apps/api/src/operations';
import beyond from '../spec/beyond.json';
import specification from '../spec/operations.json';
import { type Answer, type Client } from '../support/client';
import { type Member, membersOf, type Request, schemaOf, typesOf, withValue } from '../support/declared-members';
import { unlikeDeclared } from '../support/declared-answers';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { goodRequest, provisionGoodRequests, seedGoodRequests, seedSessions } from '../support/good-requests';
import { serviceOfSuite, startService } from '../support/service';
import { stateOf } from '../support/state';

/* Rules that hold for every operation. They follow from its row in the specification, and from its declaration. */

interface Row {
  path: string;
  action: string;
  when?: string;
  deprecated?: boolean;
  asynchronous?: boolean;
  paged?: boolean;
  list?: { member: string; max: number };
  filters: string[];
  required?: string[];
  limits?: Record<string, number>;
  keyed?: string;
  answer: 'array' | 'object' | 'empty';
}

const rows = specification as Row[];
/** Additional operations of this service, for which the same rules hold. */
const more = beyond as Row[];
const declarations = operations.map(declarationOf);
const nameOf = ({ action, path, when }: { action: string; path: string; when?: Declaration['when'] | string }) =>
  [action, path, typeof when === 'object' ? spellWhen(when) : when].filter(Boolean).join(' ');
const declarationFor = (row: Row) => declarations.find((declaration) => nameOf(declaration) === nameOf(row));
const all = [...rows, ...more].map((row) => [nameOf(row), row] as const);

describe('the list of operations', () => {
  it('matches the specification', () => {
    const keyOf = ({ path, action, when }: { path: string; action: string; when?: string }) =>
      [path, action, when].join(' ');
    expect(implemented.map(keyOf).sort()).toEqual(rows.map(keyOf).sort());
  });

  it('has a declaration for every operation, and no other', () => {
    expect(declarations.map(nameOf).sort()).toEqual(all.map(([name]) => name).sort());
  });

  it('names no operation twice', () => {
    expect(new Set(declarations.map(nameOf)).size).toBe(declarations.length);
  });

  describe.each(all)('%s', (_, row) => {
    const declaration = declarationFor(row)!;
    const members = membersOf(schemaOf(declaration));
    const find = (pointer: string) => members.find((member) => member.pointer === pointer);

    it('declares every parameter of the specification', () => {
      const pointers = row.filters.map((filter) => `/${filter.replaceAll('.', '/')}`);
      expect(pointers.filter((pointer) => !find(pointer))).toEqual([]);
    });

    it('requires what the specification requires', () => {
      const pointers = (row.required ?? []).map((name) => `/${name.replaceAll('[]', '/0').replaceAll('.', '/')}`);
      expect(pointers.filter((pointer) => !find(pointer)?.required)).toEqual([]);
    });

    it('is deprecated when the specification says so, and has a summary', () => {
      expect(declaration.deprecated ?? false).toBe(row.deprecated ?? false);
      expect(declaration.summary).toMatch(/^[A-Z].*\.$/);
    });
  });
});

describe.each(anEngine(__filename))('house rules on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  /** May read organisation 1, and nothing else. */
  let reader: Client;
  beforeAll(async () => {
    reader = await service.consumerOf([1, 'read']);
    await seedGoodRequests(client);
    await provisionGoodRequests(service);
  });

  describe.each(all)('%s', (_, row) => {
    const writes = rightFor(declarationFor(row)!) === 'write';
    const schema = schemaOf(declarationFor(row)!);
    const members = membersOf(schema);
    const good = (count?: number) => goodRequest(row.action, row.path, count, row.when);
    const send = (request: Request, as = client): Promise<Answer> => as.call(row.path, row.action, request);
    const changed = (member: Member, value: unknown) => withValue(good(), schema, member.keys, value);

    /** The good request. A read also includes every property that can be requested. */
    const everythingIncluded = (): Request => {
      let request = good();
      if (row.action !== 'get') return request;
      for (const { keys, pointer, schema: declared } of members) {
        const isList = declared.type === 'array' && pointer.startsWith('/include/');
        // A list of free names is one of metadata.
        const names = declared.items?.enum ?? [declared.items?.const ?? 'session_tags'];
        if (isList || declared.type === 'boolean') request = withValue(request, schema, keys, isList ? names : true);
      }
      return request;
    };

    /** Sends each request, and returns a line for each answer without the expected code and pointer. */
    const unexpectedAnswers = async (
      requests: { what: string; request: Request; code: number; pointer: string; orWithin?: boolean }[],
    ): Promise<string[]> => {
      const before = writes && (await stateOf(service.database));
      const others: string[] = [];
      for (const { what, request, code, pointer, orWithin } of requests) {
        const answer = await send(request);
        const pointers = answer.meta.errors?.map((error) => error.pointer) ?? [];
        const named = pointers.some((each) => each === pointer || (orWithin && each.startsWith(`${pointer}/`)));
        if (answer.meta.code === code && named) expectFailure(answer, 400, code);
        else others.push(`${what}: ${answer.status} ${answer.meta.code} at ${pointers.join()}: ${answer.meta.message}`);
      }
      // Rejected requests change nothing.
      if (writes) expect(await stateOf(service.database)).toBe(before);
      return others;
    };

    /** Sends each request and returns those that failed. */
    const failed = async (requests: { what: string; request: Request }[]): Promise<string[]> => {
      const others: string[] = [];
      for (const { what, request } of requests) {
        const answer = await send(request);
        if (answer.meta.status) expectSuccess(answer);
        else others.push(`${what}: ${answer.status} ${answer.meta.code}: ${answer.meta.message}`);
      }
      return others;
    };

    it('answers a good request in the shape of the specification', async () => {
      const answer = await send(good());
      expectSuccess(answer);
      if (row.answer === 'empty') expect(answer.data).toEqual([]);
      else expect(Array.isArray(answer.data)).toBe(row.answer === 'array');
      if (row.paged) expect(answer.meta.records).toBe((answer.data as unknown[]).length);
      if (row.keyed) {
        const keyed = await send({ [row.keyed]: ['good0'] });
        expectSuccess(keyed);
        expect(Object.keys(keyed.data as object)).toEqual(['good0']);
      }
    });

    it('answers with everything that it declares, and with nothing else', async () => {
      const { output } = declarationFor(row)!;
      const keyed = row.keyed === undefined ? [] : [{ ...everythingIncluded(), [row.keyed]: ['good0'] }];
      for (const request of [good(), everythingIncluded(), ...keyed]) {
        const { data } = await send(request);
        expect([request, unlikeDeclared(output, data)]).toEqual([request, []]);
        if (row.answer !== 'empty') expect(Object.keys(data as object)).not.toEqual([]);
      }
    });

    if (row.paged)
      it('pages by limit and next, and counts the records of the page', async () => {
        const first = await send({ ...good(2), limit: 1 });
        expect([first.meta.records, first.data.length]).toEqual([1, 1]);
        const second = await send({ ...good(2), limit: 1, next: first.meta.next });
        expect([second.meta.records, second.data.length]).toEqual([1, 1]);
        expect(second.data).not.toEqual(first.data);
        const none = await send({ ...good(), limit: 1, ...noRecords(row) });
        expectSuccess(none);
        // Reads of sessions always return a token (decision 36).
        const hasNext = row.path.startsWith('sessions/') && !row.path.startsWith('sessions/marking/');
        expect([none.meta.records, none.data, 'next' in none.meta]).toEqual([0, [], hasNext]);
      });

    if (row.list) {
      const { member, max } = row.list;
      it(`20002: refuses more than ${max} ${member}, and accepts that many`, async () => {
        expect(
          await unexpectedAnswers([{ what: 'one more', request: good(max + 1), code: 20002, pointer: `/${member}` }]),
        ).toEqual([]);
        if (row.path.includes('sessions')) await seedSessions(service, max);
        expectSuccess(await send(good(max)));
      });

      it('accepts an empty list, which changes no record', async () => {
        const before = await stateOf(service.database);
        expectSuccess(await send({ ...good(), [member]: [] }));
        // An empty list still starts a job.
        if (!row.asynchronous) expect(await stateOf(service.database)).toBe(before);
      });

      it('30000: rejects the same entry twice in one request', async () => {
        const request = good();
        const list = request[member];
        if (!Array.isArray(list)) return;
        const twice = { ...request, [member]: [...list, ...list] };
        const pointer = `/${member}/1`;
        expect(
          await unexpectedAnswers([{ what: 'twice', request: twice, code: 30000, pointer, orWithin: true }]),
        ).toEqual([]);
      });

      it('writes nothing when the last of many entries is wrong', async () => {
        const request = good(Math.min(max, 50));
        const list = request[member];
        if (!Array.isArray(list)) return;
        const wrong = { ...request, [member]: [...list.slice(0, -1), 7] };
        const pointer = `/${member}/${list.length - 1}`;
        expect(await unexpectedAnswers([{ what: 'the last', request: wrong, code: 20003, pointer }])).toEqual([]);
      });
    }

    if (row.limits)
      it('20002: accepts the maximum number of references, and rejects more', async () => {
        const lists = Object.entries(row.limits!).flatMap(([name, max]) => {
          const pointer = `/${name.replaceAll('.', '/')}`;
          // If a filter is an object, it contains the lists.
          return members
            .filter(
              (each) =>
                each.schema.type === 'array' && (each.pointer === pointer || each.pointer.startsWith(`${pointer}/`)),
            )
            .map((each) => ({ member: each, max }));
        });
        expect(lists.length).toBeGreaterThanOrEqual(Object.keys(row.limits!).length);
        // A package may only name existing records, and only existing views can be deleted; filters may name any.
        const mustExist = ['itembank/offlinepackage', 'itembank/views'].includes(row.path);
        const references = (count: number) =>
          Array.from({ length: count }, (_, index) => (mustExist ? `good${index % 50}` : `r${index}`));
        expect(
          await unexpectedAnswers(
            lists.map(({ member, max }) => ({
              what: member.pointer,
              request: changed(member, references(max + 1)),
              code: 20002,
              pointer: member.pointer,
            })),
          ),
        ).toEqual([]);
        // Jobs that do not exist are refused one by one, however many a list may hold.
        if (row.path === 'jobs' && row.action === 'update') return;
        expect(
          await failed(
            lists.map(({ member, max }) => ({ what: member.pointer, request: changed(member, references(max)) })),
          ),
        ).toEqual([]);
      });

    it('accepts texts of the maximum length', async () => {
      const texts = members.filter(({ schema: inner }) => inner.maxLength !== undefined);
      // Different for each operation, because questions and features share references.
      const ofPath = row.when?.at(-1) ?? row.path.split('/').at(1)?.at(0) ?? 'x';
      const letter = row.action === 'update' ? ofPath.toUpperCase() : ofPath;
      const longest = texts
        .map((member) => {
          // All operations share idempotency keys.
          const beginning = member.pointer.endsWith('idempotency_key') ? nameOf(row) : '';
          const text = beginning.padEnd(member.schema.maxLength!, letter);
          return { what: member.pointer, request: changed(member, text) };
        })
        // No record has such a long name, so it is valid but not found.
        .filter(
          ({ what }) =>
            !/authoring_workflow|new_reference|content_search|state_reference|workflow_states\/0\/reference/.test(
              what,
            ) &&
            !/(tags|duplicate|nodes|datasets|history\/diff|history\/restore)$/.test(row.path) &&
            !(row.path === 'itembank/pools' && row.action === 'update' && what === '/pools/0/reference') &&
            !(row.path === 'jobs' && row.action === 'update' && what === '/references/0') &&
            !(row.path.startsWith('sessions/marking/') && /^.(references?|round|answer|after|question)\b/.test(what)) &&
            !(row.path === 'itembank/views' && what === '/references/0') &&
            !isMarkOfAnother(row, what),
        );
      expect(await failed(longest)).toEqual([]);
    });

    // All engines answer alike to requests that are rejected before a query, so one engine is enough.
    if (engine === anEngine(__filename)[0]) {
      if (members.some(({ required }) => required))
        it('20000: names each required member that is missing or null', async () => {
          const requests = members
            // Without the member that selects the operation, another one answers.
            .filter(({ required, pointer }) => required && pointer !== `/${row.when?.split('=')[0]}`)
            .flatMap((member) =>
              [undefined, null].map((value) => ({
                what: `${member.pointer} ${value}`,
                request: changed(member, value),
                code: 20000,
                pointer: member.pointer,
              })),
            );
          expect(await unexpectedAnswers(requests)).toEqual([]);
        });

      it('20002: rejects lists that are longer than declared', async () => {
        const requests = members
          .filter(({ schema: { maxItems } }) => maxItems !== undefined)
          .map((member) => ({
            what: member.pointer,
            request: changed(member, new Array(member.schema.maxItems! + 1).fill('x')),
            code: 20002,
            pointer: member.pointer,
          }));
        expect(await unexpectedAnswers(requests)).toEqual([]);
      });

      it('20003: names each member of a wrong type', async () => {
        const values: Record<string, unknown> = {
          string: 'text',
          integer: 7,
          boolean: true,
          array: [7],
          object: { a: 1 },
          null: null,
        };
        const requests = members.flatMap((member) => {
          const types = typesOf(member.schema);
          const right = new Set(types.includes('number') ? [...types, 'integer'] : types);
          return Object.entries(values)
            .filter(([type]) => !right.has(type) && type !== 'null')
            .map(([type, value]) => ({
              what: `${member.pointer} as ${type}`,
              request: changed(member, value),
              code: 20003,
              pointer: member.pointer,
              // A list of tags may also be an object, whose content is then wrong.
              orWithin: true,
            }));
        });
        // A smaller number would mean that the declaration was not understood.
        expect(requests.length).toBeGreaterThanOrEqual(2 * members.length);
        expect(await unexpectedAnswers(requests)).toEqual([]);
      });

      it('20003: rejects null as an entry of a list', async () => {
        const requests = members
          .filter(({ keys, schema: inner }) => keys.at(-1) === 0 && !typesOf(inner).includes('null'))
          .map((member) => ({
            what: member.pointer,
            request: changed(member, null),
            code: 20003,
            pointer: member.pointer,
          }));
        expect(await unexpectedAnswers(requests)).toEqual([]);
      });

      it('20004: lists the allowed words of a member, also of include', async () => {
        const requests = members
          .filter(({ schema: inner }) => inner.enum)
          .flatMap((member) =>
            [
              'nonsense',
              '',
              String(member.schema.enum![0]).toUpperCase(),
              `${String(member.schema.enum![0])} `,
              '__proto__',
            ].map((word) => ({
              what: `${member.pointer} ${word}`,
              request: changed(member, word),
              code: 20004,
              pointer: member.pointer,
            })),
          );
        expect(await unexpectedAnswers(requests)).toEqual([]);
        for (const { request } of requests.slice(0, 1)) {
          const { meta } = await send(request);
          expect(meta.message).toMatch(/must be one of \w+.*; it is "nonsense"/);
        }
      });

      it('20001: names each text that is too long or too short', async () => {
        const texts = members.filter(({ schema: inner }) => inner.maxLength !== undefined);
        const tooLong = texts.map((member) => ({
          what: `${member.pointer} too long`,
          request: changed(member, 'x'.repeat(member.schema.maxLength! + 1)),
          code: 20001,
          pointer: member.pointer,
        }));
        const tooShort = texts
          .filter(({ schema: inner }) => inner.minLength)
          .map((member) => ({
            what: `${member.pointer} empty`,
            request: changed(member, ''),
            code: 20001,
            pointer: member.pointer,
          }));
        expect(await unexpectedAnswers([...tooLong, ...tooShort])).toEqual([]);
      });

      it('20004: names the invalid character of a reference', async () => {
        const references = members.filter(({ schema: inner }) => inner.pattern);
        for (const member of references) {
          const allowed = new RegExp(member.schema.pattern!);
          for (const character of ['"', "'", '`', 'ü', '\n', '\t', '\u007f', '☃', '😀', '\u202e', '/', ' ']) {
            const answer = await send(changed(member, `a${character}b`));
            if (allowed.test(`a${character}b`)) {
              // The character is valid, whether or not the record exists.
              expect(answer.meta.code).not.toBe(20004);
              continue;
            }
            expectFailure(answer, 400, 20004, /\(character 2\)/);
            expect(answer.meta.message).toContain(nameOfCharacter(character));
            expect(answer.meta.errors![0]!.pointer).toBe(member.pointer);
          }
        }
      });

      it('20004: names each number out of its range', async () => {
        const numbers = members.filter(
          ({ schema: { minimum, maximum }, pointer }) => (minimum ?? maximum) !== undefined && pointer !== '/limit',
        );
        const requests = numbers.flatMap((member) => {
          const { minimum, maximum } = member.schema;
          return [minimum === undefined ? [] : [minimum - 1], maximum === undefined ? [] : [maximum + 1]]
            .flat()
            .map((value) => ({
              what: `${member.pointer} ${value}`,
              request: changed(member, value),
              code: 20004,
              pointer: member.pointer,
            }));
        });
        expect(await unexpectedAnswers(requests)).toEqual([]);
      });
    }

    it('accepts null for every optional member', async () => {
      const requests = members
        .filter(({ required, keys }) => !required && keys.at(-1) !== 0)
        .map((member) => ({ what: member.pointer, request: changed(member, null) }))
        // With all other members of an object filled in, these name records that do not exist.
        .filter(({ what }) => !/^\/authoring_workflow\//.test(what))
        // A restore without entries is rejected, and so are records that do not exist.
        .filter(
          ({ what }) =>
            !(row.path === 'itembank/history/restore' && /^\/(?!meta|organisation_id)/.test(what)) &&
            // A filter of sessions cannot be combined with the named ones of the good request.
            !(row.path === 'sessions/item' && what.startsWith('/sessions/')) &&
            !isMarkOfAnother(row, what),
        );
      expect(await failed(requests)).toEqual([]);
    });

    it('accepts [] for an object without members, as PHP writes it', async () => {
      for (const member of members.filter(({ schema: inner }) => typesOf(inner).includes('object'))) {
        const [asList, asObject] = [await send(changed(member, [])), await send(changed(member, {}))];
        expect([member.pointer, asList.status, asList.meta.code, asList.meta.message]).toEqual([
          member.pointer,
          asObject.status,
          asObject.meta.code,
          asObject.meta.message,
        ]);
        expect(asList.meta.code).not.toBe(20003);
      }
    });

    it('accepts the telemetry of the SDKs beside its parameters', async () => {
      const sdk = {
        version: 'v1.2.1',
        lang: 'php',
        lang_version: '8.3',
        platform: 'Linux',
        platform_version: '6',
        lang_flavor: 'x',
      };
      expect(
        await failed([
          { what: 'sdk', request: { ...good(), meta: { sdk } } },
          {
            what: 'consumer and action',
            request: { ...good(), meta: { sdk, consumer: client.key, action: nameOf(row) } },
          },
          { what: 'nothing', request: { ...good(), meta: [] } },
        ]),
      ).toEqual([]);
    });

    it('40003: rejects the bank of another organisation', async () => {
      const before = await stateOf(service.database);
      for (const organisation_id of [2, '2', 99]) {
        const answer = await send({ ...good(), organisation_id });
        expectFailure(answer, 403, 40003, `organisation ${organisation_id}`);
        expect(answer.meta.errors![0]!.pointer).toBe('/organisation_id');
      }
      expectSuccess(await send({ ...good(), organisation_id: 1 }));
      // A read may leave behind only a job.
      if (!writes && !row.asynchronous) expect(await stateOf(service.database)).toBe(before);
    });

    it(writes ? '40003: may not be called with a grant to read' : 'may be called with a grant to read', async () => {
      const before = await stateOf(service.database);
      const answer = await send(good(), reader);
      if (writes) {
        expectFailure(answer, 403, 40003, /not write/);
        expect(answer.meta.errors).toMatchObject([{ code: 40003, pointer: '/organisation_id' }]);
      } else expectSuccess(answer);
      if (writes || !row.asynchronous) expect(await stateOf(service.database)).toBe(before);
    });

    if (row.action !== 'get')
      it('has one effect per idempotency key, and 20011: rejects another request with the same key', async () => {
        const request = { ...good(), meta: { idempotency_key: `key of ${nameOf(row)}` } };
        const first = await send(request);
        expectSuccess(first);
        const before = await stateOf(service.database);
        const again = await send(request);
        expectSuccess(again);
        expect(again.data).toEqual(first.data);
        expect(again.meta).toEqual({ ...first.meta, timestamp: again.meta.timestamp, idempotent_replay: true });
        const other = await send({ ...request, unknown_member: 1 });
        expectFailure(other, 409, 20011, /meta\.idempotency_key/);
        expect(other.meta.errors).toMatchObject([{ pointer: '/meta/idempotency_key' }]);
        expect(await stateOf(service.database)).toBe(before);
      });

    if (row.action !== 'get')
      it('accepts an author in meta.user, and reports a wrong one', async () => {
        const whole = {
          id: 'u'.repeat(50),
          firstname: 'f'.repeat(50),
          lastname: 'l'.repeat(50),
          email: 'e'.repeat(255),
        };
        const withUser = (user: unknown) => ({ ...good(), meta: { user, sdk: {} } });
        expect(
          await failed(
            [
              { what: 'all members', request: withUser(whole) },
              { what: 'an id', request: withUser({ id: 'ü ☃' }) },
              { what: 'nulls', request: withUser({ id: 'x', firstname: null, lastname: null, email: null }) },
              { what: 'none', request: withUser(null) },
            ].filter(({ what }) => what === 'none' || !isMarkOfAnother(row, '/meta/user')),
          ),
        ).toEqual([]);
        expect(
          await unexpectedAnswers([
            ...Object.entries(whole).map(([name, text]) => ({
              what: `long ${name}`,
              request: withUser({ ...whole, [name]: `${text}x` }),
              code: 20001,
              pointer: `/meta/user/${name}`,
            })),
            { what: 'no id', request: withUser({ firstname: 'x' }), code: 20000, pointer: '/meta/user/id' },
            { what: 'empty id', request: withUser({ id: '' }), code: 20001, pointer: '/meta/user/id' },
            { what: 'no members', request: withUser([]), code: 20000, pointer: '/meta/user/id' },
            { what: 'a text', request: withUser('me'), code: 20003, pointer: '/meta/user' },
            { what: 'a number as id', request: withUser({ id: 7 }), code: 20003, pointer: '/meta/user/id' },
          ]),
        ).toEqual([]);
      });
  });
});

/** Only the person who marked an answer last can mark it again. */
const isMarkOfAnother = ({ path, action }: Row, what: string): boolean =>
  path === 'sessions/marking/marks' && action === 'set' && what.startsWith('/meta/');

/** A filter that matches nothing. */
function noRecords({ path, filters }: Row): Request {
  if (path === 'itembank/views') return { screen: 'nothing' };
  if (path === 'sessions/marking/marks') return { stages: ['third'] };
  const name = ['references', 'names', 'session_id'].find((each) => filters.includes(each));
  if (!name) throw new Error('Add a filter to noRecords with which this operation finds nothing.');
  return { [name]: ['nothing has this name'] };
}
