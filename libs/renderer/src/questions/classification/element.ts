import { html, nothing, unsafeCSS } from 'lit';
import { css, rem } from '../../css';
import { setStyles } from '../../content/set-styles';
import { markup } from '../../content/markup';
import { contentOf } from '../../content/named-content';
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

/** In a narrow container the cells are stacked, each below the title of its column. */
const stacked = (width: string, cells: string) => css`
  @container (max-width: ${unsafeCSS(width)}) {
    ${unsafeCSS(cells)} .head {
      display: none;
    }

    ${unsafeCSS(cells)} .row-header {
      display: inline;
    }

    ${unsafeCSS(cells)} .row {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.375rem;
    }

    ${unsafeCSS(cells)} .cell .title {
      display: block;
      margin-block-end: 0.25rem;
    }
  }
`;

/** Responses that are sorted into the cells of a table. */
export default class ClassificationElement extends QuestionElement {
  static override styles = [
    ...QuestionElement.styles,
    placingStyle,
    css`
      .cells {
        display: grid;
        gap: 0.75rem;
      }

      .row {
        display: grid;
        grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
        gap: 0.75rem;
      }

      .has-rows .row {
        grid-template-columns: minmax(5rem, 0.75fr) repeat(var(--columns), minmax(0, 1fr));
      }

      .title {
        align-self: end;
        min-inline-size: 0;
        font-weight: 600;
      }

      .row-title {
        align-self: center;
      }

      .title .row-header {
        display: none;
      }

      .cell {
        display: grid;
        min-inline-size: 0;
      }

      .cell .title {
        display: none;
      }

      .has-rows .cell .title {
        font-weight: normal;
      }

      .cell .zone {
        align-content: flex-start;
        min-inline-size: 0;
        min-block-size: 3.75rem;
      }

      ${stacked(rem(34), '.cells')} ${stacked(rem(52), '.cells.is-broad')}
    `,
  ];

  private readonly placing: Placing = new Placing(this, {
    arrangement: () => arrangementOf(this.question, this.value),
    rules: () => rulesOf(this.question),
    nameOf: (place) => this.#nameOf(place),
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

  #rowName(row: number): string {
    const title = tableOf(this.question).rows[row] ?? '';
    return plainText(title) || (title && this.label('row', row + 1));
  }

  #columnName(column: number): string {
    const { columns } = tableOf(this.question);
    const title = columns[column] ?? '';
    return plainText(title) || (title && this.label('column', column + 1, columns.length));
  }

  #nameOf(place: number): string {
    const { length } = tableOf(this.question).columns;
    const names = [this.#rowName(Math.floor(place / length)), this.#columnName(place % length)];
    return names.filter(isSaid).join(', ') || this.label('cell', place + 1, cellsOf(this.question));
  }

  protected override controls() {
    const { columns, rows, rowHeader } = tableOf(this.question);
    const layout = objectOf(this.question['ui_style']);
    const hasColumns = columns.some(isSaid);
    const hasRows = rows.some(isSaid);
    const title = (text: string, role: string, name = '') =>
      html`<div class="title" role=${role}>${contentOf(text, name)}</div>`;
    // An empty corner cell is not a header.
    const corner = hasRows ? title(rowHeader, isSaid(rowHeader) ? 'columnheader' : 'cell') : nothing;
    const rowTitle = (text: string, row: number) =>
      html`<div class="title row-title" role="rowheader">
        ${isSaid(rowHeader) ? html`<span class="row-header">${plainText(rowHeader)}: </span>` : nothing}
        ${contentOf(text, this.#rowName(row))}
      </div>`;
    return this.placing.layout(
      html`<div
        class="cells ${hasRows ? 'has-rows' : ''} ${columns.length > 3 ? 'is-broad' : ''}"
        role=${hasColumns || hasRows ? 'table' : nothing}
        aria-labelledby=${hasColumns || hasRows ? this.namedBy : nothing}
        ${setStyles({ '--columns': String(columns.length) })}
      >
        ${
          hasColumns || (hasRows && isSaid(rowHeader))
            ? html`<div class="row head" role="row">
                ${corner} ${columns.map((text, at) => title(text, 'columnheader', this.#columnName(at)))}
              </div>`
            : nothing
        }
        ${rows.map(
          (text, row) =>
            html`<div class="row" role=${hasColumns || hasRows ? 'row' : nothing}>
              ${hasRows ? rowTitle(text, row) : nothing}
              ${columns.map((column, at) => this.#cell(row * columns.length + at, column, hasColumns || hasRows))}
            </div>`,
        )}
      </div>`,
      textOf(layout['possibility_list_position']),
      layout['show_drag_handle'] !== false,
    );
  }

  #cell(at: number, column: string, isInTable: boolean) {
    const review = this.shownReview;
    const verdict = verdictOf(review?.parts?.[at]);
    const count = arrangementOf(this.question, this.value)[at]?.length ?? 0;
    const isMissed = verdict === undefined && listOf(listOf(this.missable)[at]).length > 0;
    const height = lengthOf(objectOf(this.question['ui_style'])['row_min_height']);
    return html`<div class="cell" role=${isInTable ? 'cell' : nothing}>
      ${isSaid(column) ? html`<div class="title content" aria-hidden="true">${markup(column)}</div>` : nothing}
      ${this.placing.zone(
        at,
        Array.from({ length: count }, () => verdict),
        { ...(isMissed && { verdict: 'missed' }), ...(height !== undefined && { height }) },
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

const isSaid = (text: string): boolean => text !== '';
