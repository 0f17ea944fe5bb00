import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer, PartAnswer } from './accepted-answer';
import { flagOf, isObject, listOf, pointsOf } from './members';

// Validation in the form before 2015, in the question itself or in `validation`: `valid_responses` (or a
// `valid_response` that is the bare value), `valid_score`, `partial_scoring`, `pairwise` (decision 26).
// The vendor's migration of such data shows how it scored: `partial_scoring` became `partialMatch`, and accepted
// answers listed by part became `partialMatch` with `score` 1.

interface OldAnswers {
  answers: AcceptedAnswer[];
  scoringType: string;
}

export function readOldAnswers(type: string, question: JsonObject, validation: JsonObject): OldAnswers | undefined {
  const member = (name: string): Json | undefined => validation[name] ?? question[name];
  const bare = member('valid_response');
  const listed = listOf(member('valid_responses'));
  if (listed.length === 0 && (bare === undefined || bare === null || isObject(bare))) return undefined;

  const wholeScore = member('valid_score') ?? null;
  const score = pointsOf(wholeScore, 1);
  const partial = flagOf(member('partial_scoring'));
  const scoringType = (otherwise: string): string =>
    flagOf(member('pairwise')) === true ? 'partialMatchPairwise' : partial === true ? 'partialMatch' : otherwise;

  if (listed.length === 0) return { answers: [{ score, value: bare! }], scoringType: scoringType('exactMatch') };

  const shape = shapeOf(type, question, listed);
  if (shape === 'parts') {
    const parts = listed.map((part) => partAnswers(part, score));
    const value = parts.map((part) => part[0]?.value ?? null);
    // Parts have their own scores unless the data gives the answer one score.
    const whole = partial === false || (partial === undefined && wholeScore !== null);
    return { answers: [{ score, value, parts }], scoringType: scoringType(whole ? 'exactMatch' : 'partialMatch') };
  }
  if (shape === 'answer') return { answers: [{ score, value: listed }], scoringType: scoringType('exactMatch') };
  return { answers: listed.map((entry) => scored(entry, score)), scoringType: scoringType('exactMatch') };
}

/** Whether the entries of `valid_responses` are parts of one answer, plain values of one answer, or whole answers. */
function shapeOf(type: string, question: JsonObject, listed: Json[]): 'parts' | 'answer' | 'answers' {
  if (type === 'association' || /^(image)?cloze/.test(type)) return 'parts';
  if (type === 'mcq') return flagOf(question['multiple_responses']) === true ? 'parts' : 'answers';
  if (type === 'choicematrix') return 'answer';
  const first = listed[0]!;
  if (isObject(first)) return 'value' in first && !('method' in first) ? 'answers' : 'answer';
  if (Array.isArray(first)) return type === 'classification' && !Array.isArray(first[0]) ? 'answer' : 'answers';
  return type === 'shorttext' || type === 'gridded' ? 'answers' : 'answer';
}

function partAnswers(part: Json, score: number): PartAnswer[] {
  return (Array.isArray(part) ? part : [part]).map((each) => scored(each, score));
}

function scored(entry: Json, score: number): PartAnswer {
  if (isObject(entry) && 'value' in entry && !('method' in entry))
    return { value: entry['value'] ?? null, score: pointsOf(entry['score'], score) };
  return { value: entry, score };
}
