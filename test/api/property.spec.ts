import fc from 'fast-check';
import { declarationOf, rightFor, spellWhen } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import specification from '../spec/operations.json';
import { type Answer } from '../support/client';
import { type Request, schemaOf, valueAt } from '../support/declared-members';
import { anEngine, type Engine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { changedRequest, likelyRequest } from '../support/generated-requests';
import { goodRequest, provisionGoodRequests, seedGoodRequests } from '../support/good-requests';
import { serviceOfSuite, startService } from '../support/service';
import { stateOf } from '../support/state';

/** Change both to test more. A seed always gives the same requests. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_260_102);
const RUNS: Record<Engine, number> = { sqlite: 200, mariadb: 20, mysql: 20 };
const settings = (engine: Engine) => ({ seed: SEED, numRuns: Number(process.env.PROPERTY_RUNS ?? RUNS[engine]) });

/** Faults about the whole request or its sender. */
const WITHOUT_PLACE = new Set([20009, 20011]);

describe.each(anEngine(__filename))('generated requests on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  beforeAll(async () => {
    await seedGoodRequests(client);
    await provisionGoodRequests(service);
  });

  /** Properties of every answer to any request. */
  const expectAnswer = (answer: Answer, request: unknown) => {
    if (answer.meta.status) return expectSuccess(answer);
    const { code, errors } = answer.meta;
    expect([400, 403, 409]).toContain(answer.status);
    expectFailure(answer, answer.status, code!);
    if (!WITHOUT_PLACE.has(code!))
      expect([answer.meta.message, errors?.length]).not.toEqual([answer.meta.message, undefined]);
    for (const { pointer } of errors ?? []) {
      const holder = pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
      // The place, or the parent of a missing member.
      if (valueAt(request, pointer) === undefined)
        expect([pointer, typeof valueAt(request, holder)]).toEqual([pointer, 'object']);
    }
  };

  describe.each(
    operations
      .map(declarationOf)
      .map((declaration) => [`${declaration.action} ${declaration.path}`, declaration] as const),
  )('%s', (_, declaration) => {
    const { action, path } = declaration;
    const schema = schemaOf(declaration);
    // A read may leave behind only a job.
    const startsJob = specification.some((row) => row.path === path && row.action === action && row.asynchronous);

    it('fails only in the defined ways, and writes nothing when it fails', async () => {
      const reached = { successes: 0, refusals: 0 };
      await fc.assert(
        fc.asyncProperty(changedRequest(schema, path), async (text) => {
          const before = await stateOf(service.database);
          const answer = await client.call(path, action, text);
          expectAnswer(answer, JSON.parse(text));
          if (answer.meta.status) reached.successes++;
          else reached.refusals++;
          if (!answer.meta.status || (rightFor(declaration) === 'read' && !startsJob))
            expect(await stateOf(service.database)).toBe(before);
        }),
        settings(engine),
      );
      // Otherwise all requests were of one kind and the test would show little.
      expect(Math.min(reached.successes, reached.refusals)).toBeGreaterThan(0);
    });
  });

  // Records that were read can be set again without a change.
  describe.each(['activities', 'items', 'questions', 'features'])('%s', (kind) => {
    const path = `itembank/${kind}`;
    const declaration = operations.map(declarationOf).find((each) => each.path === path && each.action === 'set')!;

    it('are read as they were set, and do not change when set again as read', async () => {
      let set = 0;
      await fc.assert(
        fc.asyncProperty(likelyRequest(schemaOf(declaration), path), async (request) => {
          const answer = await client.set(path, request);
          expectAnswer(answer, request);
          const sent = request[kind] as Request[];
          if (!answer.meta.status || sent.length === 0) return;
          set++;
          const references = sent.map((each) => (each.new_reference ?? each.reference) as string);
          const read = () =>
            client.get(path, {
              references,
              ...(kind === 'activities' ? { status: ['published', 'unpublished', 'archived'] } : {}),
            });
          const first = await read();
          expectSuccess(first);
          expect((first.data as Request[]).map(({ reference }) => reference).sort()).toEqual([...references].sort());
          for (const each of first.data as Request[]) {
            const entry = sent.find(({ reference, new_reference }) => (new_reference ?? reference) === each.reference)!;
            for (const member of ['title', 'note', 'source', 'type'])
              if (entry[member] !== undefined && member in each)
                expect([member, each[member]]).toEqual([member, entry[member]]);
            if (entry.status) expect(each.status).toBe(entry.status);
          }
          const again = await client.set(path, { [kind]: first.data });
          expectSuccess(again);
          expect((await read()).data).toEqual(first.data);
        }),
        settings(engine),
      );
      expect(set).toBeGreaterThan(0);
    });
  });

  it('start from valid requests', async () => {
    for (const { action, path, when } of operations.map(declarationOf))
      expectSuccess(await client.call(path, action, goodRequest(action, path, 1, when && spellWhen(when))));
  });
});
