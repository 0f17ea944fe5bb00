import { type Json, type JsonObject } from '#kernel';
import { identifiers, pixels } from './choices';
import { comparedSet, keyOf } from './compared';
import { BLANK, dragged, placing, POOL, timesOf } from './placing';
import {
  entriesOf,
  isTrue,
  type KnownType,
  listOf,
  objectOf,
  type QuestionContext,
  type QuestionWriter,
  textOf,
} from './question';

/* Questions whose response is a set of pairs. */

const choicematrix: QuestionWriter = (data, validation, context) => {
  const { v, e, html } = context;
  const stems = listOf(data.stems);
  const options = listOf(data.options);
  const [rows, columns] = [identifiers('STEM', stems.length), identifiers('OPTION', options.length)];
  const rowsOf = (value: Json): (readonly Json[])[] => entriesOf(value).map(entriesOf);
  const isMultiple =
    isTrue(data.multiple_responses) ||
    validation.answers.some(({ value }) => rowsOf(value).some((row) => row.length > 1));
  const partsOf = (value: Json): { values: string[] }[] =>
    rowsOf(value).flatMap((row, at) =>
      [...new Set(row.map(keyOf))].flatMap((key) => {
        if (key === null) return [];
        const isOffered = rows[at] !== undefined && /^\d+$/.test(key) && Number(key) < options.length;
        return [{ values: isOffered ? [`${rows[at]} ${columns[Number(key)]}`] : [] }];
      }),
    );
  const cells = validation.answers.map(({ score, value }) => ({ score, parts: partsOf(value) }));
  if (stems.length === 0 || options.length === 0 || validation.answers.some(({ parts }) => parts)) return undefined;
  const identifier = context.variable();
  const choices = (list: readonly Json[], ids: readonly string[], max: number): string =>
    v.element(
      'simpleMatchSet',
      {},
      ...list.map((text, at) =>
        v.element('simpleAssociableChoice', { identifier: ids[at], matchMax: max }, html(text)),
      ),
    );
  return {
    body: v.element(
      'matchInteraction',
      { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: 0 },
      choices(stems, rows, isMultiple ? 0 : 1),
      choices(options, columns, 0),
    ),
    variables: [
      {
        identifier,
        cardinality: 'multiple',
        baseType: 'directedPair',
        correct: partsOf(context.right).flatMap(({ values }) => values),
      },
    ],
    compared: comparedSet(e, { identifier, baseType: 'directedPair' }, cells),
  };
};

const association: QuestionWriter = (data, validation, context) => {
  const { v, html } = context;
  const stems = listOf(data.stimulus_list);
  const places = identifiers('STEM', stems.length);
  const responses = dragged(data, context);
  const choice = (identifier: string, text: string, matchMax: number): string =>
    v.element('simpleAssociableChoice', { identifier, matchMax }, text);
  return placing(
    context,
    validation,
    {
      places,
      responses,
      body: (identifier) =>
        v.element(
          'matchInteraction',
          { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: 0 },
          v.element('simpleMatchSet', {}, ...stems.map((text, at) => choice(places[at]!, html(text), 1))),
          v.element('simpleMatchSet', {}, ...responses.map(({ id, html: text }) => choice(id, text, timesOf(data)))),
        ),
    },
    (stem, response) => `${stem} ${response}`,
  );
};

/** Texts or single pictures that learners put into gaps. */
const gapChoices = ({ v }: QuestionContext, data: JsonObject, responses: ReturnType<typeof dragged>): string[] =>
  responses.map(({ id, html }) =>
    v.element(
      /^\s*<img [^<>]*>\s*$/.test(html) && v.version === '3.0' ? 'gapImg' : 'gapText',
      { identifier: id, matchMax: timesOf(data) },
      html,
    ),
  );

const clozeassociation: QuestionWriter = (data, validation, context) => {
  const { v, html } = context;
  const [first = '', ...texts] = html(data.template).split(BLANK);
  const places = identifiers('GAP', texts.length);
  const responses = dragged(data, context);
  return placing(
    context,
    validation,
    {
      places,
      responses,
      body: (identifier) =>
        v.element(
          'gapMatchInteraction',
          { responseIdentifier: identifier, shuffle: isTrue(data.shuffle_options), maxAssociations: texts.length },
          ...gapChoices(context, data, responses),
          `<div>${first}${texts.map((text, at) => v.element('gap', { identifier: places[at] }) + text).join('')}</div>`,
        ),
    },
    (gap, response) => `${response} ${gap}`,
  );
};

/** The size of a place on a picture for which no size is set. */
const PLACE = { width: 100, height: 20 };

const imageclozeassociation: QuestionWriter = (data, validation, context) => {
  const { v, picture } = context;
  const image = picture(data.image ?? data.img_src);
  const positions = listOf(data.response_positions).map(objectOf);
  const places = identifiers('PLACE', positions.length);
  const responses = dragged(data, context);
  if (!image) return undefined;
  const containers = listOf(data.response_containers).map(objectOf);
  const common = objectOf(data.response_container);
  const length = (member: 'width' | 'height', at: number): number => {
    const text = textOf(containers[at]?.[member] ?? common[member]);
    const number = Number.parseFloat(text);
    if (!(number > 0)) return PLACE[member];
    return text.trim().endsWith('%') ? pixels(number, image.size[member]) : Math.round(number);
  };
  return placing(
    context,
    validation,
    {
      places,
      responses,
      body: (identifier) =>
        v.element(
          'graphicGapMatchInteraction',
          { responseIdentifier: identifier, maxAssociations: positions.length },
          v.picture(image.source, image.alt, image.size),
          ...gapChoices(context, data, responses),
          ...positions.map(({ x, y }, at) => {
            const [left, top] = [pixels(x, image.size.width), pixels(y, image.size.height)];
            return v.element('associableHotspot', {
              identifier: places[at],
              shape: 'rect',
              coords: [left, top, left + length('width', at), top + length('height', at)].join(','),
              matchMax: 1,
              hotspotLabel: textOf(listOf(data.aria_labels)[at]) || undefined,
            });
          }),
        ),
    },
    (place, response) => `${response} ${place}`,
  );
};

export const PAIRS: Readonly<Record<string, KnownType>> = {
  choicematrix: {
    write: choicematrix,
    members: ['stems', 'options', 'multiple_responses', 'shuffle_options', 'ui_style'],
  },
  association: { write: association, members: [...POOL, 'stimulus_list'] },
  clozeassociation: { write: clozeassociation, members: [...POOL, 'template', 'response_container'] },
  imageclozeassociation: {
    write: imageclozeassociation,
    members: [
      ...POOL,
      'image',
      'img_src',
      'response_positions',
      'response_containers',
      'response_container',
      'aria_labels',
    ],
  },
};
