import { css, html, nothing } from 'lit';
import { setStyles } from '../../content/set-styles';
import { markup } from '../../content/markup';
import { plainText } from '../../content/plain-text';
import { countFilled, possibleResponsesOf } from '../../interactions/arrangement';
import { Placing } from '../../interactions/placing';
import { placingStyle } from '../../interactions/placing-style';
import { listOf, numberOf, objectOf, textOf } from '../../members';
import { attemptedOf } from '../../question';
import { QuestionElement } from '../../question-element';
import { lengthOf } from '../../response-container';
import { verdictOf } from '../../review';
import { arrangementOf, cellsOf, rulesOf, tableOf, valueOf } from './answer';

/** Responses that are sorted into the cells of a table. */
export default class ClassificationElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    placingStyle,
    css`
      .cells {
        display: grid;
        grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
        gap: 0.75rem;
      }

      .cell .title {
        margin-block-end: 0.25rem;
        font-weight: 600;
      }

      .cell .zone {
        min-block-size: 3.75rem;
        inline-size: 100%;
      }

      @container (max-width: 34rem) {
        .cells {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  private readonly placing: Placing = new Placing(this, {
    responses: () => possibleResponsesOf(this.question),
    arrangement: () => arrangementOf(this.question, this.value),
    rules: () => rulesOf(this.question),
    nameOf: (place) => this.#nameOf(place),
    isReadOnly: () => this.isReadOnly,
    rearrange: (arrangement) => this.change(valueOf(arrangement)),
  });

  override get attempted() {
    const placed = new Set(arrangementOf(this.question, this.value).flat()).size;
    if (placed === 0) return attemptedOf(0, 1);
    const count = rulesOf(this.question).isReusable ? countFilled(arrangementOf(this.question, this.value)) : placed;
    const all = rulesOf(this.question).isReusable
      ? cellsOf(this.question)
      : possibleResponsesOf(this.question).texts.length;
    return attemptedOf(count, Math.min(all, Math.max(1, all)));
  }

  #nameOf(place: number): string {
    const { columns, rows } = tableOf(this.question);
    const [row, column] = [rows[Math.floor(place / columns.length)], columns[place % columns.length]];
    const name = [row, column]
      .map((title) => plainText(title ?? ''))
      .filter((title) => title !== '')
      .join(', ');
    return name || this.label('cell', place + 1, cellsOf(this.question));
  }

  protected override controls() {
    const { columns } = tableOf(this.question);
    const layout = objectOf(this.question['ui_style']);
    const height = lengthOf(layout['row_min_height']);
    const cells = Array.from({ length: cellsOf(this.question) }, (_, at) => this.#cell(at, height));
    return this.placing.layout(
      html`<div class="cells" ${setStyles({ '--columns': String(columns.length) })}>${cells}</div>`,
      textOf(layout['possibility_list_position']),
      layout['show_drag_handle'] !== false,
    );
  }

  #cell(at: number, height: string | undefined) {
    const { columns, rows } = tableOf(this.question);
    const [row, column] = [rows[Math.floor(at / columns.length)] ?? '', columns[at % columns.length] ?? ''];
    const review = this.shownReview;
    const verdict = verdictOf(review?.parts?.[at]);
    const count = arrangementOf(this.question, this.value)[at]?.length ?? 0;
    return html`<div class="cell">
      ${
        row === '' && column === ''
          ? nothing
          : html`<div class="title content">
              ${row === '' ? nothing : html`${markup(row)}${column === '' ? '' : ', '}`}${markup(column)}
            </div>`
      }
      ${this.placing.zone(
        at,
        Array.from({ length: count }, () => verdict),
        height === undefined ? {} : { height },
      )}
    </div>`;
  }

  protected override correctAnswers(correct: unknown) {
    const { texts } = possibleResponsesOf(this.question);
    return listOf(correct).map((cell, at) => {
      const names = listOf(cell).map((position) => texts[numberOf(position, -1)] ?? '');
      return html`${this.#nameOf(at)}: ${names.map((text, place) => [place > 0 ? ', ' : '', markup(text)])}`;
    });
  }
}
