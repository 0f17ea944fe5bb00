import { MathfieldElement } from 'mathlive';
import { sanitise } from './sanitise';

/**
 * MathLive's two-dimensional field for formulas, made to work under a content policy that forbids `style` in markup
 * (decision 98).
 */

// Nothing is fetched: there are no sounds, and the typesetter adds the fonts to the document.
MathfieldElement.soundsDirectory = null;
MathfieldElement.fontsDirectory = null;
// Otherwise, a field takes the focus when the learner comes back to the window.
MathfieldElement.restoreFocusWhenDocumentFocused = false;

// MathLive takes messages for input from its own keyboard, from any window. No window may answer for the learner.
window.addEventListener(
  'message',
  (event: MessageEvent<{ type?: unknown } | null>) => {
    if (event.isTrusted && event.data?.type === 'mathlive#virtual-keyboard-message') event.stopImmediatePropagation();
  },
  { capture: true },
);

/** Typed words and signs that become symbols: those that scoring knows. */
const SHORTCUTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi ' +
      'omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega sin cos tan cot sec csc arcsin arccos arctan sinh cosh ' +
      'tanh ln log exp'
    )
      .split(' ')
      .map((word) => [word, `\\${word}`]),
  ),
  sqrt: '\\sqrt{#?}',
  '*': '\\cdot',
  '+-': '\\pm',
  '!=': '\\ne',
  '>=': '\\ge',
  '<=': '\\le',
  '->': '\\to',
  '%': '\\%',
  $: '\\$',
  '&': '\\&',
};

/** Keys for moving and editing, and fractions. So Tab leaves the field, and MathLive's menus and modes have no keys. */
const isEditing = ({ key, command }: { key: string; command: unknown }): boolean =>
  key === '/' ||
  key === '[NumpadDivide]' ||
  (!key.includes('[Tab]') &&
    typeof command === 'string' &&
    /^(?:move|extend|delete|selectAll|undo|redo|cut|copy|paste)/.test(command));

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  [part=virtual-keyboard-toggle], [part=menu-toggle] { display: none !important; }
  .ML__content-placeholder, .ML__content-placeholder * { color: var(--placeholder-color); }
  .ML__content-placeholder { font-size: 0.8em; }
  @media (prefers-reduced-motion: reduce) { *, ::after { animation: none !important; } }
`);

/** Replaces how an element takes markup, because the parser refuses `style` attributes. */
function renderBy(element: Element, nodesOf: (markup: string) => Node): void {
  Object.defineProperty(element, 'innerHTML', {
    configurable: true,
    set: (markup: string) => element.replaceChildren(nodesOf(markup)),
  });
}

function withoutStyles(markup: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = markup.replace(/\sstyle=(?:"[^"]*"|[^\s>]+)/g, '');
  return template.content;
}

/** Fires `input` when the learner changes the formula. Its tag differs from MathLive's, which the page may use. */
export class MathField extends MathfieldElement {
  #latex = '';
  readonly #sheets: CSSStyleSheet[];

  constructor() {
    super();
    this.#sheets = [...this.shadowRoot!.adoptedStyleSheets, sheet];
    this.addEventListener('keydown', (event) => this.#onKeyDown(event), { capture: true });
    this.addEventListener('focusout', () => this.#report());
  }

  override connectedCallback(): void {
    // An element that was in a template has lost its sheets.
    this.shadowRoot!.adoptedStyleSheets = this.#sheets;
    // MathLive renders its frame into the first element, and the formula into the second.
    renderBy(this.shadowRoot!.querySelector('span')!, withoutStyles);
    super.connectedCallback();
    renderBy(this.shadowRoot!.querySelector('[part=content]')!, sanitise);
    this.mathVirtualKeyboardPolicy = 'manual';
    this.popoverPolicy = 'off';
    this.menuItems = [];
    this.smartMode = false;
    this.inlineShortcuts = SHORTCUTS;
    this.keybindings = this.keybindings.filter(isEditing);
    this.macros = { ...this.macros, abs: '\\left|#1\\right|' };
    // MathLive describes the caret and what it deletes in English only.
    this.shadowRoot!.querySelector<HTMLElement>('[role=status]')!.lang = 'en';
    // The device shows its own keyboard, because MathLive's is not used.
    this.shadowRoot!.querySelector<HTMLElement>('[part=keyboard-sink]')!.inputMode = 'text';
    this.setValue(this.#latex, { silenceNotifications: true });
  }

  override disconnectedCallback(): void {
    this.#report();
    super.disconnectedCallback();
  }

  /** The formula as it is stored. */
  get latex(): string {
    return this.#latex;
  }

  /** Setting the present formula keeps the caret. */
  set latex(latex: string) {
    if (latex === this.#latex) return;
    this.#latex = latex;
    if (this.isConnected) this.setValue(latex, { silenceNotifications: true });
  }

  /** Takes over what the learner has typed. Returns whether the formula has changed. */
  takeInput(): boolean {
    const latex = storedForm(this.getValue('latex'));
    if (latex === this.#latex) return false;
    this.#latex = latex;
    return true;
  }

  /** Inserts a symbol at the caret, and moves the caret to the symbol's first empty place. */
  insertSymbol(symbol: string): void {
    const latex = symbol
      .replaceAll('{}', '{#?}')
      .replaceAll('()', '\\left(#?\\right)')
      .replaceAll('\\{\\}', '\\left\\lbrace#?\\right\\rbrace')
      .replaceAll('\\left|\\right|', '\\left|#?\\right|');
    this.focus();
    this.insert(latex, { selectionMode: latex.includes('#?') ? 'placeholder' : 'after' });
    this.#report();
  }

  /** MathLive reports changes later, and never after the field has gone. */
  #report(): void {
    this.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.readOnly) return;
    // Commands are not typed here: the text field takes them.
    if (event.key === '\\') event.preventDefault();
    if (event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    // A space leaves a fraction, a power or a root. Elsewhere it separates, as in 1 1/2.
    const { position } = this;
    this.executeCommand('moveAfterParent');
    if (this.position === position && position > 0) this.insert('\\,');
  }
}

customElements.define('itembank-math-field', MathField);

/** Keys may compare texts. So formulas have the forms that people write. */
function storedForm(latex: string): string {
  return latex
    .replace(/\\placeholder(?:\[[^\]]*\])?\{\}/g, '')
    .replace(/\\frac(\w)(\w)/g, '\\frac{$1}{$2}')
    .replace(/\\frac(\w)(?=\{)/g, '\\frac{$1}')
    .replace(/\\sqrt(\w)/g, '\\sqrt{$1}')
    .replace(/\^\{((?:\\prime)+)\}/g, (_, primes: string) => primes.replaceAll('\\prime', "'"))
    .replaceAll('\\lbrack', '[')
    .replaceAll('\\rbrack', ']')
    .replaceAll('\\lbrace', '\\{')
    .replaceAll('\\rbrace', '\\}')
    .replace(/(?:\\,)+(?=\\frac|$)/g, '');
}
