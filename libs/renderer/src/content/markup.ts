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

/**
 * The nodes of an author's markup. Typesets mathematics if the typesetter is loaded, and adds its styles to the host.
 * @param host absent for text that is read and not shown.
 */
export function nodesOf(html: string, host: Host | undefined): DocumentFragment {
  const fragment = sanitise(html);
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
    const host = hostOf(part);
    if (hasMathematics(html) && !typesetter())
      void loadTypesetter().then(() => {
        if (html === this.#html && this.isConnected) this.setValue(nodesOf(html, host));
      });
    return nodesOf(html, host);
  }

  /** Renders again after reconnection, because updates were skipped while the element was detached. */
  protected override reconnected(): void {
    this.#html = undefined;
  }
}

/** Renders an author's HTML with mathematics: `<p>${markup(text)}</p>`. */
export const markup = directive(Markup);
