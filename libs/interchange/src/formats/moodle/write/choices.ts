import { type Json } from '#kernel';
import { compile } from '#scoring';
import { subsets } from '../../trials';
import { type Data, type Fields, plain, type QuestionXml } from './fields';
import { fractionTexts } from './fractions';
import { isTrue, listOf, objectOf, textOf } from '../../members';

/** The largest rounding error in sums of shares with five decimals. */
const TOLERANCE = 1e-3;

const NUMBERINGS: Record<string, string> = { 'lower-alpha': 'abc', 'upper-alpha': 'ABCD', number: '123' };

/** A choice question with the share of the points for each option. It finds the shares by scoring the options. */
export function choice(data: Data, fields: Fields): QuestionXml | undefined {
  const options = listOf(data.options).map((option, at) => ({
    html: textOf(objectOf(option).label ?? option),
    value: objectOf(option).value ?? String(at),
  }));
  const scorer = compile(data);
  const isMultiple = isTrue(data.multiple_responses);
  const values = options.map(({ value }) => value);
  const score = (chosen: readonly Json[]): number => scorer.score({ value: [...chosen] }).score ?? 0;
  const grade = scorer.maxScore;
  if (!(grade > 0) || options.length < 2) return undefined;
  const shares = isMultiple ? sharesOfSet(values, score, grade) : values.map((value) => score([value]) / grade);
  const fractions = shares && fractionTexts(shares);
  if (!fractions) return undefined;
  const feedback = listOf(objectOf(data.metadata).distractor_rationale_response_level).map(textOf);
  const labels = options.map(({ html }) => html.trim().toLowerCase()).join();
  // In Moodle, one of the two is right.
  const isTrueFalse = !isMultiple && labels === 'true,false' && [...fractions].sort().join() === '0,100';
  const answers = options.map(({ html }, at) =>
    fields.html(
      'answer',
      isTrueFalse ? html.trim().toLowerCase() : html,
      { fraction: fractions[at]! },
      fields.html('feedback', feedback[at] ?? ''),
    ),
  );
  if (isTrueFalse) return { type: 'truefalse', grade, xml: answers.join('') };
  const numbering = NUMBERINGS[textOf(objectOf(data.ui_style).choice_label)] ?? 'none';
  return {
    type: 'multichoice',
    grade,
    xml: [
      plain('single', String(!isMultiple)),
      plain('shuffleanswers', String(isTrue(data.shuffle_options))),
      plain('answernumbering', numbering),
      ...answers,
    ].join(''),
  };
}

/** Shares of the options. For each set of options, their sum (from 0 to 1) must be the points of that set. */
function sharesOfSet(
  values: readonly Json[],
  score: (chosen: readonly Json[]) => number,
  grade: number,
): number[] | undefined {
  const places = values.map((_, at) => String(at));
  const { sets } = subsets(places, 0, places.slice(0, 8));
  const scored = sets.map((set) => ({ set: set.map(Number), points: score(set.map((at) => values[Number(at)]!)) }));
  // The best set shows the right options. Adding each other option to it shows the cost of that option.
  const best = scored.reduce((found, each) =>
    each.points > found.points || (each.points === found.points && each.set.length < found.set.length) ? each : found,
  );
  if (Math.abs(best.points - grade) > TOLERANCE) return undefined;
  const shares = values.map((value, at) =>
    best.set.includes(at)
      ? score([value]) / grade
      : (score([...best.set.map((right) => values[right]!), value]) - grade) / grade,
  );
  const isSame = scored.every(({ set, points }) => {
    const sum = set.reduce((total, at) => total + shares[at]!, 0);
    return Math.abs(Math.min(Math.max(sum, 0), 1) * grade - points) < TOLERANCE;
  });
  return isSame ? shares : undefined;
}
