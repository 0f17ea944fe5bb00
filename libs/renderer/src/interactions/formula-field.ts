import { css, html, nothing, type TemplateResult } from 'lit';
import { loadTypesetter, typesetter } from '../content/mathematics';
import type { LabelKey } from '../labels';
import { listOf, objectOf, textOf } from '../members';
import type { QuestionElement } from '../question-element';
import { classOf, mark, verdictOf } from '../review';
import { textField } from './typing';

/** Formulas: typed as LaTeX or as on a calculator, seen as they will be read, with buttons for what no keyboard has. */

export const formulaStyle = css`
  .formula-field {
    display: inline-grid;
    gap: 0.375rem;
    max-inline-size: 100%;
    vertical-align: middle;
    line-height: 1.4;
  }

  .formula-field .field {
    inline-size: min(16rem, 100%);
    direction: ltr;
  }

  .template .formula-field .field {
    inline-size: min(8rem, 100%);
  }

  /* Within a text only the blank that is being filled has its buttons. */
  .template .formula-field:not(:focus-within) .symbols {
    display: none;
  }

  .symbols {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }

  .symbols button {
    min-inline-size: 2.5rem;
    padding-inline: 0.5rem;
  }

  .shown {
    min-block-size: 1.75rem;
    padding: 0.125rem 0.375rem;
    border-block-end: 1px solid var(--_line);
    direction: ltr;
    overflow-x: auto;
  }
`;

/** What a button puts in; the caret goes to the first empty braces. */
const BASIC = [
  '+',
  '-',
  '\\times',
  '\\div',
  '=',
  '<',
  '>',
  '\\le',
  '\\ge',
  '\\frac{}{}',
  '^{}',
  '\\sqrt{}',
  '\\pi',
  '\\pm',
  '()',
];

export interface FormulaOptions {
  id: string;
  latex: string;
  name?: string;
  labelledBy?: string;
  part: boolean | null | undefined;
  type(latex: string): void;
}

export function formulaField(host: QuestionElement, options: FormulaOptions): TemplateResult {
  const { id, latex, name, labelledBy } = options;
  const isReadOnly = host.disabled || host.mode !== 'answer';
  const verdict = verdictOf(options.part);
  if (latex !== '' && !typesetter()) void loadTypesetter().then(() => host.requestUpdate());
  const setter = typesetter();
  if (setter && host.renderRoot instanceof ShadowRoot) setter.adoptStyles(host.renderRoot);
  return html`<span class="formula-field">
    <span
      >${textField(host, {
        id,
        text: latex,
        ...(name === undefined ? {} : { name }),
        ...(labelledBy === undefined ? {} : { labelledBy }),
        isReadOnly,
        type: options.type,
        className: classOf(verdict),
      })}
      ${verdict ? mark(verdict, host.labels, true) : nothing}</span
    >
    ${latex === '' || !setter ? nothing : html`<span class="shown">${setter.formula(latex)}</span>`}
    ${isReadOnly ? nothing : html`<span class="symbols" role="group" aria-label=${host.label('symbols')}>${symbols(host, options)}</span>`}
  </span>`;
}

function symbols(host: QuestionElement, { id }: FormulaOptions): TemplateResult[] {
  return symbolsOf(host).map(
    (symbol) =>
      html`<button type="button" class="button" @click=${() => insert(host, id, symbol)}>
        ${faceOf(host, symbol)}
      </button>`,
  );
}

/** The symbols of the question that stand for themselves, else the usual ones. */
function symbolsOf(host: QuestionElement): readonly string[] {
  const own = listOf(host.question['symbols'])
    .flatMap((symbol) => (typeof symbol === 'string' ? [symbol] : listOf(objectOf(symbol)['value'])))
    .map((symbol) => textOf(symbol))
    .filter((symbol) => symbol.startsWith('\\') || /^[^a-z]/i.test(symbol));
  return own.length > 0 ? own : BASIC;
}

/** How a symbol looks, and what it is called. */
const FACES: Readonly<Record<string, readonly [seen: string, heard: LabelKey]>> = {
  '\\times': ['×', 'symbol_times'],
  '\\div': ['÷', 'symbol_divided'],
  '\\le': ['≤', 'symbol_at_most'],
  '\\ge': ['≥', 'symbol_at_least'],
  '\\frac{}{}': ['a⁄b', 'symbol_fraction'],
  '^{}': ['xⁿ', 'symbol_power'],
  '\\sqrt{}': ['√', 'symbol_root'],
  '\\pi': ['π', 'symbol_pi'],
  '\\pm': ['±', 'symbol_plus_minus'],
  '()': ['( )', 'symbol_brackets'],
};

function faceOf(host: QuestionElement, symbol: string): TemplateResult {
  const face = FACES[symbol];
  if (!face) return html`${symbol}`;
  const [seen, heard] = face;
  return html`<span aria-hidden="true">${seen}</span><span class="visually-hidden">${host.label(heard)}</span>`;
}

/** Puts a symbol where the caret is. */
function insert(host: QuestionElement, id: string, symbol: string): void {
  const field = (host.renderRoot as ShadowRoot).getElementById(id) as HTMLInputElement;
  const start = field.selectionStart ?? field.value.length;
  const isWord = /^\\[a-z]+$/i.test(symbol);
  const text = isWord ? `${symbol} ` : symbol;
  field.setRangeText(text, start, field.selectionEnd ?? start, 'end');
  const hole = /\{\}|\(\)/.exec(text);
  if (hole) field.setSelectionRange(start + hole.index + 1, start + hole.index + 1);
  field.focus();
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
