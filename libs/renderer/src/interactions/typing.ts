import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { css } from '../css';
import { setStyles } from '../content/set-styles';
import type { QuestionElement } from '../question-element';
import { charactersOf, palette } from './characters';

interface FieldOptions {
  /** Unique among the fields of the question. */
  id: string;
  text: string;
  /** The name of the field. Without it, `labelledBy` applies. */
  name?: string;
  /** Ids of elements in the question. */
  labelledBy?: string;
  /** The id of an element in the question. */
  describedBy?: string;
  /** Called with each change of the text. */
  type(text: string): void;
  maxLength?: number;
  placeholder?: string;
  /**
   * The type of `input`. For `number`, the field is a text field with a numeric keyboard, because a number field hides
   * invalid input.
   */
  inputType?: string;
  spellcheck?: boolean;
  isMultiline?: boolean;
  /** `character_map`: true, or the characters. */
  characterMap?: unknown;
  /** CSS lengths. */
  width?: string;
  height?: string;
  maxHeight?: string;
  className?: string;
}

export const typingStyle = css`
  /* Aligns the surrounding text with the field. */
  .typing {
    display: inline-grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: start;
    max-inline-size: 100%;
  }

  .characters {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    max-inline-size: 26rem;
    margin-block-start: 0.375rem;
    direction: ltr;
  }

  .characters button {
    min-inline-size: 2.25rem;
    padding-inline: 0.5rem;
  }

  details {
    margin-block-start: 0.375rem;
  }

  /* Keeps the text of a cloze beside its field. */
  .template .typing details:not([open]) {
    inline-size: 100%;
    contain: inline-size;
  }

  summary {
    min-block-size: 1.5rem;
    color: var(--_accent);
    cursor: pointer;
  }
`;

/** A native text field, with special characters below it if the question offers them. */
export function textField(host: QuestionElement, options: FieldOptions): TemplateResult {
  const { id, text, name, labelledBy, describedBy, className = '' } = options;
  const onInput = (event: Event) => options.type((event.target as HTMLInputElement).value);
  const { width, height, maxHeight } = options;
  const size = setStyles({ 'inline-size': width, 'min-block-size': height, 'max-block-size': maxHeight });
  const field = options.isMultiline
    ? html`<textarea
        id=${id}
        class="field ${className}"
        aria-label=${name ?? nothing}
        aria-labelledby=${labelledBy ?? nothing}
        aria-describedby=${describedBy ?? nothing}
        maxlength=${options.maxLength ?? nothing}
        placeholder=${options.placeholder || nothing}
        spellcheck=${options.spellcheck ?? false}
        rows=${height === undefined ? nothing : 1}
        ?readonly=${host.isReadOnly}
        .value=${live(text)}
        @input=${onInput}
        ${size}
      ></textarea>`
    : html`<input
        id=${id}
        class="field ${className}"
        type=${KEYBOARD_TYPES.includes(options.inputType ?? '') ? options.inputType : 'text'}
        inputmode=${options.inputType === 'number' ? 'decimal' : nothing}
        autocomplete="off"
        autocapitalize="off"
        aria-label=${name ?? nothing}
        aria-labelledby=${labelledBy ?? nothing}
        maxlength=${options.maxLength ?? nothing}
        placeholder=${options.placeholder || nothing}
        spellcheck=${options.spellcheck ?? false}
        ?readonly=${host.isReadOnly}
        .value=${live(text)}
        @input=${onInput}
        ${size}
      />`;
  const insertHere = (character: string) => insert(host, id, character, options.maxLength);
  const map = host.isReadOnly ? nothing : characterMap(host, options.characterMap, insertHere);
  return map === nothing ? field : html`<span class="typing">${field}${map}</span>`;
}

/** Special characters that the learner can insert. @param map `character_map`: true, or the characters. */
function characterMap(
  host: QuestionElement,
  map: unknown,
  insert: (character: string) => void,
): TemplateResult | typeof nothing {
  const characters = charactersOf(map);
  if (characters.length === 0) return nothing;
  return html`<details @keydown=${closeOnEscape}>
    <summary>${host.label('special_characters')}</summary>
    ${palette(host, 'special_characters', characters, insert)}
  </details>`;
}

function closeOnEscape(event: KeyboardEvent): void {
  const details = event.currentTarget as HTMLDetailsElement;
  if (event.key !== 'Escape' || !details.open) return;
  // Otherwise Escape would also close a surrounding dialog.
  event.stopPropagation();
  details.open = false;
  details.querySelector('summary')!.focus();
}

/** Types of `input` that hold any text. */
const KEYBOARD_TYPES = ['text', 'email', 'tel', 'url', 'search'];

/** Inserts a character at the caret, like typed input. */
function insert(host: QuestionElement, id: string, character: string, maxLength: number | undefined): void {
  const field = (host.renderRoot as ShadowRoot).getElementById(id) as HTMLInputElement;
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
  if (maxLength !== undefined && field.value.length - (end - start) + character.length > maxLength) return;
  field.setRangeText(character, start, end, 'end');
  field.focus();
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
