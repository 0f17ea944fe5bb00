import { type JsonObject } from '#kernel';
import { type XmlElement } from '../xml';
import { type Converter, pictureOf, variableOf } from './choices';
import { allBelow, attr, firstOf, nameOf, numberAttr } from './names';
import { type Part } from './part';

/* Interactions that a person scores, and interactions without a counterpart. */

const manual = (element: XmlElement, data: JsonObject & { type: string }): Part => ({
  data,
  variables: [variableOf(element)],
  tries: [],
  isComplete: false,
});

const CHARACTERS_PER_WORD = 5;

export const extendedText: Converter = (element, body) => {
  const isPlain = (attr(element, 'format') ?? 'plain') === 'plain';
  const length = numberAttr(element, 'expectedLength');
  const placeholder = attr(element, 'placeholderText');
  const least = numberAttr(element, 'minStrings') ?? 0;
  const most = numberAttr(element, 'maxStrings') ?? 1;
  const rules = [
    attr(element, 'patternMask') ?? [],
    least > 0 ? `at least ${least} texts` : [],
    most > 1 ? `at most ${most} texts` : [],
  ].flat();
  if (rules.length > 0) body.note('input-rule-dropped', element, rules.join(', '));
  const words = length && Math.max(1, Math.ceil((length * most) / CHARACTERS_PER_WORD));
  return manual(element, {
    type: isPlain ? 'plaintext' : 'longtextV2',
    ...(words && { max_length: words, submit_over_limit: true }),
    ...(placeholder !== undefined && { placeholder }),
  });
};

/** Kinds of files by the media types that a learner may upload. */
const KINDS: readonly [test: RegExp, flags: readonly string[]][] = [
  [/^image\/jpe?g$/, ['allow_jpg']],
  [/^image\/png$/, ['allow_png']],
  [/^image\/gif$/, ['allow_gif']],
  [/^image\//, ['allow_jpg', 'allow_png', 'allow_gif']],
  [/^application\/pdf$/, ['allow_pdf']],
  [/^application\/(msword|vnd\.openxmlformats-officedocument\.wordprocessingml.*)$/, ['allow_ms_word']],
  [/^application\/vnd\.(ms-excel|openxmlformats-officedocument\.spreadsheetml.*)$/, ['allow_ms_excel']],
  [/^application\/vnd\.(ms-powerpoint|openxmlformats-officedocument\.presentationml.*)$/, ['allow_ms_powerpoint']],
  [/^application\/(zip|x-zip-compressed)$/, ['allow_zip']],
  [/^application\/rtf$|^text\/rtf$/, ['allow_rtf']],
  [/^text\/plain$/, ['allow_txt']],
  [/^video\//, ['allow_video']],
];

export const upload: Converter = (element, body) => {
  const types = (attr(element, 'type') ?? '').split(/\s+/).filter(Boolean);
  const flags = types.flatMap((type) => {
    const kind = KINDS.find(([test]) => test.test(type));
    if (!kind) body.note('input-rule-dropped', element, type);
    return kind?.[1] ?? [];
  });
  const allowed = flags.length > 0 ? flags : ['allow_pdf', 'allow_jpg', 'allow_png', 'allow_txt', 'allow_ms_word'];
  return manual(element, {
    type: 'fileupload',
    max_files: 1,
    ...Object.fromEntries(allowed.map((flag) => [flag, true])),
  });
};

export const drawing: Converter = (element, body) =>
  manual(element, { type: 'drawing', image: pictureOf(element, body).image });

/** Keeps the picture and the texts. A person scores what the learner writes. */
export const unsupported: Converter = (element, body) => {
  body.note('interaction-lost', element, nameOf(element));
  const picture = firstOf(element, 'object') ?? firstOf(element, 'img');
  const choices = allBelow(element, 'simpleAssociableChoice', 'gapText', 'simpleChoice').map(
    (choice) => `<li>${body.html(choice.children)}</li>`,
  );
  const list = choices.length > 0 ? `<ul>${choices.join('')}</ul>` : '';
  return manual(element, { type: 'plaintext', stimulus: `${picture ? body.html([picture]) : ''}${list}` });
};
