import { type Entry, type Tag } from '../entry';
import { entriesOf, filesOf, someFile } from '../files';
import { type Format } from '../format';
import { categoryTag, itemEntry, References, refusedEntry } from '../items';
import { allApproximate, allExact, levelsOf } from '../levels';
import { type Note, note } from '../note';
import { type Built, essayQuestion, passage, withPoints } from '../questions';
import { beginningOf, type Source, textOf, Unreadable } from '../source';
import { childrenOfRoot, type XmlElement } from '../xml';
import { clozeQuestions } from './cloze';
import { dragIntoText, dragOntoPicture, markers, selectInText } from './places';
import {
  type Converter,
  matching,
  multichoice,
  numerical,
  ordering,
  shortAnswer,
  stimulusOf,
  trueFalse,
} from './simple';
import { COMBINED_FEEDBACK, QuestionTexts } from './texts';
import { uploadsOf } from './uploads';
import { MOODLE_WRITTEN_TYPES } from './write/questions';
import { quizOf } from './write/quiz';

const MOODLE = 'moodle-xml';

/** Moodle XML: `quiz/question`. */
export const moodle: Format = {
  name: MOODLE,
  recognises: (source) => someFile(source, xmlFiles(source).slice(0, 5), (bytes) => QUIZ.test(beginningOf(bytes))),
  read: (source) =>
    entriesOf(xmlFiles(source), async (path) => new Reader(path).entries(textOf(await source.bytes(path), path))),
  *write(records, context) {
    yield { path: 'moodle.xml', content: quizOf(MOODLE, records, context) };
  },
};

/** A quiz without a namespace. Canvas writes the settings of a quiz in an element of this name too, with its namespace. */
const QUIZ = /<quiz(?=[\s>])(?![^>]*\sxmlns\s*=)/;

const xmlFiles = (source: Source): readonly string[] => filesOf(source, /\.xml$/i);

const single =
  (convert: (texts: QuestionTexts, points: number) => Built['data']): Several =>
  (texts, points) => [{ data: convert(texts, points), notes: [] }];

type Several = (texts: QuestionTexts, points: number) => Built[] | undefined;

const one =
  (convert: Converter): Several =>
  (texts, points) => {
    const built = withPoints(points, (some) => convert(texts, some));
    return built && [built];
  };

const cloze: Several = (texts) => {
  const built = clozeQuestions(stimulusOf(texts));
  const questions = built.filter(({ data }) => data.type !== 'sharedpassage');
  if (questions.length > 1) texts.note('text-split', texts.question, `${questions.length} questions in one text`);
  return questions.length > 0 ? built : undefined;
};

/** The limit where the source allows any number of files. */
const MAX_FILES = 10;
const PLAIN_FORMATS = ['plain', 'monospaced'];

const essay: Several = (texts, points) => {
  const format = texts.plain('responseformat');
  const attachments = Number(texts.plain('attachments')) || 0;
  const maxWords = Number(texts.plain('maxwordlimit')) || undefined;
  if (Number(texts.plain('minwordlimit')) > 0)
    texts.note('input-rule-dropped', texts.question, `at least ${texts.plain('minwordlimit')} words`);
  if (texts.plain('responsetemplate') !== '')
    texts.note('first-response-dropped', texts.question, texts.plain('responsetemplate'));
  const isUpload = attachments !== 0 || format === 'noinline';
  const kinds = texts.plain('filetypeslist');
  const { flags, unknown } = uploadsOf(kinds);
  if (isUpload && kinds === '') texts.note('input-rule-dropped', texts.question, 'files of all kinds');
  else if (isUpload && unknown.length > 0)
    texts.note(
      'input-rule-dropped',
      texts.question.first('filetypeslist')!,
      `files of the kinds ${unknown.join(', ')}`,
    );
  // Here too, a question that takes only files needs one to be answered.
  const required = Number(texts.plain('attachmentsrequired')) || 0;
  const maxBytes = Number(texts.plain('maxbytes')) || 0;
  const rules = [
    ...(attachments < 0 ? ['any number of files'] : []),
    ...(required > (format === 'noinline' ? 1 : 0) ? [`required files: ${required}`] : []),
    ...(maxBytes > 0 ? [`largest file: ${maxBytes} bytes`] : []),
  ];
  if (isUpload && rules.length > 0) texts.note('input-rule-dropped', texts.question, rules.join(', '));
  const stimulus = stimulusOf(texts);
  const upload: Built = {
    data: {
      type: 'fileupload',
      max_files: attachments < 0 ? MAX_FILES : Math.max(attachments, 1),
      ...flags,
    },
    notes: [],
  };
  if (format === 'noinline')
    return [{ ...upload, data: { ...upload.data, stimulus, validation: { max_score: points } } }];
  const text: Built = {
    data: essayQuestion(stimulus, points, { isPlain: PLAIN_FORMATS.includes(format), maxWords }),
    notes: [],
  };
  if (attachments === 0) return [text];
  texts.note('interaction-approximated', texts.question, 'attachments are a question of their own');
  return [text, upload];
};

/** A person scores it. */
const onPicture = one(markers);
/** Numbers with an exponent earn nothing here. */
const number = one(numerical);

/** Every kind of question that Moodle itself has. Null: a kind that has no counterpart. */
const KINDS: Readonly<Record<string, Several | null>> = {
  calculated: null,
  calculatedmulti: null,
  calculatedsimple: null,
  cloze,
  multianswer: cloze,
  ddimageortext: one(dragOntoPicture),
  ddmarker: onPicture,
  ddwtos: one(dragIntoText),
  description: single((texts) => passage(stimulusOf(texts))),
  essay,
  gapselect: one(selectInText),
  match: one(matching),
  matching: one(matching),
  multichoice: one(multichoice),
  numerical: number,
  ordering: one(ordering),
  random: null,
  randomsamatch: null,
  shortanswer: one(shortAnswer),
  truefalse: one(trueFalse),
};
export const MOODLE_KINDS = Object.keys(KINDS);
export const MOODLE_IN = levelsOf(KINDS, [onPicture, number]);
export const MOODLE_OUT = {
  ...allExact([...MOODLE_WRITTEN_TYPES, 'sharedpassage']),
  // Moodle reads numbers in other ways.
  ...allApproximate(['clozeformula', 'formulaV2']),
};

class Reader {
  private readonly references = new References();
  private category: Tag | undefined;
  /** Notes on categories, for the next question. */
  private readonly lost: Note[] = [];

  constructor(private readonly path: string) {}

  *entries(text: string): Generator<Entry> {
    let count = 0;
    for (const question of childrenOfRoot(text, this.path)) {
      if (question.name !== 'question') continue;
      count++;
      if (question.attributes.type === 'category') this.begin(question);
      else {
        const entry = this.entryOf(question);
        entry.notes.push(...this.lost.splice(0));
        yield entry;
      }
    }
    if (count === 0) throw new Unreadable('nothing-found', `${this.path} holds no question.`, this.path);
  }

  private begin(category: XmlElement): void {
    const [path, text] = [textIn(category, 'category'), textIn(category, 'info')];
    this.category = categoryTag(path);
    const at = `${this.path}#${category.path}`;
    if (text !== '') this.lost.push(note('unknown-dropped', at, `text of the category ${path}: ${text}`));
  }

  private entryOf(question: XmlElement): Entry {
    const source = `${this.path}#${question.path}`;
    const type = question.attributes.type ?? '';
    const name = textIn(question, 'name');
    const wanted = textIn(question, 'idnumber') || name || source;
    const { reference, notes } = this.references.free(wanted, source);
    const texts = new QuestionTexts(question, this.path, reference, notes);
    const refused = (code: 'entry-unsupported' | 'entry-unreadable', was: string): Entry =>
      refusedEntry(source, reference, code, was, texts.notes);
    const convert = Object.hasOwn(KINDS, type) ? KINDS[type] : null;
    if (!convert) return refused('entry-unsupported', `${type}: ${name}`);
    const grade = textIn(question, 'defaultgrade');
    const isValid = grade !== '' && Number.isFinite(Number(grade)) && Number(grade) >= 0;
    if (grade !== '' && !isValid) texts.note('weight-dropped', question.first('defaultgrade')!, `${grade} points`);
    const points = isValid ? Number(grade) : 1;
    const built = convert(texts, points);
    if (!built) return refused('entry-unreadable', `${name || type} has no answer that can be read`);
    return this.item(texts, source, name, built);
  }

  private item(texts: QuestionTexts, source: string, title: string, built: readonly Built[]): Entry {
    const { question, reference } = texts;
    const general = texts.html(question.first('generalfeedback'));
    const kept = Object.fromEntries(
      COMBINED_FEEDBACK.flatMap((field) => {
        const text = texts.html(question.first(field));
        return text === '' ? [] : [[field, text] as const];
      }),
    );
    const hasFeedback = Object.keys(kept).length > 0;
    if (hasFeedback) texts.note('feedback-kept-aside', question, Object.values(kept).join(' '));
    for (const hint of question.all('hint')) texts.note('hint-dropped', hint, texts.plain('hint'));
    const graderinfo = texts.html(question.first('graderinfo'));
    return itemEntry({
      source,
      reference,
      title,
      built,
      general,
      tags: this.tags(texts),
      notes: texts.notes,
      assets: [...texts.assets.values()],
      original: texts.original(MOODLE),
      record: {
        ...(graderinfo !== '' && { note: graderinfo }),
        ...(textIn(question, 'hidden') === '1' && { status: 'archived' }),
        ...(hasFeedback && { metadata: { moodle_feedback: kept } }),
      },
    });
  }

  private tags({ question }: QuestionTexts): Tag[] {
    const names = ['tags', 'coursetags'].flatMap((list) =>
      (question.first(list)?.all('tag') ?? []).map((tag) => textIn(tag, 'text')),
    );
    const tags = names.filter(Boolean).map((name): Tag => ({ type: 'tag', name }));
    return this.category ? [this.category, ...tags] : tags;
  }
}

const textIn = (element: XmlElement, name: string): string => {
  const child = element.first(name);
  return (child?.first('text') ?? child)?.text.trim() ?? '';
};
