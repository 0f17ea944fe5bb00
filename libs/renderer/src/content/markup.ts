import { type LitElement, noChange, nothing } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import { type ChildPart } from 'lit/directive.js';
import { hasMathematics, loadTypesetter, typesetter } from './mathematics';
import { sanitise } from './sanitise';

/** The nodes of an author's markup. Typesets mathematics if the typesetter is loaded, and adds its styles to `root`. */
export function nodesOf(html: string, root: DocumentFragment | undefined): DocumentFragment {
  const fragment = sanitise(html);
  const setter = hasMathematics(html) ? typesetter() : undefined;
  if (setter) {
    setter.typeset(fragment);
    if (root) setter.adoptStyles(root);
  }
  return fragment;
}

/** The root in which the template of an element is rendered. */
export const rootOf = (part: ChildPart): DocumentFragment | undefined =>
  (part.options?.host as LitElement | undefined)?.renderRoot as DocumentFragment | undefined;

class Markup extends AsyncDirective {
  #html: string | undefined;

  render(_html: string): unknown {
    return nothing;
  }

  override update(part: ChildPart, [html]: [string]): unknown {
    if (html === this.#html) return noChange;
    this.#html = html;
    const root = rootOf(part);
    if (hasMathematics(html) && !typesetter())
      void loadTypesetter().then(() => {
        if (html === this.#html && this.isConnected) this.setValue(nodesOf(html, root));
      });
    return nodesOf(html, root);
  }

  /** Renders again after reconnection, because updates were skipped while the element was detached. */
  protected override reconnected(): void {
    this.#html = undefined;
  }
}

/** Renders an author's HTML with mathematics: `<p>${markup(text)}</p>`. */
export const markup = directive(Markup);
