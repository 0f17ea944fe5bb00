import { xmlText } from '../../xml-writing';
import { type JsonObject } from '#kernel';
import { BLANK } from './placing';
import { listOf, type QuestionContext, range, textOf } from './question';

/* Blanks in a text or on a picture. */

export const countBlanks = (data: JsonObject): number =>
  typeof data.template === 'string' ? data.template.split(BLANK).length - 1 : listOf(data.response_positions).length;

/** The members of a question about a picture. */
export const PICTURE = ['image', 'img_src', 'response_positions', 'aria_labels'];

/** A text with an element for each blank. */
function filled(template: string, blank: (at: number) => string): { xml: string; count: number } {
  const [first = '', ...texts] = template.split(BLANK);
  return { xml: first + texts.map((text, at) => blank(at) + text).join(''), count: texts.length };
}

/** The blanks of a picture, each in a line below it. */
function belowPicture(
  data: JsonObject,
  context: QuestionContext,
  blank: (at: number) => string,
): { xml: string; count: number } | undefined {
  const image = context.picture(data.image ?? data.img_src);
  if (!image) return undefined;
  context.note('layout-approximated', 'places on a picture stand below it');
  const { count } = { count: listOf(data.response_positions).length };
  const lines = range(count).map((at) => {
    const label = textOf(listOf(data.aria_labels)[at]) || String(at + 1);
    return `<p>${xmlText(label)}: ${blank(at)}</p>`;
  });
  return { xml: `<p>${context.v.picture(image.source, image.alt, image.size)}</p>${lines.join('')}`, count };
}

/** The text or the picture of a question with an element for each blank. */
export const withBlanks = (
  data: JsonObject,
  context: QuestionContext,
  blank: (at: number) => string,
): { xml: string; count: number } | undefined =>
  typeof data.template === 'string' ? filled(context.html(data.template), blank) : belowPicture(data, context, blank);
