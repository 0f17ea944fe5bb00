import { type JsonObject } from '#kernel';
import {
  isTrue,
  type KnownType,
  numberOf,
  type QuestionContext,
  type QuestionWriter,
  textOf,
  type Written,
} from './question';

/* Questions that a person scores. */

const CHARACTERS_PER_WORD = 5;

/** A box for a text of any length. */
export function extendedText(data: JsonObject, { v, variable }: QuestionContext, isPlain: boolean): Written {
  const identifier = variable();
  const words = numberOf(data.max_length);
  return {
    body: v.element('extendedTextInteraction', {
      responseIdentifier: identifier,
      format: isPlain ? 'plain' : 'xhtml',
      expectedLength: words !== undefined && words >= 1 ? Math.round(words) * CHARACTERS_PER_WORD : undefined,
      placeholderText: textOf(data.placeholder) || undefined,
    }),
    variables: [{ identifier, cardinality: 'single', baseType: 'string', correct: [] }],
  };
}

const rich: QuestionWriter = (data, _, context) => extendedText(data, context, false);
const plain: QuestionWriter = (data, _, context) => extendedText(data, context, true);

/** Media types of the kinds of files that a learner may upload. */
const KINDS: Readonly<Record<string, string>> = {
  allow_pdf: 'application/pdf',
  allow_jpg: 'image/jpeg',
  allow_png: 'image/png',
  allow_gif: 'image/gif',
  allow_ms_word: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  allow_ms_excel: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  allow_ms_powerpoint: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  allow_zip: 'application/zip',
  allow_rtf: 'application/rtf',
  allow_txt: 'text/plain',
  allow_video: 'video/mp4',
};

const upload: QuestionWriter = (data, _, { v, variable, note }) => {
  const identifier = variable();
  const types = Object.entries(KINDS).flatMap(([flag, type]) => (isTrue(data[flag]) ? type : []));
  const most = numberOf(data.max_files) ?? 1;
  if (most > 1) note('choice-limit-dropped', `${most} files`);
  return {
    body: v.element('uploadInteraction', {
      responseIdentifier: identifier,
      type: types.length > 0 ? types.join(' ') : undefined,
    }),
    variables: [{ identifier, cardinality: 'single', baseType: 'file', correct: [] }],
  };
};

const drawing: QuestionWriter = (data, _, { v, variable, picture }) => {
  const image = picture(data.image ?? data.img_src);
  if (!image) return undefined;
  const identifier = variable();
  return {
    body: v.element(
      'drawingInteraction',
      { responseIdentifier: identifier },
      v.picture(image.source, image.alt, image.size),
    ),
    variables: [{ identifier, cardinality: 'single', baseType: 'file', correct: [] }],
  };
};

const TEXT = ['max_length', 'placeholder', 'submit_over_limit'];
const FILES = ['max_files', ...Object.keys(KINDS)];

export const MANUAL: Readonly<Record<string, KnownType>> = {
  longtext: { write: rich, members: TEXT },
  longtextV2: { write: rich, members: TEXT },
  plaintext: { write: plain, members: TEXT },
  fileupload: { write: upload, members: FILES },
  imageupload: { write: upload, members: FILES },
  drawing: { write: drawing, members: ['image', 'img_src'] },
};
