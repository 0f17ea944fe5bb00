import { html } from 'lit';
import { css } from '../../css';
import { markup } from '../../content/markup';
import { plainText } from '../../content/plain-text';
import { arrange, countFilled, possibleResponsesOf, textsOf } from '../../interactions/arrangement';
import { Placing } from '../../interactions/placing';
import { placingStyle } from '../../interactions/placing-style';
import { entryText, isTrue, listOf, objectOf, textOf } from '../../members';
import { numeral } from '../../numerals';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';

/** A list with a place beside each entry. */
export default class AssociationElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    placingStyle,
    css`
      .pairs {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.5rem;
        max-inline-size: 48rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .pairs li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem 1rem;
        padding-block-end: 0.5rem;
        border-block-end: 1px solid var(--_line);
      }

      .pairs .stem {
        flex: 1 1 10rem;
        min-inline-size: 0;
      }
    `,
  ];

  private readonly placing: Placing = new Placing(this, {
    arrangement: () => this.#arrangement,
    rules: () => ({ max: 1, isReusable: this.#isReusable }),
    nameOf: (place) => plainText(this.#stems[place] ?? '') || this.label('blank', place + 1, this.#stems.length),
    rearrange: (arrangement) => this.change(textsOf(arrangement, possibleResponsesOf(this.question).texts)),
  });

  get #stems(): string[] {
    return listOf(this.question['stimulus_list']).map((stem) => entryText(stem));
  }

  get #isReusable(): boolean {
    return isTrue(this.question['duplicate_responses']);
  }

  get #arrangement() {
    return arrange(this.value, possibleResponsesOf(this.question).texts, this.#stems.length, this.#isReusable);
  }

  override get attempted() {
    return attemptedOf(countFilled(this.#arrangement), this.#stems.length);
  }

  protected override controls() {
    const layout = objectOf(this.question['ui_style']);
    const numerals = textOf(layout['stem_numeration']);
    const rows = this.#stems.map(
      (stem, at) =>
        html`<li>
          <span class="stem content">${numerals ? `${numeral(numerals, at)} ` : ''}${markup(stem)}</span>
          ${this.placing.onePlace(at, { verdict: this.verdictAt(at) })}
        </li>`,
    );
    const position = textOf(layout['possibility_list_position']);
    return this.placing.layout(
      html`<ul class="pairs">
        ${rows}
      </ul>`,
      position,
      layout['show_drag_handle'] !== false,
    );
  }

  protected override correctAnswers(correct: unknown) {
    return listOf(correct).map((text) => html`${markup(entryText(text))}`);
  }
}
