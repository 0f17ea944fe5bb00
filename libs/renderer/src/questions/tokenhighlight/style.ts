import { css } from '../../css';

export const style = css`
  .tokens {
    line-height: 2.25;
  }

  /* Wraps like text, which native buttons cannot. */
  .token {
    padding: 0.1875rem 0.25rem;
    border-radius: 0.25rem;
    border-block-end: 0.125rem dotted var(--_border);
    box-decoration-break: clone;
    -webkit-box-decoration-break: clone;
    touch-action: manipulation;
  }

  .token.is-short {
    display: inline-block;
    min-inline-size: 1.5rem;
    max-inline-size: 100%;
    line-height: 1.5;
    text-align: center;
  }

  .question:not(.is-read-only) .token {
    cursor: pointer;
  }

  .question:not(.is-read-only) .token:hover {
    background: var(--_sunken);
  }

  .token[aria-pressed='true'] {
    border-block-end: 0.125rem solid var(--_accent);
    background: var(--_accent-soft);
    font-weight: 600;
  }

  .token.is-right {
    border-color: var(--_right);
    background: var(--_right-soft);
  }

  .token.is-wrong {
    border-color: var(--_wrong);
    background: var(--_wrong-soft);
  }

  .token.is-missed {
    border-block-end: 0.125rem dashed var(--_missed);
    background: var(--_missed-soft);
  }

  .verdict {
    margin-inline-start: 0.25rem;
  }

  @media (forced-colors: active) {
    .is-read-only .token[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
