import type { Output } from '../../operations/call';
import { numberOf } from '../../texts/texts';
import { useWorkflowTexts } from './texts';

export type Workflow = Output<'get itembank/workflows'>[number];

const WIDTH = 180;
const HEIGHT = 52;
const GAP = 28;
/**
 * How far an arrow bends out when it passes this many states. Long arrows bend little more than short ones, because a wide
 * drawing would make its letters small.
 */
const bendOf = (states: number): number => 22 * Math.sqrt(states);

/** States from top to bottom. Moves forward bend out on the right, moves back on the left. */
export function Diagram({ workflow }: { workflow: Workflow }) {
  const t = useWorkflowTexts();
  const states = workflow.workflow_states;
  const place = new Map(states.map(({ reference }, index) => [reference, index]));
  const side = bendOf(Math.max(states.length, 4));
  const middle = (index: number) => 8 + index * (HEIGHT + GAP) + HEIGHT / 2;
  const moves = states.flatMap(({ reference, workflow_transitions: all }) =>
    all.map(({ to_state_reference: to }) => ({ from: place.get(reference)!, to: place.get(to) ?? 0 })),
  );
  return (
    <svg
      role="img"
      aria-label={t('diagram', workflow.reference)}
      viewBox={`0 0 ${WIDTH + 2 * side} ${states.length * (HEIGHT + GAP)}`}
      style={{ width: '100%', maxWidth: WIDTH + 2 * side, height: 'auto', color: 'var(--mantine-color-text)' }}
    >
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8z" fill="currentColor" />
        </marker>
      </defs>
      {moves.map(({ from, to }) => {
        const isBack = to <= from;
        const x = isBack ? side : side + WIDTH;
        const bend = (isBack ? -1 : 1) * bendOf(Math.max(Math.abs(to - from), 1));
        const [start, end] = [middle(from) + (isBack ? -8 : 8), middle(to) + (isBack ? 8 : -8)];
        return (
          <path
            key={`${from} ${to}`}
            d={`M${x} ${start}C${x + bend} ${start} ${x + bend} ${end} ${x} ${end}`}
            fill="none"
            stroke="currentColor"
            markerEnd="url(#arrow)"
          />
        );
      })}
      {states.map(({ reference, label, num_items: count }, index) => (
        <g key={reference}>
          <rect
            x={side}
            y={middle(index) - HEIGHT / 2}
            width={WIDTH}
            height={HEIGHT}
            rx={reference === workflow.initial_state_reference ? HEIGHT / 2 : 6}
            fill="var(--mantine-color-body)"
            stroke="currentColor"
            strokeWidth={reference === workflow.final_state_reference ? 3 : 1}
          />
          <text
            x={side + WIDTH / 2}
            y={middle(index) + (count === undefined ? 5 : -3)}
            textAnchor="middle"
            fill="currentColor"
            fontSize={14}
          >
            {shortened(label || reference)}
          </text>
          {count !== undefined && (
            <text x={side + WIDTH / 2} y={middle(index) + 16} textAnchor="middle" fill="currentColor" fontSize={12}>
              {t('items_n', numberOf(count))}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

const shortened = (text: string): string => ([...text].length > 20 ? `${[...text].slice(0, 19).join('')}…` : text);
