import { css } from '../../css';

export const style = css`
  .options {
    display: grid;
    grid-template-columns: repeat(var(--columns, 1), minmax(0, 1fr));
    gap: 0.25rem 1rem;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .options.by-column {
    grid-template-rows: repeat(var(--rows), auto);
    grid-auto-flow: column;
    grid-template-columns: none;
    grid-auto-columns: minmax(0, 1fr);
  }

  .option {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 0.25rem 0.75rem;
    padding: 0.5rem 0.625rem;
    border: 1px solid transparent;
  }

  label {
    display: flex;
    flex: 1 1 12rem;
    align-items: flex-start;
    gap: 0.625rem;
    min-inline-size: 0;
  }

  input {
    margin: 0.125rem;
  }

  .content {
    flex: 1;
  }

  /* A text of the other direction stays beside its button. */
  label > [dir='rtl'] {
    flex: initial;
  }

  .is-masked {
    border: 1px dashed var(--_border);
    background: var(--_sunken);
    color: var(--_muted);
  }

  .mask {
    min-block-size: 1.75rem;
    padding-block: 0.125rem;
    font-size: 0.875em;
  }

  .rationale {
    flex-basis: 100%;
    padding-inline-start: 2.125rem;
  }

  /* Each option in a box, with a letter or a number. */
  .block {
    gap: 0.5rem 0.75rem;
  }

  .block .option {
    padding: 0.75rem 0.875rem;
    border-color: var(--_border);
    background: var(--_surface);
  }

  .block .option:has(input:checked):not(.is-right, .is-wrong) {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }

  .block .option:has(input:focus-visible) {
    outline: 0.1875rem solid var(--_focus);
    outline-offset: 0.125rem;
  }

  .block input:focus-visible {
    outline: none;
  }

  .block .option.is-right {
    border-color: var(--_right);
    background: var(--_right-soft);
  }

  .block .option.is-wrong {
    border-color: var(--_wrong);
    background: var(--_wrong-soft);
  }

  .block .option.is-missed {
    border-color: var(--_missed);
    background: var(--_missed-soft);
  }

  .letter {
    flex: none;
    min-inline-size: 1.5rem;
    font-weight: 600;
    color: var(--_muted);
    text-align: center;
  }

  .input-below .option {
    flex-direction: column;
    flex-wrap: nowrap;
    align-items: center;
  }

  .input-below label {
    flex: none;
    inline-size: 100%;
    flex-direction: column-reverse;
    align-items: center;
    text-align: center;
  }

  @container (max-width: 30rem) {
    .options,
    .options.by-column {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: none;
      grid-auto-flow: row;
    }
  }

  @media (forced-colors: active) {
    .option:has(input:checked) {
      border-color: Highlight;
    }
  }
`;
