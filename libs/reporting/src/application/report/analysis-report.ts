import { grouped } from '#kernel';
import {
  type Analysis,
  type ChoiceFigures,
  type QuestionFigures,
  type TestFigures,
} from '../../domain/analysis/figures';
import { type Target } from '../targets';
import { escaped, type Html, markup, plain } from './markup';
import { difficultyPlot, histogramPlot, nameOf, tracePlot } from './plots';
import { figureIn, type ReportLanguage, type ReportTexts, reportTexts } from './report-texts';
import { STYLE } from './style';

/** Maximum number of choice plots in a report; CSV and NDJSON contain all figures. */
const MAX_TRACES = 200;

/** Each link to a question has a fragment for the colours of the page: those of the system, or chosen ones. */
const COLOURS = ['system', 'light', 'dark'].map(escaped);

/** The texts, and how figures are written. */
interface Words {
  language: ReportLanguage;
  t: ReportTexts;
  figure: (value: number | null, decimals?: number) => Html;
}

/**
 * Yields a self-contained HTML page: tables, and plots as SVG, without scripts or external resources. It has the colours
 * of the reader's system; the fragments `#light` and `#dark` of its address choose others, and the links
 * to questions keep them.
 * @param madeAt milliseconds.
 */
export async function* analysisReport(
  target: Target,
  analysis: Analysis,
  madeAt: number,
  language: ReportLanguage,
): AsyncGenerator<Buffer> {
  const { test, histogram, questions } = analysis;
  const t = reportTexts(language);
  const written = figureIn(t);
  const words: Words = { language, t, figure: (value, decimals) => escaped(written(value, decimals)) };
  yield bytes(head(target, madeAt, words), facts(test, words));
  if (test.sessions > 0) {
    yield bytes(plotted(t.histogram, await histogramPlot(histogram, t)));
    yield bytes(plotted(t.difficulty, await difficultyPlot(questions, t)));
    yield bytes(questionsHead(test, words));
    const fitting = numFitting(questions);
    for (const [index, question] of questions.entries())
      yield bytes(questionRow(question, index, index < fitting, words));
    yield bytes(markup`</tbody></table></div>`);
    yield* sections(questions.slice(0, fitting), words);
    if (fitting < questions.length) yield bytes(markup`<p class="note">${escaped(t.more)}</p>`);
  }
  yield bytes(markup`</main></body></html>`);
}

/** The number of questions, from the first on, whose choice plots fit into the report. */
function numFitting(questions: readonly QuestionFigures[]): number {
  let plots = 0;
  const first = questions.findIndex(({ choices }) => (plots += placesOf(choices ?? []).size) > MAX_TRACES);
  return first === -1 ? questions.length : first;
}

/** The choices of each place of a question. */
const placesOf = (choices: readonly ChoiceFigures[]) => grouped(choices.map((each) => [each.place, each]));

async function* sections(questions: readonly QuestionFigures[], words: Words): AsyncGenerator<Buffer> {
  const { t } = words;
  for (const [index, question] of questions.entries()) {
    if (!question.choices) continue;
    const targets = COLOURS.map((colours) => markup`<i id="${colours}-q${index + 1}"></i>`);
    yield bytes(markup`<section>${targets}<h2>${index + 1}. ${titleOf(question)}</h2>`);
    for (const [place, choices] of placesOf(question.choices)) {
      if (place !== null) yield bytes(markup`<h3>${escaped(t.place(place + 1))}</h3>`);
      yield bytes(optionsTable(choices, words));
      if (choices.every(({ trace }) => trace !== null)) yield bytes(plotted(t.traces, await tracePlot(choices, t)));
    }
    yield bytes(markup`</section>`);
  }
}

const bytes = (...parts: Html[]): Buffer => Buffer.from(`${parts.join('\n')}\n`);

/** The first column has numbers, and no name. */
const headings = (names: readonly string[]): Html[] => [
  markup`<td></td>`,
  ...names.map((name) => markup`<th scope="col">${escaped(name)}</th>`),
];
const cells = (values: readonly Html[]): Html[] => values.map((value) => markup`<td>${value}</td>`);

const plotted = (caption: string, plot: Html): Html =>
  markup`<figure><div role="img" aria-label="${escaped(caption)}">${plot}</div>
<figcaption aria-hidden="true">${escaped(caption)}</figcaption></figure>`;

const titleOf = ({ item, question, type }: QuestionFigures): Html =>
  markup`${escaped(item)} · ${escaped(question)} <small>${escaped(type)}</small>`;

function head({ type, id }: Target, madeAt: number, { language, t }: Words): Html {
  const title = escaped(type === 'ibk-analysis-by-question' ? t.ofItem : t.ofActivity);
  return markup`<!doctype html>
<html lang="${escaped(language)}" id="dark"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${title}: ${escaped(id)}</title>
<style>${STYLE}</style></head><body id="light"><main>
<h1>${title}</h1>
<p class="id">${escaped(id)}</p>
<p class="note">${escaped(t.made(madeAt))}</p>`;
}

function facts(test: TestFigures, { t, figure }: Words): Html {
  const known = (value: number | null, text: string) => (value === null ? figure(null) : text);
  const max = test.maxScore === null ? null : figure(test.maxScore);
  const rows: [string, string][] = [
    [t.sessions, figure(test.sessions, 0)],
    [t.questions, figure(test.questions, 0)],
    [t.mean, known(test.mean, t.meanOf(figure(test.mean), max, figure(test.meanPercent, 1)))],
    [t.deviation, known(test.deviation, t.deviationOf(figure(test.deviation), figure(test.deviationPercent, 1)))],
    [t.range, known(test.minimum, t.rangeOf(figure(test.minimum), figure(test.maximum)))],
    [t.alpha, figure(test.alpha, 3)],
    [t.error, known(test.standardError, t.points(figure(test.standardError)))],
    [t.groups, t.groupsOf(figure(test.groupSize, 0))],
  ];
  const shown = rows.map(
    ([name, value]) => markup`<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  );
  const waiting = test.questions === null ? 0 : test.sessions - test.alphaSessions;
  const note = waiting > 0 ? [markup`<p class="note">${escaped(t.waiting(waiting))}</p>`] : [];
  return markup`<table class="facts"><tbody>${shown}</tbody></table>${note}`;
}

function questionsHead({ questions }: TestFigures, { t }: Words): Html {
  return markup`<h2>${escaped(t.questions)}</h2>${questions === null ? [markup`<p class="note">${escaped(t.noAlpha)}</p>`] : []}
<div class="wide"><table><thead><tr>${headings(t.columns)}</tr></thead><tbody>`;
}

function questionRow(question: QuestionFigures, index: number, fits: boolean, { figure }: Words): Html {
  const number = index + 1;
  const figures = [
    figure(question.n, 0),
    figure(question.omitted, 0),
    figure(question.unscored, 0),
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
  const links = COLOURS.map((colours) => markup`<a href="#${colours}-q${number}">${number}</a>`);
  const name = question.choices && fits ? markup`${links}` : markup`${number}`;
  return markup`<tr><td>${name}</td><th scope="row">${titleOf(question)}</th>${cells(figures)}</tr>`;
}

function optionsTable(choices: readonly ChoiceFigures[], { t, figure }: Words): Html {
  const rows = choices.map((choice, index) => {
    const figures = [
      figure(choice.count, 0),
      figure(choice.share, 3),
      figure(choice.meanTotal, 1),
      figure(choice.pointBiserial, 3),
      figure(choice.shareLower, 3),
      figure(choice.shareUpper, 3),
    ];
    const [name, label] = [escaped(nameOf(choice, index, t)), plain(choice.label ?? '')];
    const head =
      label === ''
        ? markup`<th scope="row">${name}</th><td></td>`
        : markup`<td>${name}</td><th scope="row">${label}</th>`;
    return markup`<tr>${head}${cells(figures)}</tr>`;
  });
  return markup`<div class="wide"><table><thead><tr>${headings(t.optionColumns)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
