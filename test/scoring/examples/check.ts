import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '#kernel';
import { lint, maxScore, score, SCORED_TYPES } from '#scoring';

interface Outcome {
  /** One line for each question. */
  lines: string[];
  checked: number;
  failed: number;
}

/**
 * Scores every question in the JSON files of a folder, at any depth. The valid response must earn the maximum, which is
 * computed independently here, and a completely wrong response must earn nothing. The check lists findings of lint. It
 * does not score a question without a key.
 */
export function checkFolder(folder: string): Outcome {
  const outcome: Outcome = { lines: [], checked: 0, failed: 0 };
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    for (const question of questionsIn(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json)) {
      const { verdict, problems } = check(question);
      outcome.checked++;
      if (problems.length > 0) outcome.failed++;
      outcome.lines.push(`${file}: ${question['type'] as string}: ${problems.join('; ') || verdict}`);
    }
  }
  return outcome;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function questionsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(questionsIn);
  if (!isObject(value)) return [];
  if (typeof value['type'] === 'string' && isObject(value['validation'])) return [value];
  return Object.values(value).flatMap(questionsIn);
}

function check(question: JsonObject): { verdict: string; problems: string[] } {
  const findings = lint(question);
  const listed = findings.map(({ code, at }) => `${code} at ${at}`).join(', ');
  if (!SCORED_TYPES.includes(question['type'] as string)) {
    const { score: points, reasons } = score(question, { value: 'x' });
    return { verdict: reasons.outcome, problems: points === null ? [] : ['scored, although its type is not'] };
  }
  if (findings.some(({ code }) => code === 'no-answer')) return { verdict: `no key (${listed})`, problems: [] };

  const problems: string[] = [];
  const expect = (what: string, actual: Json, expected: Json): void => {
    if (actual !== expected)
      problems.push(`${what}: ${JSON.stringify(actual)} in place of ${JSON.stringify(expected)}`);
  };
  const maximum = expectedMaximum(question);
  expect('maximum', maxScore(question), maximum);
  expect('valid response', score(question, { value: rightValue(question) }).score, maximum);
  expect('wrong response', score(question, { value: wrongValue(question) }).score, 0);
  return { verdict: `of ${maximum}${listed && ` (${listed})`}`, problems };
}

function acceptedOf(question: JsonObject): JsonObject[] {
  const { valid_response, alt_responses } = question['validation'] as JsonObject;
  return [valid_response, ...(Array.isArray(alt_responses) ? alt_responses : [])].filter(isObject);
}

/** Follows the table of scoring types, for keys without empty or repeated entries. */
function expectedMaximum(question: JsonObject): number {
  const scoringType = (question['validation'] as JsonObject)['scoring_type'];
  const maxima = acceptedOf(question).map(({ score = 1, value }) => {
    const entries = Array.isArray(value) ? value : [value];
    const cells = question['type'] === 'choicematrix' ? entries.flat() : entries;
    return Number(score) * (scoringType === 'partialMatch' ? cells.length : 1);
  });
  return Math.max(...maxima);
}

/** The response of a learner who gives the best accepted answer. */
function rightValue(question: JsonObject): Json {
  const best = acceptedOf(question).reduce((a, b) => (Number(b['score'] ?? 1) > Number(a['score'] ?? 1) ? b : a));
  const value = best['value'] ?? null;
  const formula = (rules: Json): Json => (rules as JsonObject[])[0]?.['value'] ?? null;
  if (question['type'] === 'formulaV2') return formula(value);
  if (['clozeformula', 'clozeformulaV2'].includes(question['type'] as string)) return (value as Json[]).map(formula);
  if (isObject(value) && value['method'] === 'byCount')
    return Array.from({ length: Number(value['value']) }, (_, at) => [0, at]);
  return isObject(value) ? (value['value'] ?? null) : value;
}

const NONE_SUCH = 'qqq';

function wrongValue(question: JsonObject): Json {
  if (question['type'] === 'simpleshading') return Array.from({ length: 97 }, (_, at) => [96, at]);
  if (question['type'] === 'numberline') return [{ point: NONE_SUCH, position: 0 }];
  const right = rightValue(question);
  return Array.isArray(right) ? right.map((entry) => (Array.isArray(entry) ? [NONE_SUCH] : NONE_SUCH)) : NONE_SUCH;
}
