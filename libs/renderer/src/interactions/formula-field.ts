import { html, nothing, type TemplateResult } from 'lit';
import type { MathField } from '../content/math-field';
import { loadMathFields, loadTypesetter, mathFields, typesetter } from '../content/mathematics';
import { setStyles } from '../content/set-styles';
import { objectOf, textOf } from '../members';
import type { QuestionElement } from '../question-element';
import { classOf, mark, verdictOf } from '../review';
import { FACES, groupsOf, HOLE, type Names, namesIn } from './formula-symbols';
import { countPlaces, filled, seen, textsIn } from './formula-template';
import { moveInToolbar } from './toolbar';
import { textField } from './typing';

/**
 * Fields for formulas: two-dimensional ones, or text fields for LaTeX and for formulas as on a calculator, with a
 * preview. The learner chooses between them. A palette of symbols types into both.
 */

/** Resolves when the last press of the mouse has ended, and its click was heard. */
let pressEnded = Promise.resolve();
const onPress = (): void => {
  pressEnded = new Promise((done) => {
    window.addEventListener('mouseup', () => setTimeout(done), { once: true, capture: true });
  });
};
window.addEventListener('mousedown', onPress, { capture: true });

/** The choice of the learner, which holds for the questions that are shown after it. */
let prefersText = false;

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
  private wantsText = prefersText;
  private loading: Promise<void> | undefined;
  /** The two-dimensional fields by id, and what takes their formulas. */
  private readonly mathFields = new Map<string, MathField>();
  private readonly takers = new Map<string, (latex: string) => void>();

  constructor(
    private readonly host: QuestionElement,
    private readonly usualKind: PaletteKind,
  ) {}

  /** @param fields the content with the fields; `first` is the id of the first field. */
  withPalette(fields: unknown, first: string): TemplateResult {
    const { host } = this;
    if (this.host.isReadOnly) return html`<div class="formulas">${fields}</div>`;
    const isOpen = this.isOpen;
    return html`<div
      class="formulas ${isOpen ? 'is-open' : ''}"
      @pointerdown=${this.onPointerDown}
      @focusin=${{ handleEvent: this.onFocusIn, capture: true }}
      @focusout=${this.onFocusOut}
      @keydown=${this.onKeyDown}
    >
      ${fields}
      <div class="formula-actions">
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
        ${
          mathFields() === undefined
            ? nothing
            : html`<button type="button" class="button" @click=${() => this.switchFields()}>
                ${host.label(this.wantsText ? 'type_as_formula' : 'type_as_text')}
              </button>`
        }
      </div>
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
    const isText = this.isText;
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
    // A two-dimensional field is a preview itself, but screen readers cannot read it as a formula.
    const className = isText || texts ? 'shown' : 'visually-hidden';
    const preview = shown === '' || !setter ? nothing : html`<span class=${className}>${setter.formula(shown)}</span>`;
    return html`<span class="formula-field">
      ${texts ? preview : nothing}<span class="places">${fields} ${marked}</span>${texts ? nothing : preview}
    </span>`;
  }

  private input(
    { labelledBy, part, placeholder, width }: FormulaOptions,
    { id, text, name, type }: { id: string; text: string; name: string | undefined; type(text: string): void },
  ): TemplateResult {
    const className = `${classOf(verdictOf(part))} ${id === this.current ? 'is-current' : ''}`;
    if (!this.isText) {
      const field = this.mathField(id);
      this.takers.set(id, type);
      field.id = id;
      field.className = `field ${className} ${this.host.isReadOnly ? 'is-read-only' : ''}`;
      field.setAttribute('aria-label', name ?? '');
      field.setAttribute('aria-labelledby', name === undefined ? (labelledBy ?? '') : '');
      field.setAttribute('placeholder', placeholder ? `\\text{${placeholder.replace(/[\\{}$%#&]/g, '')}}` : '');
      field.readOnly = this.host.isReadOnly;
      field.latex = text;
      return html`<span class="math" ${setStyles({ 'inline-size': width })}>${field}</span>`;
    }
    return textField(this.host, {
      id,
      text,
      ...(name === undefined ? {} : { name }),
      ...(labelledBy === undefined || name !== undefined ? {} : { labelledBy }),
      type,
      ...(placeholder ? { placeholder } : {}),
      ...(width === undefined ? {} : { width }),
      className,
    });
  }

  private nameOfPlace({ name }: FormulaOptions, at: number, count: number): string | undefined {
    if (count === 1) return name;
    const place = this.host.label('blank', at + 1, count);
    return name === undefined ? place : `${name}: ${place}`;
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

  /** Text fields until the others are loaded; a learner who has begun by then goes on as text. */
  private get isText(): boolean {
    this.loading ??= loadMathFields().then(() => this.host.requestUpdate());
    return this.wantsText || mathFields() === undefined;
  }

  private mathField(id: string): MathField {
    const known = this.mathFields.get(id);
    if (known) return known;
    const field = new (mathFields()!.MathField)();
    field.addEventListener('input', () => {
      if (field.takeInput()) this.takers.get(id)?.(field.latex);
    });
    this.mathFields.set(id, field);
    return field;
  }

  private switchFields(): void {
    this.wantsText = prefersText = !this.wantsText;
    this.host.requestUpdate();
  }

  private setterFor(isNeeded: boolean): ReturnType<typeof typesetter> {
    const setter = typesetter();
    if (isNeeded && !setter) void loadTypesetter().then(() => this.host.requestUpdate());
    if (setter && this.host.renderRoot instanceof ShadowRoot) setter.adoptStyles(this.host.renderRoot);
    return setter;
  }

  private palette(first: string): TemplateResult {
    const { host } = this;
    const names = namesIn(host.labels);
    const groups = groupsOf(host.question, names);
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
              ${this.face(symbol, names)}
            </button>`,
        )}
      </div>
    </div>`;
  }

  private face(symbol: string, names: Names): unknown {
    const face = FACES[symbol];
    if (face)
      return html`<span aria-hidden="true">${face[0]}</span><span class="visually-hidden">${names[face[1]]}</span>`;
    const text = /^\\text\{(.*)\}$/.exec(symbol)?.[1] ?? (symbol.includes('\\') ? undefined : symbol);
    if (text !== undefined && !HOLE.test(text)) return text;
    return this.setterFor(true)?.formula(symbol.replace(/\{\}/g, '{\\square}')) ?? symbol;
  }

  private fieldOf(first: string): HTMLInputElement | MathField | null {
    const root = this.host.renderRoot as ShadowRoot;
    const found = root.getElementById(this.current ?? first) ?? root.getElementById(first);
    return found as HTMLInputElement | MathField | null;
  }

  private toggle(first: string): void {
    this.wanted = !this.isOpen;
    this.current ??= first;
    this.host.requestUpdate();
  }

  private readonly onFocusIn = (event: FocusEvent): void => {
    const target = event.target as HTMLElement;
    const isField = target.matches('.field');
    if (this.hasFocus && (!isField || target.id === this.current)) return;
    this.hasFocus = true;
    if (isField) this.current = target.id;
    if (isField && mathFields() === undefined) this.wantsText = true;
    this.host.requestUpdate();
  };

  /** MathLive sets the focus later. A press in the palette may come before that. */
  private readonly onPointerDown = (event: PointerEvent): void => {
    const target = event.target as HTMLElement;
    if (target.matches('.field')) this.current = target.id;
  };

  private readonly onFocusOut = (event: FocusEvent): void => {
    // MathLive fires a second event, which does not say where the focus goes.
    if (!(event instanceof FocusEvent)) return;
    const formulas = event.currentTarget as HTMLElement;
    if (formulas.contains(event.relatedTarget as Node | null)) return;
    // Without the palette, what is below it moves up. The click would miss it.
    void pressEnded.then(() => {
      if (formulas.matches(':focus-within')) return;
      this.hasFocus = false;
      this.host.requestUpdate();
    });
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
    if (!(field instanceof HTMLInputElement)) {
      field.insertSymbol(symbol);
      return;
    }
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

/**
 * Keeps the focus in the field during a press beside it. Otherwise a palette that needs the focus would close before
 * the press.
 */
const keepFocus = (event: MouseEvent): void => event.preventDefault();
