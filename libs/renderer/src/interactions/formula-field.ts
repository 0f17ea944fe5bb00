import { css, html, nothing, type TemplateResult } from 'lit';
import { loadTypesetter, typesetter } from '../content/mathematics';
import type { LabelKey } from '../labels';
import { objectOf, textOf } from '../members';
import type { QuestionElement } from '../question-element';
import { classOf, mark, verdictOf } from '../review';
import { groupsOf } from './formula-symbols';
import { countPlaces, filled, seen, textsIn } from './formula-template';
import { moveInToolbar } from './toolbar';
import { textField } from './typing';

/**
 * Fields for formulas, typed as LaTeX or as on a calculator, with a preview and a palette of symbols. MathLive's own
 * field and keyboard are not used: their markup has `style` attributes, which a strict content security policy forbids.
 */

export const formulaStyle = css`
  .formula-field {
    display: inline-grid;
    gap: 0.375rem;
    max-inline-size: 100%;
    line-height: 1.4;
  }

  .formula-field .field {
    inline-size: 16rem;
    direction: ltr;
    /* What floats at the lower edge of the window does not cover the field. */
    scroll-margin-block-end: 16rem;
  }

  .template .formula-field {
    margin-block: 0.25rem;
  }

  .template .formula-field .field {
    inline-size: 8rem;
  }

  .formulas.is-open .field.is-current {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }

  .places {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem;
  }

  .palette-opener {
    display: block;
    margin-block-start: 0.5rem;
  }

  .palette {
    display: grid;
    gap: 0.5rem;
    max-inline-size: 40rem;
    margin-block-start: 0.5rem;
    padding: 0.5rem;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_sunken);
  }

  .palette.floating {
    position: sticky;
    inset-block-end: 0.5rem;
    z-index: 1;
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 0.3);
  }

  .groups,
  .symbols {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }

  .symbols {
    direction: ltr;
  }

  .symbols button {
    min-inline-size: 2.5rem;
    padding-inline: 0.5rem;
  }

  .groups button[aria-pressed='true'] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
    box-shadow: inset 0 -0.1875rem 0 var(--_accent);
  }

  .shown {
    min-block-size: 1.75rem;
    padding: 0.125rem 0.375rem;
    border-block-end: 1px solid var(--_line);
    direction: ltr;
    overflow-x: auto;
  }

  @media (max-height: 30rem) {
    .palette.floating {
      position: static;
    }
  }
`;

export interface FormulaOptions {
  id: string;
  latex: string;
  name?: string;
  labelledBy?: string;
  /** LaTeX with `{{response}}` in the places to fill. */
  template?: string;
  placeholder?: string;
  width?: string | undefined;
  part: boolean | null | undefined;
  type(latex: string): void;
}

/** `ui_style.type`: where and when the palette is shown. */
type PaletteKind = 'floating-keyboard' | 'block-keyboard' | 'block-on-focus-keyboard';

/** The formula fields of a question. One palette types into the field that had the focus last. */
export class Formulas {
  /** The id of that field. */
  private current: string | undefined;
  private group = 0;
  private hasFocus = false;
  /** The learner's choice whether the palette is open; undefined for the setting of the question. */
  private wanted: boolean | undefined;

  constructor(
    private readonly host: QuestionElement,
    private readonly usualKind: PaletteKind,
  ) {}

  /** @param fields the content with the fields; `first` is the id of the first field. */
  withPalette(fields: unknown, first: string): TemplateResult {
    const { host } = this;
    if (this.isReadOnly) return html`<div class="formulas">${fields}</div>`;
    const isOpen = this.isOpen;
    return html`<div
      class="formulas ${isOpen ? 'is-open' : ''}"
      @focusin=${this.onFocusIn}
      @focusout=${this.onFocusOut}
      @keydown=${this.onKeyDown}
    >
      ${fields}
      <button
        type="button"
        class="button palette-opener"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-keyshortcuts="Control+\\"
        @mousedown=${keepFocus}
        @click=${() => this.toggle(first)}
      >
        ${host.label('symbols')}
      </button>
      ${isOpen ? this.palette(first) : nothing}
    </div>`;
  }

  field(options: FormulaOptions): TemplateResult {
    const { id, latex, template = '' } = options;
    const { host } = this;
    const verdict = verdictOf(options.part);
    // Shows a stored formula that does not match the template unchanged.
    const texts = countPlaces(template) > 0 ? textsIn(template, latex) : undefined;
    const shown = texts ? seen(template, texts) : latex;
    const setter = this.setterFor(shown !== '');
    const marked = verdict ? mark(verdict, host.labels, true) : nothing;
    const fields = texts
      ? texts.map((text, at) =>
          this.input(options, {
            id: at === 0 ? id : `${id}-${at}`,
            text,
            name: this.nameOfPlace(options, at, texts.length),
            type: (own) => options.type(filled(template, texts.with(at, own))),
          }),
        )
      : this.input(options, { id, text: latex, name: options.name, type: options.type });
    const preview = shown === '' || !setter ? nothing : html`<span class="shown">${setter.formula(shown)}</span>`;
    return html`<span class="formula-field">
      ${texts ? preview : nothing}<span class="places">${fields} ${marked}</span>${texts ? nothing : preview}
    </span>`;
  }

  private input(
    { labelledBy, part, placeholder, width }: FormulaOptions,
    { id, text, name, type }: { id: string; text: string; name: string | undefined; type(text: string): void },
  ): TemplateResult {
    return textField(this.host, {
      id,
      text,
      ...(name === undefined ? {} : { name }),
      ...(labelledBy === undefined || name !== undefined ? {} : { labelledBy }),
      isReadOnly: this.isReadOnly,
      type,
      ...(placeholder ? { placeholder } : {}),
      ...(width === undefined ? {} : { width }),
      className: `${classOf(verdictOf(part))} ${id === this.current ? 'is-current' : ''}`,
    });
  }

  private nameOfPlace({ name }: FormulaOptions, at: number, count: number): string | undefined {
    if (count === 1) return name;
    const place = this.host.label('blank', at + 1, count);
    return name === undefined ? place : `${name}: ${place}`;
  }

  private get isReadOnly(): boolean {
    return this.host.disabled || this.host.mode !== 'answer';
  }

  private get kind(): PaletteKind {
    const kind = textOf(objectOf(this.host.question['ui_style'])['type']);
    return kind === 'floating-keyboard' || kind === 'block-keyboard' || kind === 'block-on-focus-keyboard'
      ? kind
      : this.usualKind;
  }

  private get isOpen(): boolean {
    return this.wanted ?? (this.kind === 'block-keyboard' || this.hasFocus);
  }

  private setterFor(isNeeded: boolean): ReturnType<typeof typesetter> {
    const setter = typesetter();
    if (isNeeded && !setter) void loadTypesetter().then(() => this.host.requestUpdate());
    if (setter && this.host.renderRoot instanceof ShadowRoot) setter.adoptStyles(this.host.renderRoot);
    return setter;
  }

  private palette(first: string): TemplateResult {
    const { host } = this;
    const groups = groupsOf(host.question, host.labels);
    const group = groups[this.group] ?? groups[0]!;
    const choose = (at: number) => () => {
      this.group = at;
      host.requestUpdate();
    };
    return html`<div class="palette ${this.kind === 'floating-keyboard' ? 'floating' : ''}" @mousedown=${keepFocus}>
      ${
        groups.length === 1
          ? nothing
          : html`<div class="groups" role="toolbar" aria-label=${host.label('symbol_groups')} @keydown=${moveInToolbar}>
              ${groups.map(
                ({ name }, at) =>
                  html`<button
                    type="button"
                    class="button"
                    tabindex=${at === 0 ? 0 : -1}
                    aria-pressed=${groups[at] === group ? 'true' : 'false'}
                    @click=${choose(at)}
                  >
                    ${name}
                  </button>`,
              )}
            </div>`
      }
      <div class="symbols" role="toolbar" aria-label=${group.name} @keydown=${moveInToolbar}>
        ${group.symbols.map(
          (symbol, at) =>
            html`<button
              type="button"
              class="button"
              tabindex=${at === 0 ? 0 : -1}
              @click=${() => this.insert(symbol, first)}
            >
              ${this.face(symbol)}
            </button>`,
        )}
      </div>
    </div>`;
  }

  private face(symbol: string): unknown {
    const face = FACES[symbol];
    if (face)
      return html`<span aria-hidden="true">${face[0]}</span
        ><span class="visually-hidden">${this.host.label(face[1])}</span>`;
    const text = /^\\text\{(.*)\}$/.exec(symbol)?.[1] ?? (symbol.includes('\\') ? undefined : symbol);
    if (text !== undefined && !HOLE.test(text)) return text;
    return this.setterFor(true)?.formula(symbol.replace(/\{\}/g, '{\\square}')) ?? symbol;
  }

  private fieldOf(first: string): HTMLInputElement | null {
    const root = this.host.renderRoot as ShadowRoot;
    return (root.getElementById(this.current ?? first) ?? root.getElementById(first)) as HTMLInputElement | null;
  }

  private toggle(first: string): void {
    this.wanted = !this.isOpen;
    this.current ??= first;
    this.host.requestUpdate();
  }

  private readonly onFocusIn = (event: FocusEvent): void => {
    const target = event.target as HTMLElement;
    const isField = target.matches('input');
    if (this.hasFocus && (!isField || target.id === this.current)) return;
    this.hasFocus = true;
    if (isField) this.current = target.id;
    this.host.requestUpdate();
  };

  private readonly onFocusOut = (event: FocusEvent): void => {
    if ((event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)) return;
    this.hasFocus = false;
    this.host.requestUpdate();
  };

  /** Escape closes the palette; Control and backslash opens it and leads into it. */
  private readonly onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.isOpen) {
      // Prevents that Escape also closes a surrounding dialog.
      event.stopPropagation();
      this.wanted = false;
      this.host.requestUpdate();
      const isInPalette = (event.target as HTMLElement).closest('.palette') !== null;
      if (isInPalette && this.current) this.fieldOf(this.current)?.focus();
    } else if (event.key === '\\' && event.ctrlKey) {
      event.preventDefault();
      this.wanted = true;
      this.host.requestUpdate();
      void this.host.updateComplete.then(() =>
        this.host.renderRoot.querySelector<HTMLElement>('.symbols button[tabindex="0"]')?.focus(),
      );
    }
  };

  /** Inserts a symbol at the caret, and moves the caret to the symbol's first empty place. */
  private insert(symbol: string, first: string): void {
    const field = this.fieldOf(first);
    if (!field) return;
    const start = field.selectionStart ?? field.value.length;
    const text = /^\\[a-z]+$/i.test(symbol) ? `${symbol} ` : symbol;
    field.setRangeText(text, start, field.selectionEnd ?? start, 'end');
    const hole = HOLE.exec(text);
    if (hole) {
      const caret = start + hole.index + hole[0].length / 2;
      field.setSelectionRange(caret, caret);
    }
    field.focus();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Matches empty braces or brackets, and the middle of `\{\}` and `\left|\right|`. */
const HOLE = /\{\}|\(\)|(?<=\{)(?=\\\})|(?<=\\left\|)(?=\\right)/;

/**
 * Keeps the focus in the field during a press beside it. Otherwise a palette that needs the focus would close before
 * the press.
 */
const keepFocus = (event: MouseEvent): void => event.preventDefault();

/** The display and the name of a symbol. */
const FACES: Readonly<Record<string, readonly [seen: string, heard: LabelKey]>> = {
  '\\times': ['×', 'symbol_times'],
  '\\div': ['÷', 'symbol_divided'],
  '\\le': ['≤', 'symbol_at_most'],
  '\\ge': ['≥', 'symbol_at_least'],
  '\\ne': ['≠', 'symbol_not_equal'],
  '\\frac{}{}': ['a⁄b', 'symbol_fraction'],
  '^{}': ['xⁿ', 'symbol_power'],
  '\\sqrt{}': ['√', 'symbol_root'],
  '\\pi': ['π', 'symbol_pi'],
  '\\pm': ['±', 'symbol_plus_minus'],
  '()': ['( )', 'symbol_brackets'],
  '^{2}': ['x²', 'symbol_squared'],
  '_{}': ['xₙ', 'symbol_index'],
  '\\sqrt[3]{}': ['∛', 'symbol_cube_root'],
  '\\left|\\right|': ['|x|', 'symbol_absolute'],
  '\\infty': ['∞', 'symbol_infinity'],
  '\\approx': ['≈', 'symbol_about'],
  '^{\\circ}': ['°', 'symbol_degrees'],
  '\\angle': ['∠', 'symbol_angle'],
  '\\triangle': ['△', 'symbol_triangle'],
  '\\parallel': ['∥', 'symbol_parallel'],
  '\\perp': ['⊥', 'symbol_perpendicular'],
  '\\cong': ['≅', 'symbol_congruent'],
  '\\sim': ['∼', 'symbol_similar'],
  '\\overline{}': ['A͞B', 'symbol_line'],
  '\\overrightarrow{}': ['→', 'symbol_arrow'],
  '\\int': ['∫', 'symbol_integral'],
  '\\sum': ['∑', 'symbol_sum'],
  '\\prod': ['∏', 'symbol_product'],
  '\\partial': ['∂', 'symbol_partial'],
  "'": ['′', 'symbol_prime'],
  '\\to': ['→', 'symbol_to'],
  '\\{\\}': ['{ }', 'symbol_braces'],
  '\\in': ['∈', 'symbol_in'],
  '\\notin': ['∉', 'symbol_not_in'],
  '\\subset': ['⊂', 'symbol_subset'],
  '\\subseteq': ['⊆', 'symbol_subset_equal'],
  '\\cup': ['∪', 'symbol_union'],
  '\\cap': ['∩', 'symbol_intersection'],
  '\\setminus': ['∖', 'symbol_without'],
  '\\emptyset': ['∅', 'symbol_empty_set'],
  '\\mathbb{N}': ['ℕ', 'symbol_naturals'],
  '\\mathbb{Z}': ['ℤ', 'symbol_integers'],
  '\\mathbb{Q}': ['ℚ', 'symbol_rationals'],
  '\\mathbb{R}': ['ℝ', 'symbol_reals'],
};
