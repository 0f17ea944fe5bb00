import { css } from '../css';
import { draggedStyle, handleDots } from './dragging-style';

/** The styles of all types in which learners put a list in order. */
export const orderingStyle = css`
  .entries {
    display: grid;
    gap: 0.375rem;
    max-inline-size: 48rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .entries li {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-inline-size: 0;
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }

  .as-list .entries {
    gap: 0;
    border-block-start: 1px solid var(--_line);
  }

  .as-list .entries li {
    border-width: 0 0 1px;
    border-color: var(--_line);
    border-radius: 0;
  }

  .as-inline .entries {
    display: flex;
    flex-wrap: wrap;
    max-inline-size: none;
  }

  .as-inline .entries li {
    max-inline-size: 100%;
  }

  .entries li.is-right {
    border-color: var(--_right);
    background: var(--_right-soft);
  }

  .entries li.is-wrong {
    border-color: var(--_wrong);
    background: var(--_wrong-soft);
  }

  .entry {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 0.5rem;
    min-inline-size: 0;
    min-block-size: 2.25rem;
    padding: 0.375rem 0.5rem;
    border: 0;
    border-radius: calc(var(--_radius) - 0.125rem);
    background: none;
    text-align: start;
  }

  .entry .content {
    min-inline-size: 0;
  }

  button.entry {
    cursor: grab;
    touch-action: none;
    user-select: none;
  }

  .has-handles button.entry::before {
    ${handleDots}
  }

  .entry[aria-pressed='true'] {
    background: var(--_accent-soft);
    box-shadow: inset 0 0 0 2px var(--_accent);
  }

  .entries li[data-over],
  .list[data-over] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
  }

  .moves {
    display: flex;
    flex: none;
    gap: 0.25rem;
  }

  .moves button {
    min-inline-size: 2.25rem;
    padding-inline: 0.25rem;
  }

  .moves button:disabled span {
    opacity: 0.4;
  }

  .moves span {
    display: inline-block;
  }

  .moves .sideways:dir(rtl) {
    scale: -1 1;
  }

  ${draggedStyle}

  .entry.dragged {
    outline: 1px solid var(--_accent);
    background: var(--_surface);
    color: var(--_text);
  }

  @media (forced-colors: active) {
    .entries li[data-over],
    .list[data-over] {
      outline: 0.1875rem solid Highlight;
    }
  }
`;
