import { noChange, nothing, render, type RenderOptions } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import { type ChildPart } from 'lit/directive.js';
import { BLANK } from './blanks';
import { hostOf, nodesOf } from './markup';
import { hasMathematics, loadTypesetter, typesetter } from './mathematics';

class Cloze extends AsyncDirective {
  #html: string | undefined;
  /** Whether its mathematics still has to be typeset. */
  #isWaiting = false;
  #blanks: HTMLElement[] = [];

  render(_template: string, _blank: (at: number) => unknown): unknown {
    return nothing;
  }

  override update(part: ChildPart, [html, blank]: [string, (at: number) => unknown]): unknown {
    let nodes: unknown = noChange;
    if (html !== this.#html || (this.#isWaiting && typesetter())) {
      this.#html = html;
      nodes = this.#begin(html, part);
      this.#isWaiting = hasMathematics(html) && !typesetter();
      if (this.#isWaiting) void loadTypesetter().then(() => hostOf(part)?.requestUpdate());
    }
    const options: RenderOptions = { host: part.options?.host };
    for (const [at, place] of this.#blanks.entries()) render(blank(at), place, options);
    return nodes;
  }

  /** The text with an element for each blank. */
  #begin(html: string, part: ChildPart): DocumentFragment {
    const fragment = nodesOf(html, hostOf(part), part.parentNode);
    this.#blanks = [];
    const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const [first, ...others] = text.data.split(BLANK);
      if (others.length === 0) continue;
      text.replaceWith(first!, ...others.flatMap((other) => [this.#place(), other]));
    }
    return fragment;
  }

  #place(): HTMLElement {
    const place = document.createElement('span');
    place.className = 'blank';
    this.#blanks.push(place);
    return place;
  }
}

/** A text with blanks: `cloze(template, (at) => html`…`)` renders the given content in each blank. */
export const cloze = directive(Cloze);
