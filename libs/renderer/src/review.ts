import { html, nothing, type TemplateResult } from 'lit';
import { markup } from './content/markup';
import type { Labels } from './labels';
import { fill } from './labels';
import type { Review } from './question';

/** The verdict of an option or a part. A text and a shape show it; colour only supports them. */
export type Verdict = 'right' | 'wrong' | 'partly' | 'missed';

const TEXTS = { right: 'correct', wrong: 'incorrect', partly: 'partly_correct', missed: 'missed' } as const;

/** SVG paths in a square of 16 units. */
const SHAPES: Readonly<Record<Verdict, string>> = {
  right: 'M3 8.5 6.5 12 13 4.5',
  wrong: 'M4 4l8 8M12 4l-8 8',
  partly: 'M3 8h10',
  missed: 'M8 3v6M8 12v.5',
};

/**
 * A mark beside an option or a part. @param isQuiet hides the text from all but screen readers, for places with little
 * room.
 */
export function mark(verdict: Verdict, labels: Labels, isQuiet = false): TemplateResult {
  return html`<span class="mark ${verdict}"
    ><svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.25">
      <path d=${SHAPES[verdict]} stroke-linecap="round" stroke-linejoin="round"></path></svg
    ><span class=${isQuiet ? 'visually-hidden' : ''}>${labels[TEXTS[verdict]]}</span></span
  >`;
}

/** The verdict of a part of the value; undefined for an empty part, or if no verdict may be shown. */
export function verdictOf(part: boolean | null | undefined): Verdict | undefined {
  return typeof part === 'boolean' ? (part ? 'right' : 'wrong') : undefined;
}

/** Whether an answer has full marks. */
export const isFull = ({ score, maxScore }: Review): boolean =>
  score !== null && maxScore !== null && maxScore > 0 && score >= maxScore;

export const classOf = (verdict: Verdict | undefined): string => (verdict ? `is-${verdict}` : '');

interface Reviewed {
  isAnswered: boolean;
  /** The right answer, one entry for each part. */
  answers: readonly TemplateResult[];
  /** The style of the numerals; undefined for a set. */
  numerals: string | undefined;
}

const listType = (numerals: string | undefined): 'A' | 'a' | '1' =>
  numerals === 'upper-alpha' ? 'A' : numerals === 'lower-alpha' ? 'a' : '1';

/** The result, the right answers and the explanation, below the controls. */
export function reviewPanel(review: Review, labels: Labels, { isAnswered, answers, numerals }: Reviewed) {
  const verdict = result(review, isAnswered);
  const { score, maxScore, rationale } = review;
  // The options of a set show their own rationales.
  const ofPlaces = numerals === undefined ? [] : (review.responseRationale ?? []);
  return html`
    <div class="review ${verdict ?? ''}" part="review">
      <p class="result">
        ${verdict ? mark(verdict, labels) : isAnswered ? nothing : html`<span>${labels.not_answered}</span>`}
        ${maxScore === null ? nothing : html`<span>${points(score, maxScore, isAnswered, labels)}</span>`}
      </p>
      ${
        answers.length === 0
          ? nothing
          : html`
              <p class="title">${answers.length === 1 ? labels.correct_answer : labels.correct_answers}</p>
              ${list(answers, numerals)}
            `
      }
      ${rationale || ofPlaces.some(Boolean) ? html`<p class="title">${labels.rationale}</p>` : nothing}
      ${rationale ? html`<div class="content">${markup(rationale)}</div>` : nothing}
      ${ofPlaces.some(Boolean) ? rationaleList(ofPlaces, numerals) : nothing}
    </div>
  `;
}

/** The points, or that a person still has to score the answer. */
const points = (score: number | null, maxScore: number, isAnswered: boolean, labels: Labels): string =>
  score === null && isAnswered ? labels.not_marked : fill(labels.points, [score ?? 0, maxScore]);

function list(answers: readonly TemplateResult[], numerals: string | undefined): TemplateResult {
  if (answers.length === 1) return html`<div class="content">${answers[0]}</div>`;
  const entries = answers.map((answer) => html`<li class="content">${answer}</li>`);
  return numerals === undefined
    ? html`<ul>
        ${entries}
      </ul>`
    : html`<ol type=${listType(numerals)}>
        ${entries}
      </ol>`;
}

function rationaleList(texts: readonly (string | null)[], numerals: string | undefined): TemplateResult {
  return html`<ol type=${listType(numerals)}>
    ${texts.map((text, at) => (text ? html`<li class="content" value=${at + 1}>${markup(text)}</li>` : nothing))}
  </ol>`;
}

function result(review: Review, isAnswered: boolean): Verdict | undefined {
  const { score, maxScore } = review;
  if (score === null || maxScore === null || maxScore <= 0 || !isAnswered) return undefined;
  return isFull(review) ? 'right' : score > 0 ? 'partly' : 'wrong';
}
