import { css } from '../../css';

export const style = css`
  .picture {
    position: relative;
    inline-size: fit-content;
    max-inline-size: 100%;
    direction: ltr;
  }

  .picture img {
    display: block;
    min-inline-size: 8rem;
    min-block-size: 4rem;
    user-select: none;
  }

  .surface {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
  }

  .question:not(.is-read-only) .surface {
    cursor: crosshair;
    /* One finger draws; two fingers zoom. */
    touch-action: pinch-zoom;
  }

  polyline {
    fill: none;
    stroke: #d50000;
    stroke-linecap: round;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }

  /* The point of the sliders, visible while they are in use. */
  .cross {
    display: none;
    fill: none;
    stroke: #000;
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
    filter: drop-shadow(0 0 0.125rem #fff);
  }

  .question:has(.tools :focus-visible) .cross,
  .question:has(.tools:active) .cross {
    display: inline;
  }

  .count {
    margin-block: 0.5rem 0.25rem;
  }

  .tools {
    display: grid;
    gap: 0.75rem;
    max-inline-size: 40rem;
  }

  .sliders,
  .buttons,
  .colours {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
  }

  .buttons {
    gap: 0.5rem;
  }

  .colours {
    margin-block-end: 0.5rem;
  }

  label {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 2rem;
  }

  .sliders label {
    flex: 1 1 14rem;
  }

  .sliders span {
    min-inline-size: 4rem;
  }

  input[type='range'] {
    flex: 1;
    min-inline-size: 6rem;
    min-block-size: 1.5rem;
    accent-color: var(--_accent);
    direction: ltr;
  }

  input[type='radio'] {
    inline-size: 1.25rem;
    block-size: 1.25rem;
    accent-color: var(--_accent);
  }

  .swatch {
    inline-size: 1.5rem;
    block-size: 1.5rem;
    border: 1px solid var(--_border);
    border-radius: 0.25rem;
    background: #d50000;
    forced-color-adjust: none;
  }
`;
