import { type EChartsOption } from 'echarts';
import { type Bin, type ChoiceFigures, type QuestionFigures } from '../../../domain/analysis/figures';
import { type Html } from './markup';

/* Plots as SVG. They hold numbers and words of ours alone; no text of an author or a learner comes into them. */

const WIDTH = 560;
const HEIGHT = 320;
const GRID = { left: 60, right: 20, top: 36, bottom: 50 };

const axis = (name: string, more: object = {}) => ({
  name,
  nameLocation: 'middle' as const,
  nameGap: 32,
  ...more,
});

const decimal = (value: number): string => String(Math.round(value * 10) / 10);

const percent = { formatter: (value: number) => `${Math.round(value * 100)} %` };

/** How often totals came up. */
export function histogramPlot(bins: readonly Bin[]): Promise<Html> {
  return drawn({
    xAxis: axis('Total in percent of the highest possible', {
      type: 'category',
      data: bins.map(({ from, to }) => (from === 100 ? '100' : `${decimal(from)}–${decimal(to)}`)),
      axisLabel: { rotate: 45 },
      nameGap: 42,
    }),
    yAxis: axis('Sessions', { type: 'value', minInterval: 1, nameGap: 42 }),
    grid: { ...GRID, bottom: 62 },
    series: [still({ type: 'bar', data: bins.map(({ count }) => count), barCategoryGap: '8%' })],
  });
}

/** Each question that has both figures, by the number it has in the table. */
export function difficultyPlot(questions: readonly QuestionFigures[]): Promise<Html> {
  const points = questions.flatMap(({ difficulty, discrimination }, index) =>
    difficulty === null || discrimination === null
      ? []
      : [{ name: String(index + 1), value: [difficulty, discrimination] }],
  );
  return drawn({
    xAxis: axis('p-value (share of the points)', { type: 'value', min: lowest(points, 0), max: 1 }),
    yAxis: axis('Discrimination index', { type: 'value', min: lowest(points, 1), max: 1, nameGap: 42 }),
    series: [
      still({
        type: 'scatter',
        symbolSize: 9,
        data: points,
        label: { show: points.length <= MAX_LABELLED, formatter: '{b}', position: 'right' },
        labelLayout: { hideOverlap: true },
      }),
    ],
  });
}

const MAX_LABELLED = 100;

/** The axis ends at 0, or below when points lie there. */
function lowest(points: readonly { value: number[] }[], at: number): number {
  const least = points.reduce((least, { value }) => Math.min(least, value[at]!), 0);
  return least < 0 ? Math.max(-10, Math.floor(least * 5) / 5) : 0;
}

const FIFTHS = ['lowest fifth', '2nd', '3rd', '4th', 'highest fifth'];

/** The share of each choice in each fifth of the sessions; the key is drawn thicker. */
export function tracePlot(choices: readonly ChoiceFigures[]): Promise<Html> {
  return drawn({
    legend: { top: 0, icon: 'roundRect' },
    xAxis: axis('Sessions by total', { type: 'category', data: FIFTHS, boundaryGap: false }),
    yAxis: axis('Share', { type: 'value', min: 0, max: 1, axisLabel: percent, nameGap: 44 }),
    grid: { ...GRID, top: 56, right: 40 },
    series: choices.map((choice, index) =>
      still({
        type: 'line',
        name: nameOf(choice, index),
        data: choice.trace!.map((share) => share ?? '-'),
        symbolSize: 6,
        lineStyle: { width: choice.isRight ? 4 : 1.5, type: choice.kind === 'offered' ? 'solid' : 'dashed' },
      }),
    ),
  });
}

/** The name of a choice in plots: its number in the table beside. */
export function nameOf({ kind, isRight }: ChoiceFigures, index: number): string {
  if (kind === 'none') return 'no answer';
  return kind === 'other' ? 'not offered' : `${index + 1}${isRight ? ' (key)' : ''}`;
}

/** A page without scripts: nothing follows the pointer. */
const still = <Series extends object>(series: Series) => ({ ...series, silent: true, emphasis: { disabled: true } });

async function drawn(option: EChartsOption): Promise<Html> {
  // Much to load, and few processes ever draw.
  const { init } = await import('echarts');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption({ animation: false, grid: GRID, textStyle: { fontFamily: 'sans-serif' }, ...option });
    return chart.renderToSVGString() as Html;
  } finally {
    chart.dispose();
  }
}
