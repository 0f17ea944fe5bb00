import { css } from '../../css';

export const style = css`
  /* Columns run from the left, so scrolling starts there. */
  .scrolls {
    inline-size: fit-content;
    max-inline-size: 100%;
    direction: ltr;
  }

  .frame {
    position: relative;
    inline-size: fit-content;
    padding: 0.25rem;
  }

  .background {
    position: absolute;
    inset: 0.25rem;
    opacity: var(--opacity);
  }

  .background img {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    object-fit: fill;
  }

  .grid {
    position: relative;
    display: grid;
    grid-template-columns: repeat(var(--columns), minmax(1.5rem, var(--width)));
    grid-auto-rows: minmax(1.5rem, var(--height));
    /* One line between two cells. */
    gap: 0;
    padding-inline-end: 1px;
  }

  .cell {
    display: grid;
    place-items: center;
    min-inline-size: 1.5rem;
    min-block-size: 1.5rem;
    margin-inline-end: -1px;
    margin-block-end: -1px;
    padding: 0;
    border: 1px solid var(--_border);
    border-radius: 0;
    background: var(--_surface);
  }

  .has-background .cell {
    background: transparent;
  }

  button.cell:enabled {
    cursor: pointer;
  }

  button.cell:hover:enabled {
    background: var(--_accent-soft);
  }

  .cell:focus-visible {
    z-index: 1;
  }

  .cell.is-shaded,
  button.cell.is-shaded:hover:enabled {
    background: var(--_accent);
  }

  .has-background .cell.is-shaded {
    background: color-mix(in srgb, var(--_accent) 65%, transparent);
  }

  /* Cells that the author shaded and locked. */
  .cell.is-fixed {
    background: var(--_border);
  }

  .cell.is-missed {
    border-style: dashed;
    border-width: 2px;
    background: var(--_missed-soft);
  }

  .cell .mark {
    padding: 0.0625rem;
    border-radius: 0.25rem;
    background: var(--_surface);
  }

  @media (forced-colors: active) {
    .cell.is-shaded,
    .cell.is-fixed {
      forced-color-adjust: none;
      background: Highlight;
    }

    .cell.is-fixed {
      background: GrayText;
    }
  }
`;
