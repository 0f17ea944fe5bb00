import { css } from '../css';

/** A handle of two columns of dots, before a draggable element. */
export const handleDots = css`
  content: '';
  flex: none;
  inline-size: 0.5rem;
  block-size: 1rem;
  background: radial-gradient(circle, var(--_muted) 1px, transparent 1.5px) 0 0 / 0.25rem 0.25rem;
  /* Forced colours would remove the dots. */
  forced-color-adjust: none;
`;

/** The drag image that follows the pointer. */
export const draggedStyle = css`
  .dragged {
    inset: auto;
    margin: 0;
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 0.25);
    opacity: 0.95;
    pointer-events: none;
  }
`;
