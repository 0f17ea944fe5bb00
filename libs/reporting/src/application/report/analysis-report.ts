import {
  type Analysis,
  type ChoiceFigures,
  type QuestionFigures,
  type TestFigures,
} from '../../domain/analysis/figures';
import { type Target } from '../targets';
import { escaped, type Html, markup, plain } from './markup';
import { difficultyPlot, histogramPlot, nameOf, tracePlot } from './plots';
import { STYLE } from './style';

/** Maximum number of choice plots in a report; CSV and NDJSON contain all figures. */
const MAX_TRACES = 200;

/**
 * Yields a self-contained HTML page: tables, and plots as SVG, without scripts or external resources.
 * @param madeAt milliseconds.
 */
export async function* analysisReport(target: Target, analysis: Analysis, madeAt: number): AsyncGenerator<Buffer> {
  const { test, histogram, questions } = analysis;
  yield bytes(head(target, madeAt), facts(test));
  if (test.sessions > 0) {
    yield bytes(plotted('How often totals came up', await histogramPlot(histogram)));
    yield bytes(plotted('Difficulty against discrimination; numbers as in the table', await difficultyPlot(questions)));
    yield bytes(questionsHead(test));
    for (const [index, question] of questions.entries()) yield bytes(questionRow(question, index));
    yield bytes(markup`</tbody></table>`);
    yield* sections(questions);
  }
  yield bytes(markup`</main></body></html>`);
}

async function* sections(questions: readonly QuestionFigures[]): AsyncGenerator<Buffer> {
  let plots = 0;
  for (const [index, question] of questions.entries()) {
    if (!question.choices) continue;
    const places = placesOf(question.choices);
    if (plots + places.length > MAX_TRACES) {
      yield bytes(markup`<p class="note">Options of further questions are in options.csv.</p>`);
      return;
    }
    plots += places.length;
    yield bytes(markup`<section id="q${index + 1}"><h2>${index + 1}. ${titleOf(question)}</h2>`);
    for (const [place, choices] of places) {
      if (place !== null) yield bytes(markup`<h3>Place ${place + 1}</h3>`);
      yield bytes(optionsTable(choices));
      if (choices.every(({ trace }) => trace !== null))
        yield bytes(plotted('Share of each option by fifth of the total', await tracePlot(choices)));
    }
    yield bytes(markup`</section>`);
  }
}

const bytes = (...parts: Html[]): Buffer => Buffer.from(`${parts.join('\n')}\n`);

function placesOf(choices: readonly ChoiceFigures[]): [number | null, ChoiceFigures[]][] {
  const places = new Map<number | null, ChoiceFigures[]>();
  for (const choice of choices) places.set(choice.place, [...(places.get(choice.place) ?? []), choice]);
  return [...places];
}

/** The figure with this many decimals; a dash when it is undefined. */
const figure = (value: number | null, decimals = 2): Html => escaped(value === null ? '–' : value.toFixed(decimals));

const headings = (names: readonly string[]): Html[] =>
  names.map((name) => markup`<th scope="col">${escaped(name)}</th>`);
const cells = (values: readonly Html[]): Html[] => values.map((value) => markup`<td>${value}</td>`);

const plotted = (caption: string, plot: Html): Html =>
  markup`<figure role="img" aria-label="${escaped(caption)}">${plot}<figcaption>${escaped(caption)}</figcaption></figure>`;

const titleOf = ({ item, question, type }: QuestionFigures): Html =>
  markup`${escaped(item)} · ${escaped(question)} <small>${escaped(type)}</small>`;

function head({ type, id }: Target, madeAt: number): Html {
  const title = escaped(type === 'ibk-analysis-by-question' ? 'Analysis of an item' : 'Analysis of an activity');
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${title}: ${escaped(id)}</title>
<style>${STYLE}</style></head><body><main>
<h1>${title}</h1>
<p class="id">${escaped(id)}</p>
<p class="note">Made at ${escaped(new Date(madeAt).toISOString())}. A dash stands for a figure that is not defined.</p>`;
}

function facts(test: TestFigures): Html {
  const rows: [string, Html][] = [
    ['Completed sessions', figure(test.sessions, 0)],
    ['Questions', figure(test.questions, 0)],
    ['Mean total', markup`${figure(test.mean)} of ${figure(test.maxScore)} points, ${figure(test.meanPercent, 1)} %`],
    ['Standard deviation', markup`${figure(test.deviation)} points, ${figure(test.deviationPercent, 1)} %`],
    ['Lowest and highest total', markup`${figure(test.minimum)} and ${figure(test.maximum)}`],
    ['Cronbach’s alpha', figure(test.alpha, 3)],
    ['Standard error of measurement', markup`${figure(test.standardError)} points`],
    ['Upper and lower group', markup`${test.groupSize} sessions each`],
  ];
  const shown = rows.map(([name, value]) => markup`<tr><th scope="row">${escaped(name)}</th><td>${value}</td></tr>`);
  return markup`<table class="facts"><tbody>${shown}</tbody></table>`;
}

function questionsHead({ questions }: TestFigures): Html {
  const note = 'Alpha is not defined, because the sessions had different questions.';
  const columns = [
    '',
    'Question',
    'n',
    'Omitted',
    'Mean',
    'of',
    'SD',
    'p-value',
    'Point-biserial',
    'corrected',
    'p lower',
    'p upper',
    'Discrimination',
    'Alpha without',
  ];
  return markup`<h2>Questions</h2>${questions === null ? [markup`<p class="note">${escaped(note)}</p>`] : []}
<table><thead><tr>${headings(columns)}</tr></thead><tbody>`;
}

function questionRow(question: QuestionFigures, index: number): Html {
  const number = index + 1;
  const figures = [
    figure(question.n, 0),
    figure(question.omitted, 0),
    figure(question.mean),
    figure(question.maxScore),
    figure(question.deviation),
    figure(question.difficulty, 3),
    figure(question.pointBiserial, 3),
    figure(question.pointBiserialCorrected, 3),
    figure(question.difficultyLower, 3),
    figure(question.difficultyUpper, 3),
    figure(question.discrimination, 3),
    figure(question.alphaWithout, 3),
  ];
  const name = question.choices ? markup`<a href="#q${number}">${number}</a>` : markup`${number}`;
  return markup`<tr><td>${name}</td><th scope="row">${titleOf(question)}</th>${cells(figures)}</tr>`;
}

function optionsTable(choices: readonly ChoiceFigures[]): Html {
  const columns = ['', 'Option', 'Chosen', 'Share', 'Mean total %', 'Point-biserial', 'Lower 27 %', 'Upper 27 %'];
  const rows = choices.map((choice, index) => {
    const figures = [
      figure(choice.count, 0),
      figure(choice.share, 3),
      figure(choice.meanTotal, 1),
      figure(choice.pointBiserial, 3),
      figure(choice.shareLower, 3),
      figure(choice.shareUpper, 3),
    ];
    const [name, label] = [escaped(nameOf(choice, index)), plain(choice.label ?? '')];
    return markup`<tr><td>${name}</td><th scope="row">${label}</th>${cells(figures)}</tr>`;
  });
  return markup`<table><thead><tr>${headings(columns)}</tr></thead><tbody>${rows}</tbody></table>`;
}
