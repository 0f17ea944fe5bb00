import { imageSize } from 'image-size';
import { type JsonObject } from '#kernel';
import { type Built, type QuestionData } from '../questions';
import { validationOf } from '../validation';
import { type XmlElement } from '../xml';
import { type Converter, stimulusOf } from './simple';
import { type QuestionTexts } from './texts';

/* Questions whose answers are put into places of a text, such as `[[1]]`, or of a picture. */

interface Box {
  html: string;
  group: string;
  isInfinite: boolean;
}

const BLANK = '{{response}}';
const PLACE = /\[\[(\d+)\]\]/g;

function boxes(texts: QuestionTexts, name: string): Box[] {
  return texts.question.all(name).map((box) => ({
    html: texts.html(box),
    group: texts.plain('group', box) || '1',
    isInfinite: box.first('infinite') !== undefined,
  }));
}

/** The text with blanks, and the number of the right box of each. */
function placesIn(texts: QuestionTexts): { template: string; numbers: number[] } {
  const text = stimulusOf(texts);
  const numbers = [...text.matchAll(PLACE)].map(([, number]) => Number(number));
  return { template: text.replace(PLACE, BLANK), numbers };
}

const shared = (value: string[], points: number): JsonObject =>
  validationOf('partialMatchV2', [{ value, score: points }], { rounding: 'none' });

export const dragIntoText: Converter = (texts, points) => {
  const all = boxes(texts, 'dragbox');
  const { template, numbers } = placesIn(texts);
  const right = numbers.map((number) => all[number - 1]);
  if (numbers.length === 0 || right.includes(undefined)) return undefined;
  const data: QuestionData = {
    type: 'clozeassociation',
    template,
    possible_responses: all.map(({ html }) => html),
    ...(all.some(({ isInfinite }) => isInfinite) && { duplicate_responses: true }),
    ...(texts.plain('shuffleanswers') === '1' && { shuffle_options: true }),
    validation: shared(
      right.map((box) => box!.html),
      points,
    ),
  };
  return { data, notes: [...alike(right as Box[], all), ...limitsOf(all)] };
};

/** Notes for boxes that are kept apart in the source, and for boxes that may be used once beside others. */
function limitsOf(all: readonly Box[]): Built['notes'] {
  const notes: Built['notes'] = [];
  if (new Set(all.map(({ group }) => group)).size > 1)
    notes.push(['layout-approximated', 'boxes of all groups stand in one list']);
  if (all.some(({ isInfinite }) => isInfinite) && all.some(({ isInfinite }) => !isInfinite))
    notes.push(['choice-limit-dropped', 'some boxes may be used once only']);
  return notes;
}

export const selectInText: Converter = (texts, points) => {
  const all = boxes(texts, 'selectoption');
  const { template, numbers } = placesIn(texts);
  const right = numbers.map((number) => all[number - 1]);
  if (numbers.length === 0 || right.includes(undefined)) return undefined;
  const data: QuestionData = {
    type: 'clozedropdown',
    template,
    possible_responses: right.map((box) => all.filter(({ group }) => group === box!.group).map(({ html }) => html)),
    ...(texts.plain('shuffleanswers') === '1' && { shuffle_options: true }),
    validation: shared(
      right.map((box) => box!.html),
      points,
    ),
  };
  return { data, notes: alike(right as Box[], all) };
};

/** A note when a box that is wrong in the source has the same text as the right one. */
const alike = (right: readonly Box[], all: readonly Box[]): Built['notes'] =>
  right.some((box) => all.some((other) => other !== box && other.group === box.group && other.html === box.html))
    ? [['scoring-approximated', 'two boxes with the same text']]
    : [];

export const dragOntoPicture: Converter = (texts, points) => {
  const picture = pictureOf(texts);
  if (!picture) return undefined;
  const drags = new Map(
    texts.question.all('drag').map((drag): [string, Box] => [
      texts.plain('no', drag),
      {
        html: dragHtml(texts, drag),
        group: texts.plain('draggroup', drag) || '1',
        isInfinite: drag.first('infinite') !== undefined,
      },
    ]),
  );
  const boxesThere = [...drags.values()];
  const drops = texts.question.all('drop').map((drop) => ({
    box: drags.get(texts.plain('choice', drop)),
    label: texts.plain('text', drop),
    x: percent(Number(texts.plain('xleft', drop)), picture.width),
    y: percent(Number(texts.plain('ytop', drop)), picture.height),
  }));
  if (drops.length === 0 || drops.some(({ box }) => box === undefined)) return undefined;
  const right = drops.map(({ box }) => box!);
  const data: QuestionData = {
    type: 'imageclozeassociation',
    stimulus: stimulusOf(texts),
    image: { src: picture.token, width: picture.width, height: picture.height },
    response_positions: drops.map(({ x, y }) => ({ x, y })),
    ...(drops.every(({ label }) => label !== '') && { aria_labels: drops.map(({ label }) => label) }),
    possible_responses: boxesThere.map(({ html }) => html),
    ...(boxesThere.some(({ isInfinite }) => isInfinite) && { duplicate_responses: true }),
    validation: shared(
      right.map(({ html }) => html),
      points,
    ),
  };
  return { data, notes: [...alike(right, boxesThere), ...limitsOf(boxesThere)] };
};

/**
 * Keeps the picture and the markers as a text. The learner describes the places in writing, and a person scores that.
 */
export const markers: Converter = (texts, points) => {
  const picture = pictureOf(texts);
  const list = texts.question.all('drag').map((drag) => `<li>${dragHtml(texts, drag)}</li>`);
  const image = picture ? `<p><img src="${picture.token}" alt=""></p>` : '';
  const data: QuestionData = {
    type: 'plaintext',
    stimulus: `${stimulusOf(texts)}${image}<ul>${list.join('')}</ul>`,
    ...(points > 0 && { validation: { max_score: points } }),
  };
  return { data, notes: [['interaction-lost', 'markers on a picture']] };
};

function dragHtml(texts: QuestionTexts, drag: XmlElement): string {
  const file = drag.first('file');
  const text = texts.html(drag);
  return file ? `<img src="${texts.file(file)}" alt="${text.replace(/"/g, '&quot;')}">` : text;
}

interface Picture {
  token: string;
  width: number;
  height: number;
}

function pictureOf(texts: QuestionTexts): Picture | undefined {
  const file = texts.question.first('file');
  if (!file) return undefined;
  try {
    const { width, height } = imageSize(Buffer.from(file.text, 'base64'));
    return { token: texts.file(file), width, height };
  } catch {
    texts.note('file-refused', file, `the size of ${file.attributes.name ?? 'the picture'} cannot be read`);
    return undefined;
  }
}

const percent = (value: number, of: number): number => Math.round((10_000 * value) / of) / 100;
