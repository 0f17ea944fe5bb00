import { css } from '../css';

/** Native radio buttons and checkboxes. The rules about verdicts apply to a `choice` too. */
export const choosingStyle = css`
  :where(.choice) {
    border: 1px solid transparent;
    border-radius: var(--_radius);
  }

  .question:not(.is-read-only) label {
    cursor: pointer;
  }

  .question:not(.is-read-only) .choice:hover,
  .choice:has(input:checked):not(.is-right, .is-wrong) {
    background: var(--_accent-soft);
  }

  input {
    flex: none;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    accent-color: var(--_accent);
  }

  .content {
    min-inline-size: 0;
  }
`;
