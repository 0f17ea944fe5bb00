import { html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { css } from '../../css';
import { announce } from '../../interactions/announce';
import { type LabelKey, type Labels, labelsFor } from '../../labels';
import { type Members, textOf } from '../../members';
import { baseStyle } from '../../style';
import { type AngleUnit, calculate, shown } from './arithmetic';

/** The text that a key types, or the name of its action. */
const BASIC = ['(', ')', '%', '÷', '7', '8', '9', '×', '4', '5', '6', '−', '1', '2', '3', '+', '0', '.', 'delete', '='];
const SCIENTIFIC = ['sin(', 'cos(', 'tan(', 'unit', 'ln(', 'log(', '√(', '^', 'π', 'e', '!', 'clear'];
const MAX_LENGTH = 100;

/** Names of keys whose signs are unclear in a screen reader. */
const NAMES: Readonly<Record<string, LabelKey>> = {
  '(': 'open_bracket',
  ')': 'close_bracket',
  '%': 'percent',
  '÷': 'divided_by',
  '×': 'times',
  '−': 'minus',
  '+': 'plus',
  '.': 'decimal_point',
  '=': 'equals',
  '√(': 'square_root',
  '^': 'to_the_power_of',
  '!': 'factorial',
  delete: 'delete_last',
  clear: 'clear_all',
};
const SHOWN: Readonly<Record<string, string>> = { delete: '⌫', clear: 'C', '√(': '√' };

/** A calculator that opens in place. Keyboard and buttons have the same functions. */
export default class Calculator extends LitElement {
  static override styles = [
    baseStyle,
    css`
      .panel {
        inline-size: min(100%, 20rem);
        margin-block-start: 0.5rem;
        padding: 0.75rem;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_sunken);
        direction: ltr;
      }

      .field {
        inline-size: 100%;
        font-size: 1.25em;
        text-align: end;
      }

      output {
        display: block;
        min-block-size: 2rem;
        padding-block: 0.25rem;
        font-size: 1.25em;
        font-weight: 600;
        text-align: end;
        overflow-wrap: anywhere;
      }

      .keys {
        display: grid;
        grid-template-columns: repeat(4, 1fr);
        gap: 0.375rem;
        margin-block-start: 0.375rem;
      }

      .keys .button {
        padding-inline: 0;
      }
    `,
  ];

  @property({ attribute: false }) feature: Members = {};
  @property({ attribute: false }) labels: Labels = labelsFor('en');
  @state() private isOpen = false;
  @state() private typed = '';
  @state() private result = '';
  /** The learner's choice of the unit; undefined for the author's. */
  @state() private chosenUnit: AngleUnit | undefined;

  protected override render(): TemplateResult {
    const name = textOf(this.feature['label']) || this.labels.calculator;
    return html`<button
        type="button"
        class="button"
        aria-expanded=${this.isOpen}
        @click=${() => (this.isOpen = !this.isOpen)}
      >
        ${name}
      </button>
      ${this.isOpen ? this.panel(name) : ''}`;
  }

  private panel(name: string): TemplateResult {
    const isScientific = this.feature['mode'] === 'scientific';
    return html`<div class="panel" role="group" aria-label=${name} @keydown=${this.escape}>
      <input
        class="field"
        inputmode="none"
        maxlength=${MAX_LENGTH}
        autocomplete="off"
        spellcheck="false"
        aria-label=${this.labels.calculation}
        .value=${this.typed}
        @input=${(event: InputEvent) => (this.typed = (event.target as HTMLInputElement).value)}
        @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && this.press('=')}
      />
      <output aria-label=${this.labels.result}>${this.result}</output>
      ${isScientific ? this.keys(SCIENTIFIC) : ''} ${this.keys(isScientific ? BASIC : [...BASIC, 'clear'])}
    </div>`;
  }

  private keys(keys: readonly string[]): TemplateResult {
    return html`<div class="keys">
      ${keys.map((key) => {
        const signs: Readonly<Record<string, string>> = { ...SHOWN, unit: this.unit, '.': this.labels.decimal_sign };
        const text = signs[key] ?? key.replace('(', key === '(' ? '(' : '');
        const name = key === 'unit' ? this.labels[this.unit] : NAMES[key] ? this.labels[NAMES[key]] : text;
        return html`<button type="button" class="button" aria-label=${name} @click=${() => this.press(key)}>
          ${text}
        </button>`;
      })}
    </div>`;
  }

  private get unit(): AngleUnit {
    return this.chosenUnit ?? (this.feature['unit'] === 'radian' ? 'rad' : 'deg');
  }

  private press(key: string): void {
    if (key === 'clear') [this.typed, this.result] = ['', ''];
    else if (key === 'delete') this.typed = this.typed.replace(/(?:sin\(|cos\(|tan\(|log\(|ln\(|√\(|.)$/su, '');
    else if (key === 'unit') this.chosenUnit = this.unit === 'deg' ? 'rad' : 'deg';
    else if (key === '=') this.calculate();
    else if (this.typed.length + key.length <= MAX_LENGTH) this.typed += key === '.' ? this.labels.decimal_sign : key;
  }

  private calculate(): void {
    try {
      const { decimal_sign: sign } = this.labels;
      // A comma is a decimal sign only where the language has it: elsewhere it separates thousands.
      this.result = shown(calculate(this.typed.replaceAll(sign, '.'), this.unit)).replace('.', sign);
    } catch {
      this.result = this.labels.not_calculable;
    }
    announce(this.result);
  }

  private escape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.isOpen = false;
    this.renderRoot.querySelector('button')?.focus();
  }
}
