import { css } from '../../css';

export const style = css`
  .row {
    display: grid;
    gap: 0.5rem;
    align-items: center;
    padding: 0.5rem 0.75rem;
  }

  .stem {
    display: flex;
    gap: 0.375rem;
    min-inline-size: 0;
  }

  .head {
    font-weight: 600;
  }

  label {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    min-inline-size: 0;
    min-block-size: 2.25rem;
    padding-inline: 0.375rem;
  }

  .has-lines .row:not(.head) + .row {
    border-block-start: 1px solid var(--_line);
  }

  /* The options are above the rows. All rows have equal columns, because no width depends on the content. */
  .table {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    overflow-x: auto;
  }

  .table .row {
    grid-template-columns:
      minmax(8rem, var(--stem, 2fr))
      repeat(var(--columns), minmax(3.5rem, var(--option, 1fr)));
  }

  .table .head {
    background: var(--_sunken);
  }

  .table .head:has(+ .head) {
    padding-block-end: 0;
  }

  .table .over {
    grid-column: 2 / -1;
  }

  .table .over,
  .table .title {
    text-align: center;
  }

  .table label {
    justify-content: center;
  }

  .table label .name {
    display: none;
  }

  /* The options in each row. */
  .inline .row {
    grid-template-columns: minmax(8rem, var(--stem, 1fr)) minmax(0, 2fr);
    padding-inline: 0;
  }

  .inline .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.75rem;
  }

  .inline label {
    inline-size: var(--option, auto);
    max-inline-size: 100%;
  }

  @container (max-width: 36rem) {
    .table .row,
    .inline .row {
      grid-template-columns: minmax(0, 1fr);
    }

    .row:not(.head) .stem {
      font-weight: 600;
    }

    .table .title,
    .blank {
      display: none;
    }

    .table .head:not(:has(.over, .stem:not(.blank))) {
      display: none;
    }

    .table .over {
      grid-column: auto;
      text-align: start;
    }

    .table label {
      justify-content: flex-start;
    }

    .table label .name {
      display: inline;
    }
  }
`;
