import { css } from './css';

/**
 * Styles that all questions share. A page sets `--itembank-…`; rules use the names with `--_`, which always have a
 * value. The `color-scheme` of the page selects light or dark.
 */
export const baseStyle = css`
  :host {
    --_text: var(--itembank-text, light-dark(#1d2733, #e9eef4));
    --_muted: var(--itembank-muted, light-dark(#536072, #a9b6c6));
    --_surface: var(--itembank-surface, light-dark(#ffffff, #1a212b));
    --_sunken: var(--itembank-sunken, light-dark(#f3f6fa, #232c38));
    --_border: var(--itembank-border, light-dark(#7a8797, #8493a5));
    --_line: var(--itembank-line, light-dark(#d5dce5, #3a4656));
    --_accent: var(--itembank-accent, light-dark(#1f5fbf, #86b6ff));
    --_accent-soft: var(--itembank-accent-soft, light-dark(#eaf2ff, #1f3350));
    --_focus: var(--itembank-focus, light-dark(#0b57d0, #a8c7fa));
    --_right: var(--itembank-right, light-dark(#17693a, #7fd6a1));
    --_right-soft: var(--itembank-right-soft, light-dark(#e8f6ed, #163524));
    --_wrong: var(--itembank-wrong, light-dark(#b3261e, #ffb0a8));
    --_wrong-soft: var(--itembank-wrong-soft, light-dark(#fdeeec, #452320));
    --_missed: var(--itembank-missed, light-dark(#7a4d00, #f2c375));
    --_missed-soft: var(--itembank-missed-soft, light-dark(#fff5e0, #40300f));
    --_radius: var(--itembank-radius, 0.5rem);

    display: block;
    container-type: inline-size;
    color: var(--_text);
    font: var(--itembank-font, inherit);
    line-height: 1.5;
    overflow-wrap: break-word;
    text-align: start;
  }

  :host([hidden]) {
    display: none;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  .question.fontsize-small {
    font-size: 0.875em;
  }

  .question.fontsize-large {
    font-size: 1.25em;
  }

  .question.fontsize-xlarge {
    font-size: 1.5em;
  }

  .question.fontsize-xxlarge {
    font-size: 1.875em;
  }

  .stimulus {
    margin-block-end: 1rem;
  }

  /* Authors' content has no extra margin at its edges. */
  .content > :first-child {
    margin-block-start: 0;
  }

  .content > :last-child {
    margin-block-end: 0;
  }

  /* Headings of features */
  [role='heading'].content {
    margin-block-end: 0.5rem;
    font-size: 1.125em;
    font-weight: 600;
  }

  img,
  video,
  svg {
    max-inline-size: 100%;
  }

  img,
  video {
    block-size: auto;
  }

  table {
    border-collapse: collapse;
  }

  a {
    color: var(--_accent);
  }

  .scrolls {
    overflow-x: auto;
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    padding: 0;
    border: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  /* On a line of its own: readers that go by lines would pass over the stimulus with it. */
  #heading {
    margin-block-start: -1.5em;
  }

  /* Controls */

  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }

  button,
  label,
  input {
    /* Disables the double-tap zoom, and so its delay. */
    touch-action: manipulation;
  }

  button,
  select {
    min-inline-size: 1.5rem;
    min-block-size: 1.5rem;
  }

  :focus {
    /* Keeps the focus clear of the player's bar at the lower edge of the window. */
    scroll-margin-block-end: 6rem;
  }

  :focus-visible {
    outline: 0.1875rem solid var(--_focus);
    outline-offset: 0.125rem;
  }

  .button {
    min-block-size: 2.25rem;
    padding: 0.375rem 0.875rem;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    cursor: pointer;
  }

  .button:hover:enabled {
    border-color: var(--_accent);
    background: var(--_accent-soft);
  }

  .button:disabled {
    cursor: default;
  }

  .hint {
    margin-block: 0 0.75rem;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  .field {
    max-inline-size: 100%;
    min-block-size: 2.25rem;
    padding: 0.375rem 0.625rem;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }

  .field::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  .field:read-only {
    background: var(--_sunken);
  }

  /* Browsers dim menus that cannot be used, also the answers of a review. */
  .field:disabled {
    opacity: 1;
  }

  /* Review */

  .mark {
    display: inline-flex;
    align-items: center;
    gap: 0.25em;
    font-size: 0.875em;
    font-weight: 600;
    vertical-align: middle;
  }

  .mark svg {
    flex: none;
    inline-size: 1.25em;
    block-size: 1.25em;
  }

  .mark.right {
    color: var(--_right);
  }

  .mark.wrong {
    color: var(--_wrong);
  }

  .mark.missed,
  .mark.partly {
    color: var(--_missed);
  }

  .is-right {
    border-color: var(--_right);
    background: var(--_right-soft);
  }

  .is-wrong {
    border-color: var(--_wrong);
    background: var(--_wrong-soft);
  }

  .is-missed {
    border-color: var(--_missed);
    border-style: dashed;
    background: var(--_missed-soft);
  }

  .review {
    margin-block-start: 1.25rem;
    padding: 0.75rem 1rem;
    border: 1px solid var(--_line);
    border-inline-start: 0.25rem solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }

  .review.right {
    border-inline-start-color: var(--_right);
  }

  .review.wrong {
    border-inline-start-color: var(--_wrong);
  }

  .review.partly {
    border-inline-start-color: var(--_missed);
  }

  .review .result {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    margin: 0;
  }

  .review .title {
    margin-block: 0.75rem 0.25rem;
    font-weight: 600;
  }

  .review ol,
  .review ul {
    margin: 0;
    padding-inline-start: 1.5rem;
  }

  .rationale {
    color: var(--_muted);
    font-size: 0.9375em;
  }

  @media (forced-colors: active) {
    .question:not(.is-read-only) [aria-pressed='true'] {
      forced-color-adjust: none;
      background: Highlight !important;
      color: HighlightText !important;
    }

    .button,
    .field,
    .review {
      border-color: ButtonBorder;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      transition: none !important;
      animation: none !important;
    }
  }
`;
