import { css } from '../../css';

export const richTextStyle = css`
  .formatting {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    margin-block-end: 0.375rem;
  }

  .formatting .button:not(.is-text) {
    display: grid;
    place-items: center;
    inline-size: 2.25rem;
    padding: 0;
  }

  .formatting .button:is([aria-pressed='true'], [aria-expanded='true']) {
    border-color: var(--_accent);
    background: var(--_accent-soft);
    color: var(--_accent);
  }

  .formatting .button[aria-disabled='true'] {
    border-style: dashed;
    color: var(--_muted);
  }

  .formatting svg {
    inline-size: 1.125rem;
    block-size: 1.125rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .formatting .divider {
    inline-size: 1px;
    margin-inline: 0.25rem;
    background: var(--_line);
  }

  #characters {
    margin-block-end: 0.375rem;
  }

  .rich-text .field {
    min-block-size: var(--min-size, 8rem);
    max-block-size: var(--max-size, none);
    overflow: auto;
    white-space: break-spaces;
    word-wrap: break-word;
    font-variant-ligatures: none;
  }

  .rich-text .field[aria-readonly] {
    background: var(--_sunken);
  }

  .rich-text .field[data-empty]::before {
    content: attr(data-empty);
    /* Screen readers have it as aria-placeholder. */
    content: attr(data-empty) / '';
    float: inline-start;
    block-size: 0;
    color: var(--_muted);
    pointer-events: none;
  }

  .rich-text .field > :first-child {
    margin-block-start: 0;
  }

  .rich-text .field > :last-child {
    margin-block-end: 0;
  }

  .rich-text .field :is(p, ul, ol, blockquote, pre, table) {
    margin-block: 0.5em;
  }

  .rich-text .field blockquote {
    margin-inline: 0;
    padding-inline-start: 1em;
    border-inline-start: 0.25rem solid var(--_line);
  }

  .rich-text .field .image {
    padding-inline: 0.375rem;
    border: 1px dashed var(--_border);
  }

  .rich-text .field table {
    inline-size: 100%;
    border-collapse: collapse;
    table-layout: fixed;
  }

  .rich-text .field :is(td, th) {
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--_border);
    vertical-align: top;
  }

  .rich-text .field .selectedCell {
    background: var(--_accent-soft);
  }

  /* The caret between two tables, or before the first one. */
  .ProseMirror-gapcursor {
    display: none;
    position: absolute;
    pointer-events: none;
  }

  .ProseMirror-gapcursor::after {
    content: '';
    display: block;
    position: absolute;
    inset-block-start: -0.125rem;
    inline-size: 1.25rem;
    border-block-start: 1px solid var(--_text);
  }

  .ProseMirror-focused .ProseMirror-gapcursor {
    display: block;
  }
`;
