import sanitizeHtml from 'sanitize-html';

/** Markup that may stand in a page as it is. Only {@link escaped}, {@link plain} and the templates of this folder make it. */
export type Html = string & { readonly isHtml: unique symbol };

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as a page shows it, whatever is in it. */
export function escaped(text: string): Html {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!) as Html;
}

/** A template of markup, in which only markup and numbers can stand. */
export function markup(parts: TemplateStringsArray, ...values: (Html | number | readonly Html[])[]): Html {
  return parts.reduce((text, part, index) => {
    const value = values[index - 1]!;
    return `${text}${typeof value === 'object' ? value.join('') : value}${part}`;
  }) as Html;
}

const MAX_READ = 2000;
const MAX_SHOWN = 200;

/** The words of what an author wrote as markup: tags and what they would do go, and so does what is too long. */
export function plain(written: string): Html {
  const words = sanitizeHtml(printable(written.slice(0, MAX_READ)), { allowedTags: [], allowedAttributes: {} });
  // Not cut within an entity.
  return (words.length > MAX_SHOWN ? `${words.slice(0, MAX_SHOWN).replace(/&[^;]{0,9}$/, '')}…` : words) as Html;
}

/** Control characters have no place in a page. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');
}
