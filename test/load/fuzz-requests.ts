import fc, { type Arbitrary } from 'fast-check';
import { randomFrom } from '../../bench/seed';
import { declarationOf, rightFor, spellWhen } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { schemaOf } from '../support/declared-members';
import { changedRequest, likelyRequest } from '../support/generated-requests';
import { goodRequest } from '../support/good-requests';
import { type Breakage, BREAKAGES } from './broken-calls';

/**
 * `good`: succeeds. `allowed`: matches the declaration. `changed`: has up to three faults. `broken`: a call that the
 * service refuses for any request.
 */
export type FuzzKind = 'good' | 'allowed' | 'changed' | 'broken';

export interface FuzzRequest {
  number: number;
  kind: FuzzKind;
  path: string;
  action: string;
  /** The JSON text of the request. */
  text: string;
  /** The way in which the call is broken. */
  breakage?: Breakage;
}

/** Shares in percent. */
const SHARES: readonly (readonly [FuzzKind, number])[] = [
  ['good', 12],
  ['allowed', 30],
  ['changed', 50],
  ['broken', 8],
];
/** The number of requests of one operation that are generated at a time. */
const CHUNK = 40;
const MAX_ENTRIES = 4;

/**
 * Yields requests of all operations without end. The same seed gives the same requests. Call it after the records
 * that they name were created.
 */
export function* fuzzRequests(seed: number): Generator<FuzzRequest> {
  const random = randomFrom(seed);
  const sources = operations.map(declarationOf).map((declaration) => {
    const { action, path, when } = declaration;
    const schema = schemaOf(declaration);
    return {
      action,
      path,
      writes: rightFor(declaration) === 'write',
      good: () => JSON.stringify(goodRequest(action, path, 1 + random(MAX_ENTRIES), when && spellWhen(when))),
      allowed: stream(
        likelyRequest(schema, path).map((request) => JSON.stringify(request)),
        random,
      ),
      changed: stream(changedRequest(schema, path), random),
    };
  });
  for (let number = 0; ; number++) {
    const { action, path, writes, ...of } = sources[random(sources.length)]!;
    const kind = kindOf(random(100));
    const breakages = BREAKAGES.filter(({ onlyWrites }) => writes || !onlyWrites);
    if (kind === 'broken')
      yield { number, kind, action, path, text: of.good(), breakage: breakages[random(breakages.length)]! };
    else yield { number, kind, action, path, text: of[kind]() };
  }
}

function kindOf(hundredth: number): FuzzKind {
  let passed = 0;
  return SHARES.find(([, share]) => hundredth < (passed += share))![0];
}

function stream(arbitrary: Arbitrary<string>, random: (below: number) => number): () => string {
  let chunk: string[] = [];
  return () => {
    if (chunk.length === 0) chunk = fc.sample(arbitrary, { seed: random(2 ** 31), numRuns: CHUNK });
    return chunk.pop()!;
  };
}
