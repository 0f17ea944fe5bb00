import { css } from '../css';

export const formulaStyle = css`
  .formula-field {
    display: inline-grid;
    grid-template-columns: minmax(0, auto);
    gap: 0.375rem;
    max-inline-size: 100%;
    line-height: 1.4;
  }

  .formula-field .field {
    inline-size: 16rem;
    direction: ltr;
    /* Keeps the field clear of the palette at the lower edge of the window. */
    scroll-margin-block-end: 16rem;
  }

  .template .formula-field {
    margin-block: 0.25rem;
  }

  .template .formula-field .field {
    inline-size: 8rem;
  }

  .formulas.is-open .field.is-current {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }

  .places {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem;
  }

  .math {
    display: inline-flex;
    inline-size: 16rem;
    max-inline-size: 100%;
  }

  .template .math {
    inline-size: 8rem;
  }

  .math .field {
    --caret-color: var(--_text);
    --selection-color: var(--_text);
    --selection-background-color: var(--_accent-soft);
    --contains-highlight-background-color: var(--_accent-soft);
    --placeholder-color: var(--_muted);
    --placeholder-opacity: 1;

    flex: 1;
    min-inline-size: 0;
    padding: 0.125rem 0.25rem;
    color: inherit;
    font-size: 1.25em;
  }

  .math .field.is-read-only {
    background: var(--_sunken);
  }

  .math .field:focus-within {
    outline: 0.1875rem solid var(--_focus);
    outline-offset: 0.125rem;
  }

  .formula-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 0.5rem;
  }

  .palette {
    display: grid;
    gap: 0.5rem;
    max-inline-size: 40rem;
    margin-block-start: 0.5rem;
    padding: 0.5rem;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_sunken);
  }

  .palette.floating {
    position: sticky;
    inset-block-end: 0.5rem;
    z-index: 1;
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 0.3);
  }

  .groups,
  .symbols {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }

  .symbols {
    direction: ltr;
  }

  .symbols button {
    min-inline-size: 2.5rem;
    padding-inline: 0.5rem;
  }

  .groups button[aria-pressed='true'] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
    box-shadow: inset 0 -0.1875rem 0 var(--_accent);
  }

  .shown {
    min-block-size: 1.75rem;
    padding: 0.125rem 0.375rem;
    border-block-end: 1px solid var(--_line);
    direction: ltr;
    overflow: auto hidden;
  }

  @media (max-height: 30rem) {
    .palette.floating {
      position: static;
    }
  }
`;
