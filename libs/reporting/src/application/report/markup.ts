import sanitizeHtml from 'sanitize-html';

/** Safe HTML. Only {@link escaped}, {@link plain} and the templates of this folder create it. */
export type Html = string & { readonly isHtml: unique symbol };

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes any text. */
export function escaped(text: string): Html {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!) as Html;
}

/** A template of HTML. It accepts only safe HTML and numbers. */
export function markup(parts: TemplateStringsArray, ...values: (Html | number | readonly Html[])[]): Html {
  return parts.reduce((text, part, index) => {
    const value = values[index - 1]!;
    return `${text}${typeof value === 'object' ? value.join('') : value}${part}`;
  }) as Html;
}

const MAX_READ = 2000;
const MAX_SHOWN = 200;

/** The plain text of an author's markup: removes tags, and shortens long text. */
export function plain(written: string): Html {
  const words = sanitizeHtml(printable(written.slice(0, MAX_READ)), { allowedTags: [], allowedAttributes: {} });
  // A cut entity is removed.
  return (words.length > MAX_SHOWN ? `${words.slice(0, MAX_SHOWN).replace(/&[^;]{0,9}$/, '')}…` : words) as Html;
}

/** Removes control characters. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');
}
