import { setImmediate as turn } from 'node:timers/promises';
import { Fault, type Json, type JsonObject, place } from '#kernel';
import { Exceeded, type Threads } from '#platform';
import { isFormulaType, type ResponseScore, score, type ScoreOptions, scoreStopped } from '#scoring';

/** The limit of processor time for scoring one question. */
const MAX_MS = 1000;

/** The maximum size, in values and blocks of text, of a question and response that are scored without a thread. */
const SMALL = 2000;
const BLOCK = 100;

const SCORING = require.resolve('#scoring');

/** Whether scoring takes only a few milliseconds, so that it needs no thread. */
export function isQuick(definition: JsonObject & { type: string }, response: Json | undefined): boolean {
  return !isFormulaType(definition.type) && isSmall([definition, response ?? null]);
}

/**
 * Scores a response without blocking other requests. Questions that may take more than some milliseconds, such as
 * formulas and very large definitions, are scored in a thread. Each has one second of processor time.
 * @param definition of the question, with its `type`. Like the response, it may be any JSON.
 * @param at place of the question in the request.
 * @throws Fault `unavailable` when too many questions wait for a thread, `too-large` when even reading the definition
 * takes longer than a second.
 */
export async function scoreInTime(
  threads: Threads,
  definition: JsonObject & { type: string },
  response: JsonObject | undefined,
  at: string,
  options?: ScoreOptions,
): Promise<ResponseScore> {
  if (isQuick(definition, response)) {
    await turn();
    return score(definition, response, options);
  }
  try {
    const values = [definition, response, options];
    return (await threads.run(SCORING, score.name, values, MAX_MS)) as ResponseScore;
  } catch (error) {
    if (!(error instanceof Exceeded)) throw error;
    return stopped(threads, definition, response, error, at);
  }
}

async function stopped(
  threads: Threads,
  definition: JsonObject,
  response: JsonObject | undefined,
  { what }: Exceeded,
  at: string,
): Promise<ResponseScore> {
  const values = [definition, response, what === 'time' ? 'too-slow' : 'too-large'];
  try {
    return (await threads.run(SCORING, scoreStopped.name, values, MAX_MS)) as ResponseScore;
  } catch (error) {
    if (!(error instanceof Exceeded)) throw error;
    throw new Fault('too-large', `${place(at)} is too large to be read within ${MAX_MS} ms; make it smaller.`, at);
  }
}

/** Stops reading as soon as the limit is exceeded. */
function isSmall(values: Json[]): boolean {
  const unseen = values;
  let left = SMALL;
  for (let value = unseen.pop(); value !== undefined; value = unseen.pop()) {
    left -= 1;
    if (typeof value === 'string') left -= value.length / BLOCK;
    const within = typeof value === 'object' && value !== null ? Object.values(value) : [];
    if (left < within.length) return false;
    unseen.push(...within);
  }
  return left >= 0;
}
