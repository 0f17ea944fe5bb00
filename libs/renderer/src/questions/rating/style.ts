import { css } from '../../css';

export const style = css`
  .steps {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .step {
    display: flex;
    flex: 1 1 8rem;
    align-items: flex-start;
    gap: 0.625rem;
    min-inline-size: 0;
    max-inline-size: 20rem;
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--_border);
    border-block-start: 0.375rem solid var(--tint, var(--_border));
    border-radius: var(--_radius);
    background: var(--_surface);
  }

  .question:not(.is-read-only) .step:hover,
  .step:has(input:checked) {
    background: var(--_accent-soft);
  }

  .step:has(input:checked) {
    box-shadow: inset 0 0 0 0.125rem var(--_accent);
  }

  .step:has(input:focus-visible) {
    outline: 0.1875rem solid var(--_focus);
    outline-offset: 0.125rem;
  }

  input {
    margin: 0.125rem;
  }

  input:focus-visible {
    outline: none;
  }

  .texts {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
  }

  .name {
    font-weight: 600;
  }

  .description {
    color: var(--_muted);
    font-size: 0.9375em;
  }

  .step:has(input:checked) .description {
    color: inherit;
  }

  @container (max-width: 30rem) {
    .step {
      flex-basis: 100%;
      max-inline-size: none;
    }
  }

  @media (forced-colors: active) {
    .step:has(input:checked) {
      border-color: Highlight;
      border-block-start-color: Highlight;
    }
  }
`;
