import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { css } from '../css';
import { directionOf } from '../content/markup';
import { plainText } from '../content/plain-text';
import { setStyles } from '../content/set-styles';
import { entryText, isTrue, listOf, numberOf, textOf } from '../members';
import { QuestionElement } from '../question-element';
import { containerOf } from '../response-container';
import { classOf, mark } from '../review';
import { attemptedTexts, textsOf, withText } from './blank-values';
import { textField } from './typing';

/** Blanks in a text or on an image, which learners fill by typing or from a menu. */

const fillingStyle = css`
  .template {
    line-height: 2.25;
  }

  /* Separates the review mark from the text after it. */
  .template .mark {
    margin-inline-end: 0.5rem;
  }

  .filling {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.375rem;
    max-inline-size: 100%;
    margin-block: 0.25rem;
    line-height: 1.4;
  }

  .filling .mark {
    align-self: center;
  }

  /* Aligns the text with the first line of the field. */
  .filling:has(textarea) {
    align-items: start;
    vertical-align: top;
  }

  .filling:has(textarea) .mark {
    align-self: start;
  }

  .filling .field {
    inline-size: 9rem;
  }

  /* Shows a long answer as a whole. */
  .template .filling input:read-only {
    field-sizing: content;
    inline-size: auto;
    min-inline-size: 9rem;
  }

  select.field {
    inline-size: auto;
    min-inline-size: 5rem;
  }
`;

const MAX_LENGTH = 250;

/** A text or an image with blanks. The value has a text for each. */
export abstract class FillingElement extends QuestionElement {
  static override styles = [...QuestionElement.styles, fillingStyle];

  protected abstract get count(): number;

  /** The author's name for a blank. */
  protected nameOf(at: number): string {
    return textOf(containerOf(this.question, at).members['aria_label']);
  }

  override get attempted() {
    return attemptedTexts(this.value, this.count);
  }

  /** The properties that typed blanks and blanks with a menu share. */
  protected filling(at: number): Filling {
    return {
      at,
      text: textsOf(this.value, this.count)[at] ?? '',
      name: this.nameOf(at) || this.label('blank', at + 1, this.count),
      fill: (text) => this.change(withText(this.value, this.count, at, text)),
    };
  }

  /** The choices of a blank with a menu, as HTML. */
  protected choicesOf(at: number): string[] {
    return listOf(listOf(this.question['possible_responses'])[at]).map((text) => entryText(text));
  }
}

interface Filling {
  at: number;
  text: string;
  name: string;
  fill(text: string): void;
}

/** A blank to type into. */
export function typedBlank(host: QuestionElement, { at, text, name, fill }: Filling): TemplateResult {
  const { question } = host;
  const { width, height, placeholder, inputType } = containerOf(question, at);
  const verdict = host.verdictAt(at);
  const field = textField(host, {
    id: `blank-${at}`,
    text,
    name,
    type: fill,
    maxLength: Math.min(MAX_LENGTH, Math.max(1, Math.round(numberOf(question['max_length'], 15)))),
    placeholder: placeholder || textOf(question['placeholder']),
    inputType,
    spellcheck: isTrue(question['spellcheck']),
    isMultiline: isTrue(question['multiple_line']),
    characterMap: question['character_map'],
    width,
    height,
    className: classOf(verdict),
  });
  return html`<span class="filling">${field} ${verdict ? mark(verdict, host.labels, true) : nothing}</span>`;
}

/** A blank with a menu. @param choices HTML, which a menu shows as plain text. */
export function chosenBlank(
  host: QuestionElement,
  { at, text, name, fill }: Filling,
  choices: readonly string[],
): TemplateResult {
  const { width, placeholder } = containerOf(host.question, at);
  const verdict = host.verdictAt(at);
  return html`<span class="filling"
    ><select
      id=${`blank-${at}`}
      class="field ${classOf(verdict)}"
      aria-label=${name}
      ?disabled=${host.isReadOnly}
      @change=${(event: Event) => fill((event.target as HTMLSelectElement).value)}
      ${setStyles({ 'inline-size': width })}
    >
      <option value="" .selected=${live(text === '')}>${placeholder || host.label('select')}</option>
      ${choices.map((choice, place) => {
        const shown = plainText(choice) || (choice && host.label('response_number', place + 1));
        const isChosen = live(choice === text);
        return html`<option value=${choice} dir=${directionOf(shown)} .text=${shown} .selected=${isChosen}></option>`;
      })}</select
    >${verdict ? mark(verdict, host.labels, true) : nothing}</span
  >`;
}
