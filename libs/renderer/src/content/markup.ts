import { type LitElement, noChange, nothing } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import { type ChildPart } from 'lit/directive.js';
import { hasMathematics, loadTypesetter, typesetter } from './mathematics';
import { type Labels, labelsFor } from '../labels';
import { sanitise } from './sanitise';
import { placeSimpleFeatures } from './simple-features';
import { watchWidth } from './wide';

/** The element in whose template an author's markup is shown. */
export type Host = LitElement & { labels?: Labels };

/** Tables that scroll by themselves in a narrow window: those beside a text stay there. */
const TABLES = 'table:not(table table, [align$=t], [style*=float])';

/** A text outside of tags, or an alternative text. */
const WORDS = /(^|>)\s*[^<\s]|\salt=["']?[^"'>\s]/;

/** Whether markup can name a control. A picture without alternative text cannot. */
export const hasWords = (html: string): boolean => WORDS.test(html);

/** Formulas and blanks, which have no direction. */
const NEUTRAL = /(\\[([]|\$\$).*?(\\[)\]]|\$\$)|{{response}}/gs;
const FROM_RIGHT = /^\P{L}*(?=\p{L})[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of a text whose first letter is of a script from right to left, such as Arabic; others have that of the page. */
export const directionOf = (text: string): 'rtl' | '' => (FROM_RIGHT.test(text.replace(NEUTRAL, '')) ? 'rtl' : '');

/** The sanitised nodes of up to 100 texts, because each row of a matrix shows the same options. */
const known = new Map<string, Node>();

/**
 * The nodes of an author's markup. Typesets mathematics if the typesetter is loaded, and adds its styles to the host.
 * @param host absent for text that is read and not shown.
 * @param place the element that shows the text, and gets its direction.
 */
export function nodesOf(html: string, host: Host | undefined, place?: Node): DocumentFragment {
  if (known.size > 99) known.clear();
  if (!known.has(html)) known.set(html, sanitise(html));
  const fragment = known.get(html)!.cloneNode(true) as DocumentFragment;
  if (place) (place as HTMLElement).dir = directionOf(fragment.textContent);
  if (host && html.includes('learnosity-feature'))
    void placeSimpleFeatures(fragment, host.labels?.question ? host.labels : labelsFor('en'));
  for (const table of host ? fragment.querySelectorAll(TABLES) : []) {
    const box = document.createElement('div');
    box.className = 'scrolls';
    table.replaceWith(box);
    box.append(table);
    watchWidth(box);
  }
  const root = host?.renderRoot as DocumentFragment | undefined;
  const setter = hasMathematics(html) ? typesetter() : undefined;
  if (setter) {
    setter.typeset(fragment);
    if (root) setter.adoptStyles(root);
  }
  return fragment;
}

export const hostOf = (part: ChildPart): Host | undefined => part.options?.host as Host | undefined;

class Markup extends AsyncDirective {
  #html: string | undefined;

  render(_html: string): unknown {
    return nothing;
  }

  override update(part: ChildPart, [html]: [string]): unknown {
    if (html === this.#html) return noChange;
    this.#html = html;
    const nodes = () => nodesOf(html, hostOf(part), part.parentNode);
    if (hasMathematics(html) && !typesetter())
      void loadTypesetter().then(() => {
        if (html !== this.#html) return;
        if (this.isConnected) this.setValue(nodes());
        else this.#html = undefined;
      });
    return nodes();
  }
}

/** Renders an author's HTML with mathematics: `<p>${markup(text)}</p>`. */
export const markup = directive(Markup);
