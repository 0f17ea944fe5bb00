import { html, nothing, type TemplateResult } from 'lit';
import { markup } from './content/markup';
import type { Review } from './question';

/**
 * The rationales of chosen parts, below the question, because areas and tokens have no room for them.
 * @param nameOf the HTML that names a part in front of its rationale.
 */
export const namedRationales = (
  review: Review | null,
  nameOf: (at: number) => string,
): (TemplateResult | typeof nothing)[] =>
  (review?.responseRationale ?? []).map((text, at) =>
    text
      ? html`<div class="rationale">
          <span class="content">${markup(nameOf(at))}</span> <span class="content">${markup(text)}</span>
        </div>`
      : nothing,
  );
