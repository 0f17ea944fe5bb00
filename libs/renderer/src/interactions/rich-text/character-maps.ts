import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { EditorView } from 'prosemirror-view';
import type { LabelKey } from '../../labels';
import type { QuestionElement } from '../../question-element';
import { charactersOf, COMMON, MATHEMATICAL, palette } from '../characters';

interface CharacterMap {
  /** The text on its button. */
  sign: string;
  label: LabelKey;
}

const MAPS = {
  charactermap: { sign: 'á', label: 'special_characters' },
  mathCharacterMap: { sign: '∑', label: 'mathematical_characters' },
} as const satisfies Record<string, CharacterMap>;
type MapName = keyof typeof MAPS;

export const isMap = (name: string): name is MapName => Object.hasOwn(MAPS, name);

/** The tools that open a palette of characters below the toolbar. */
export class CharacterMaps {
  /** The map whose palette is open. */
  #open: MapName | undefined;

  constructor(private readonly host: QuestionElement) {}

  /** The tools of the question, with the character map that `character_map` adds to those of `formatting_options`. */
  with(names: readonly string[]): readonly string[] {
    const isAdded = !names.includes('charactermap') && charactersOf(this.host.question['character_map']).length > 0;
    return isAdded ? [...names, ...(names.length > 0 ? ['|'] : []), 'charactermap'] : names;
  }

  button(name: MapName, isFirst: boolean): TemplateResult {
    const label = this.host.label(MAPS[name].label);
    const isOpen = this.#open === name;
    return html`<button
      type="button"
      class="button"
      title=${label}
      aria-label=${label}
      aria-expanded=${String(isOpen)}
      aria-controls=${isOpen ? 'characters' : nothing}
      tabindex=${isFirst ? 0 : -1}
      @mousedown=${(event: Event) => event.preventDefault()}
      @keydown=${this.#closeOnEscape}
      @click=${() => this.#show(isOpen ? undefined : name)}
    >
      <span aria-hidden="true">${MAPS[name].sign}</span>
    </button>`;
  }

  /** The open palette, if the question offers it. */
  palette(offered: readonly string[], view: EditorView): unknown {
    const name = this.#open;
    if (name === undefined || !offered.includes(name)) return nothing;
    const own = charactersOf(this.host.question['character_map']);
    const special = own.length > 0 ? own : COMMON;
    const insert = (character: string) => {
      view.dispatch(view.state.tr.insertText(character).scrollIntoView());
      view.focus();
    };
    // Each map has its own tab stop.
    return html`<div id="characters" @keydown=${this.#closeOnEscape}>
      ${keyed(name, palette(this.host, MAPS[name].label, name === 'charactermap' ? special : MATHEMATICAL, insert))}
    </div>`;
  }

  #show(name: MapName | undefined): void {
    this.#open = name;
    this.host.requestUpdate();
  }

  readonly #closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.#open === undefined) return;
    // Otherwise Escape would also close a surrounding dialog.
    event.stopPropagation();
    this.host.renderRoot.querySelector<HTMLElement>('[aria-controls="characters"]')?.focus();
    this.#show(undefined);
  };
}
