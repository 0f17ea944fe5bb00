import { css } from '../../css';

export const style = css`
  .picture {
    position: relative;
    inline-size: fit-content;
    max-inline-size: 100%;
    direction: ltr;
  }

  .picture > img {
    display: block;
    min-inline-size: 8rem;
    min-block-size: 4rem;
  }

  .picture > svg {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    overflow: visible;
  }

  polygon {
    vector-effect: non-scaling-stroke;
    stroke-linejoin: round;
  }

  .area {
    fill: var(--fill, transparent);
    stroke: var(--stroke, var(--_accent));
    stroke-width: 2;
  }

  /* Keeps the outline of an area visible on any image: a line with a contrasting border. */
  .around {
    fill: none;
    stroke: none;
  }

  .is-plain .around {
    stroke: var(--_surface);
    stroke-width: 5;
  }

  .is-chosen .around,
  .is-shown .around,
  .is-missed .around,
  .question:not(.is-read-only) g:hover .around {
    stroke: var(--_surface);
    stroke-width: 8;
  }

  .is-chosen .area,
  .is-shown .area,
  .is-missed .area,
  .question:not(.is-read-only) g:hover .area {
    stroke: var(--_accent);
    stroke-width: 4;
  }

  .is-chosen .area {
    fill: color-mix(in srgb, var(--_accent) 40%, transparent);
  }

  g.is-right .area {
    fill: color-mix(in srgb, var(--_right) 40%, transparent);
    stroke: var(--_right);
  }

  g.is-wrong .area {
    fill: color-mix(in srgb, var(--_wrong) 40%, transparent);
    stroke: var(--_wrong);
  }

  g.is-missed .area {
    stroke: var(--_missed);
    stroke-dasharray: 8 6;
  }

  .question:not(.is-read-only) g {
    cursor: pointer;
  }

  .badge {
    position: absolute;
    display: grid;
    place-items: center;
    inline-size: 1.5rem;
    block-size: 1.5rem;
    border: 2px solid var(--_accent);
    border-radius: 50%;
    background: var(--_surface);
    translate: -50% -50%;
    pointer-events: none;
  }

  .badge.is-right {
    border-color: var(--_right);
  }

  .badge.is-wrong {
    border-color: var(--_wrong);
  }

  .badge.is-missed {
    border-color: var(--_missed);
  }

  .badge .mark {
    gap: 0;
  }

  .dot {
    inline-size: 0.75rem;
    block-size: 0.75rem;
    border-radius: 50%;
    background: var(--_accent);
  }

  .areas {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    margin-block-start: 0.75rem;
  }

  .areas label {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    max-inline-size: 100%;
    min-block-size: 2.25rem;
    padding: 0.25rem 0.5rem;
  }

  @media (forced-colors: active) {
    .is-chosen .area,
    .is-shown .area {
      stroke: Highlight;
    }

    .dot {
      forced-color-adjust: none;
      background: Highlight;
    }
  }
`;
