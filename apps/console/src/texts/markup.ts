/* All markup that this page parses. The page requires Trusted Types, so browsers refuse every other text where markup is
expected (decision 99). */

interface Policy {
  createHTML(text: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): Policy;
}

/** Absent in browsers without Trusted Types, and where the page is not secure. */
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

// The component library sets the texts of style elements as markup. Texts without tags create no elements.
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });

const parsing = trustedTypes?.createPolicy('parsing', { createHTML: (text) => text });

/** The nodes of markup. They belong to a document of their own, which runs no scripts and loads nothing. */
export function bodyOfMarkup(markup: string): HTMLElement {
  return new DOMParser().parseFromString(parsing?.createHTML(markup) ?? markup, 'text/html').body;
}

export const textOfMarkup = (markup: string): string => bodyOfMarkup(markup).textContent;
