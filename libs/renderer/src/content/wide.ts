/** CSS pixels by which the signs of a formula may protrude. */
const PROTRUSION = 8;

/** Makes content that is wider than its box scroll, also by keyboard. Content of a button gets no focus of its own. */
const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isWide = target.scrollWidth > target.clientWidth + PROTRUSION && !target.closest('button, .visually-hidden');
    target.classList.toggle('wide', isWide);
    if (isWide) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});

export const watchWidth = (element: Element): void => resized.observe(element);
