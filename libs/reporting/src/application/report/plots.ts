import { type EChartsOption } from 'echarts';
import { type Bin, type ChoiceFigures, type QuestionFigures } from '../../domain/analysis/figures';
import { type Html } from './markup';
import { type ReportTexts } from './report-texts';

/* Plots as SVG. They contain only numbers and labels of this service, no text of authors or learners. */

const WIDTH = 560;
const HEIGHT = 320;
const GRID = { left: 60, right: 20, top: 36, bottom: 50 };

/** The colour of the text around the plot, in light and dark pages. */
const INK = 'currentColor';
const LINE = { lineStyle: { color: INK, opacity: 0.6 } };
/** Colours of lines and points, at 3:1 on the light and the dark ground of the page. */
const COLOURS = ['#3b7dd8', '#c25a12', '#2e8f5b', '#b8509a', '#8f7400', '#7d6bd6', '#0f8a96', '#cc4b4b'];

const axis = (name: string, { axisLabel, ...more }: { axisLabel?: object; [option: string]: unknown } = {}) => ({
  name,
  nameLocation: 'middle' as const,
  nameGap: 32,
  nameTextStyle: { color: INK },
  axisLabel: { color: INK, ...axisLabel },
  axisLine: LINE,
  axisTick: LINE,
  splitLine: { lineStyle: { color: INK, opacity: 0.15 } },
  ...more,
});

/** A number with at most one decimal, for the labels of axes. */
const decimal = (value: number, { decimalPoint }: ReportTexts): string =>
  String(Math.round(value * 10) / 10).replace('.', decimalPoint);

const percent = { formatter: (value: number) => `${Math.round(value * 100)} %` };

/** The distribution of totals. */
export function histogramPlot(bins: readonly Bin[], t: ReportTexts): Promise<Html> {
  return drawn({
    xAxis: axis(t.total, {
      type: 'category',
      data: bins.map(({ from, to }) => (from === 100 ? '100' : `${decimal(from, t)}–${decimal(to, t)}`)),
      axisLabel: { rotate: 45 },
      nameGap: 42,
    }),
    yAxis: axis(t.sessionsAxis, { type: 'value', minInterval: 1, nameGap: 42 }),
    grid: { ...GRID, bottom: 62 },
    series: [still({ type: 'bar', data: bins.map(({ count }) => count), barCategoryGap: '8%' })],
  });
}

/** The difficulty and discrimination of all questions that have both. The label of a point is the question's number in the table. */
export function difficultyPlot(questions: readonly QuestionFigures[], t: ReportTexts): Promise<Html> {
  const points = questions.flatMap(({ difficulty, discrimination }, index) =>
    difficulty === null || discrimination === null
      ? []
      : [{ name: String(index + 1), value: [difficulty, discrimination] }],
  );
  const axisLabel = { formatter: (value: number) => decimal(value, t) };
  return drawn({
    xAxis: axis(t.pValue, { ...rangeOf(points, 0), axisLabel }),
    yAxis: axis(t.discrimination, { ...rangeOf(points, 1), axisLabel, nameGap: 42 }),
    series: [
      still({
        type: 'scatter',
        symbolSize: 9,
        data: points,
        label: { show: points.length <= MAX_LABELLED, formatter: '{b}', position: 'right', color: INK },
        labelLayout: { hideOverlap: true },
      }),
    ],
  });
}

const MAX_LABELLED = 100;

const MAX_FIGURE = 10;

/** An axis from 0 to 1. Deductions and extra points give figures outside of this range, and then the axis is longer. */
function rangeOf(points: readonly { value: number[] }[], at: number) {
  const values = points.map(({ value }) => value[at]!);
  const [least, most] = values.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [0, 1]);
  return {
    type: 'value',
    min: Math.max(-MAX_FIGURE, Math.floor(least * 5) / 5),
    max: Math.min(MAX_FIGURE, Math.ceil(most * 5) / 5),
  };
}

/** The share of each choice in each fifth of the sessions; the line of the key is thicker. */
export function tracePlot(choices: readonly ChoiceFigures[], t: ReportTexts): Promise<Html> {
  return drawn({
    legend: { top: 0, icon: 'roundRect', textStyle: { color: INK } },
    xAxis: axis(t.byTotal, { type: 'category', data: t.fifths, boundaryGap: false }),
    yAxis: axis(t.share, { type: 'value', min: 0, max: 1, axisLabel: percent, nameGap: 44 }),
    grid: { ...GRID, top: 56, right: 40 },
    series: choices.map((choice, index) =>
      still({
        type: 'line',
        name: nameOf(choice, index, t),
        data: choice.trace!.map((share) => share ?? '-'),
        symbolSize: 6,
        lineStyle: { width: choice.isRight ? 4 : 1.5, type: choice.kind === 'offered' ? 'solid' : 'dashed' },
      }),
    ),
  });
}

/** The name of a choice in plots: its number in the table next to the plot. */
export function nameOf({ kind, isRight }: ChoiceFigures, index: number, t: ReportTexts): string {
  if (kind === 'none') return t.none;
  return kind === 'other' ? t.other : `${index + 1}${isRight ? ` (${t.key})` : ''}`;
}

/** Disables interaction, because the page has no scripts. */
const still = <Series extends object>(series: Series) => ({ ...series, silent: true, emphasis: { disabled: true } });

async function drawn(option: EChartsOption): Promise<Html> {
  // Loads the library on demand, because it is large and few processes need it.
  const { init } = await import('echarts');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption({
      animation: false,
      color: COLOURS,
      grid: GRID,
      textStyle: { fontFamily: 'sans-serif' },
      ...option,
    });
    return chart.renderToSVGString() as Html;
  } finally {
    chart.dispose();
  }
}
