import { css } from '../css';
import { draggedStyle, handleDots } from './dragging-style';

/** The styles of all types in which learners place responses. */
export const placingStyle = css`
  .placing {
    display: grid;
    gap: 1.25rem;
  }

  .placing.top .pool {
    order: -1;
  }

  .placing.left,
  .placing.right {
    grid-template-columns: minmax(0, 2fr) minmax(8rem, 1fr);
    align-items: start;
  }

  .placing.left {
    grid-template-columns: minmax(8rem, 1fr) minmax(0, 2fr);
  }

  .placing.left .pool {
    order: -1;
  }

  .places {
    min-inline-size: 0;
  }

  .placing.left .places,
  .placing.right .places {
    --_room: calc((100cqi - 1.25rem) * 2 / 3);
  }

  .pool {
    min-block-size: 3.75rem;
    min-inline-size: 0;
    padding: 0.75rem;
    border-radius: var(--_radius);
    background: var(--_sunken);
  }

  .responses {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .responses + .responses {
    margin-block-start: 0.75rem;
  }

  .group-title {
    flex: 0 0 100%;
    font-weight: 600;
  }

  .response,
  .place {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    max-inline-size: 100%;
    min-block-size: 2.25rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    line-height: 1.4;
    text-align: start;
    vertical-align: middle;
  }

  .response .content,
  .place .content {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  button.response,
  button.place.filled {
    cursor: grab;
    touch-action: none;
    user-select: none;
  }

  button.response:hover,
  button.place:hover {
    border-color: var(--_accent);
    background: var(--_accent-soft);
  }

  button[aria-pressed='true'] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
    box-shadow: inset 0 0 0 2px var(--_accent);
  }

  .has-handles button.response::before,
  .has-handles button.place.filled::before {
    ${handleDots}
  }

  .place {
    min-inline-size: 6rem;
    margin-block: 0.125rem;
    justify-content: center;
  }

  .place:not(.filled, .is-missed) {
    border-style: dashed;
    background: var(--_sunken);
  }

  .response.is-right,
  .place.is-right {
    border-color: var(--_right);
    background: var(--_right-soft);
  }

  .response.is-wrong,
  .place.is-wrong {
    border-color: var(--_wrong);
    background: var(--_wrong-soft);
  }

  .place.is-missed {
    border: 1px dashed var(--_missed);
    background: var(--_missed-soft);
  }

  .zone {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    max-inline-size: 100%;
    min-inline-size: 8rem;
    padding: 0.375rem;
    border: 1px dashed var(--_border);
    border-radius: var(--_radius);
    background: var(--_sunken);
    vertical-align: middle;
  }

  .zone.is-missed {
    border-color: var(--_missed);
    background: var(--_missed-soft);
  }

  .drop {
    flex: 1 0 auto;
    inline-size: 2.25rem;
    min-block-size: 2.25rem;
    border: 0;
    border-radius: calc(var(--_radius) - 0.125rem);
    background: transparent;
  }

  .is-selecting .place,
  .is-selecting .zone {
    border-color: var(--_accent);
  }

  .is-selecting button.place,
  .is-selecting .drop {
    cursor: pointer;
  }

  [data-over] {
    border-color: var(--_accent);
    border-style: solid;
    background: var(--_accent-soft);
    box-shadow: inset 0 0 0 2px var(--_accent);
  }

  .put-back {
    min-block-size: 2.25rem;
    margin-block-start: 0.5rem;
    padding: 0.25rem 0.75rem;
    border: 1px dashed var(--_accent);
    border-radius: var(--_radius);
    background: transparent;
    color: var(--_accent);
    cursor: pointer;
  }

  ${draggedStyle}

  @container (max-width: 30rem) {
    .placing.left,
    .placing.right {
      grid-template-columns: minmax(0, 1fr);
    }

    .placing.left .places,
    .placing.right .places {
      --_room: 100cqi;
    }
  }

  @media (forced-colors: active) {
    [data-over] {
      outline: 0.1875rem solid Highlight;
    }
  }
`;
