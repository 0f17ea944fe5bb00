import fc, { type Arbitrary } from 'fast-check';
import { formatTimestamp } from '#access';
import { type Random, randomFrom } from '../support/random';
import { declarationOf, rightFor, spellWhen } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { schemaOf } from '../support/declared-members';
import { changedRequest, likelyRequest } from '../support/generated-requests';
import { goodRequest } from '../support/good-requests';
import { DAY, MINUTE } from '../support/time';
import { BREAKAGES } from './broken-calls';
import { operationOfPerson, OPERATION_BREAKAGES, consoleSources } from './console-requests';
import { deliverySources } from './delivery-requests';
import { fileSources } from './file-requests';
import { type Callers, type Draft, type Judge, judgeOperation, type Source } from './fuzz-source';
import { formCall, type HttpAnswer, type HttpCall } from './http-call';

/**
 * `good`: succeeds. `allowed`: matches the declaration. `changed`: has up to three faults. `broken`: a call that the
 * service refuses for any request.
 */
export type FuzzKind = 'good' | 'allowed' | 'changed' | 'broken';

export interface FuzzRequest extends Draft {
  kind: FuzzKind;
  /** `set itembank/items`, or the method and path of a route. */
  target: string;
  /** The way in which the call is broken. */
  breakage?: string;
  make(callers: Callers): HttpCall | Promise<HttpCall>;
  judge: Judge;
  onSuccess?(callers: Callers, answer: HttpAnswer, call: HttpCall): void;
}

/** Shares in percent. */
const SHARES: readonly (readonly [FuzzKind, number])[] = [
  ['good', 12],
  ['allowed', 30],
  ['changed', 50],
  ['broken', 8],
];
/** The percentage of requests to routes of pages, the console and files. The others call operations. */
const PERCENT_OF_ROUTES = 25;
/** The percentage of operations that a person calls in the console. */
const PERCENT_OF_PEOPLE = 15;
/** The number of requests of one operation that are generated at a time. */
const CHUNK_SIZE = 40;
const MAX_ENTRIES = 4;

/** Accepted differences between the clocks of a caller and the service: from a week behind to a quarter hour ahead. */
const CLOCKS = [0, 0, 0, 14 * MINUTE, -5 * MINUTE, -6 * DAY];

type Maker = (number: number) => FuzzRequest;

/**
 * Yields requests for all operations and routes, without end. The same seed gives the same requests. First create the
 * records that they name.
 */
export function* fuzzRequests(seed: number): Generator<FuzzRequest> {
  const random = randomFrom(seed);
  const ofOperations = operations.map(declarationOf).map((declaration) => operationMaker(declaration, random));
  const ofRoutes = routeSources().flatMap((source) => new Array<Maker>(source.weight).fill(routeMaker(source, random)));
  for (let number = 0; ; number++) {
    const makers = random(100) < PERCENT_OF_ROUTES ? ofRoutes : ofOperations;
    yield makers[random(makers.length)]!(number);
  }
}

export const routeSources = (): readonly Source[] => [...deliverySources(), ...consoleSources(), ...fileSources()];

function operationMaker(declaration: ReturnType<typeof declarationOf>, random: Random): Maker {
  const { action, path, when } = declaration;
  const schema = schemaOf(declaration);
  const isWrite = rightFor(declaration) === 'write';
  const of: Record<'good' | 'allowed' | 'changed', () => string> = {
    good: () => JSON.stringify(goodRequest(action, path, 1 + random(MAX_ENTRIES), when && spellWhen(when))),
    allowed: stream(
      likelyRequest(schema, path).map((request) => JSON.stringify(request)),
      random,
    ),
    changed: stream(changedRequest(schema, path), random),
  };
  const breakages = BREAKAGES.filter(({ onlyWrites }) => isWrite || !onlyWrites);
  return (number) => {
    const kind = kindOf(random(100));
    const isOfPerson = random(100) < PERCENT_OF_PEOPLE;
    const target = `${isOfPerson ? 'a person: ' : ''}${action} ${path}`;
    const shared = { number, kind, target, path: `/v1/${path}`, judge: judgeOperation };
    if (kind === 'broken') {
      const text = of.good();
      if (isOfPerson) {
        const { name, make } = OPERATION_BREAKAGES[random(OPERATION_BREAKAGES.length)]!;
        return {
          ...shared,
          text,
          breakage: name,
          make: (callers) => make(callers, operationOfPerson(callers, path, action, text)),
        };
      }
      const { name, make } = breakages[random(breakages.length)]!;
      return { ...shared, text, breakage: name, make: (callers) => make(callers, path, action, text) };
    }
    const text = of[kind]();
    const difference = CLOCKS[random(CLOCKS.length)]!;
    return {
      ...shared,
      text,
      make: (callers) => {
        if (isOfPerson) return operationOfPerson(callers, path, action, text);
        const timestamp = formatTimestamp(Date.now() + difference);
        return formCall(`/v1/${path}`, callers.client.fields(text, action, { timestamp }));
      },
    };
  };
}

function routeMaker(source: Source, random: Random): Maker {
  const { route, judge, breakages } = source;
  const onSuccess = source.onSuccess?.bind(source);
  const likely = stream(source.likely, random);
  const changed = stream(source.changed, random);
  return (number) => {
    const kind = kindOf(random(100));
    const { path, text } = kind === 'changed' ? changed() : likely();
    const draft: Draft = { number, path, text };
    const keeping: Pick<FuzzRequest, 'onSuccess'> = onSuccess
      ? { onSuccess: (callers, answer, call) => onSuccess(callers, answer, call, draft) }
      : {};
    const shared = { ...draft, target: route, judge, ...keeping };
    const breakage = kind === 'broken' && breakages.length > 0 ? breakages[random(breakages.length)]! : undefined;
    if (breakage)
      return {
        ...shared,
        kind,
        breakage: breakage.name,
        make: async (callers) => breakage.make(callers, await source.make(callers, draft), draft),
      };
    return { ...shared, kind: kind === 'changed' ? kind : 'allowed', make: (callers) => source.make(callers, draft) };
  };
}

function kindOf(hundredth: number): FuzzKind {
  let passed = 0;
  return SHARES.find(([, share]) => hundredth < (passed += share))![0];
}

function stream<T>(arbitrary: Arbitrary<T>, random: Random): () => T {
  let chunk: T[] = [];
  return () => {
    if (chunk.length === 0) chunk = fc.sample(arbitrary, { seed: random(2 ** 31), numRuns: CHUNK_SIZE });
    return chunk.pop()!;
  };
}
