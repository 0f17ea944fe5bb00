import {
  acceptedTexts,
  type Built,
  choiceQuestion,
  essayQuestion,
  gradedOrder,
  matchQuestion,
  type NumberAnswer,
  numberQuestion,
  passage,
  textQuestion,
} from '../questions';
import { shareOf } from '../shares';
import { htmlIn } from '../text-format';

interface Found {
  title: string;
  built: Built;
  general: string;
}

/** Characters with a meaning in GIFT. While the text is split, other characters stand for escaped ones. */
const ESCAPED = '~=#{}:\\';
const SHELTER = 0xe000;

const shelter = (text: string): string =>
  text.replace(/\\([~=#{}:\\n])/g, (_, mark: string) =>
    mark === 'n' ? '\n' : String.fromCharCode(SHELTER + ESCAPED.indexOf(mark)),
  );
const unshelter = (text: string): string =>
  text.replace(/[\ue000-\ue006]/g, (mark) => ESCAPED[mark.charCodeAt(0) - SHELTER]!);

const GAP = '_____';
const FORMAT = /^\[(html|moodle|plain|markdown)\]/;

/** `::title::[format]text`. Title and format may be absent. */
function headOf(written: string): { title: string; format: string; text: string } {
  const end = written.startsWith('::') ? written.indexOf('::', 2) : -1;
  const title = end < 0 ? '' : written.slice(2, end);
  const rest = end < 0 ? written : written.slice(end + 2).trimStart();
  const format = FORMAT.exec(rest);
  return { title, format: format?.[1] ?? 'moodle', text: format ? rest.slice(format[0].length) : rest };
}

/** A question in GIFT, or the reason why it cannot be read. */
export function questionIn(written: string): Found | { title: string; wrong: string } {
  const sheltered = shelter(written);
  const { title, format, text } = headOf(sheltered.trim());
  const name = unshelter(title).trim();
  // Answers and feedback may have formats of their own.
  const html = (part: string): string => {
    const [mark = '', own = format] = FORMAT.exec(part.trim()) ?? [];
    return htmlIn(unshelter(part.trim().slice(mark.length)).trim(), own);
  };
  const opens = text.indexOf('{');
  const closes = text.indexOf('}', opens + 1);
  if (opens < 0 && closes < 0) return { title: name, built: { data: passage(html(text)), notes: [] }, general: '' };
  if (opens < 0 || closes < 0) return { title: name, wrong: 'a brace has no partner' };
  if (text.indexOf('{', opens + 1) >= 0 || text.indexOf('}', closes + 1) >= 0)
    return { title: name, wrong: 'there is more than one pair of braces' };
  const behind = text.slice(closes + 1).trim();
  const before = text.slice(0, opens).trimEnd();
  const stimulus = html(behind === '' ? before : `${before} ${GAP} ${behind}`);
  const inside = text.slice(opens + 1, closes);
  const at = inside.lastIndexOf('####');
  const answers = (at < 0 ? inside : inside.slice(0, at)).trim();
  const built = answersIn(answers, stimulus, html);
  if (typeof built === 'string') return { title: name, wrong: built };
  return { title: name, built, general: at < 0 ? '' : html(inside.slice(at + '####'.length)) };
}

type Html = (text: string) => string;

/** Recognises the kind of question by tests in the order of Moodle. */
function answersIn(answers: string, stimulus: string, html: Html): Built | string {
  if (answers === '') return { data: essayQuestion(stimulus, 1), notes: [] };
  if (answers.startsWith('>')) return ordering(answers, stimulus, html);
  if (answers.startsWith('#')) return numbers(answers.slice(1).trim(), stimulus);
  if (answers.includes('~')) return choices(answers, stimulus, html);
  if (answers.includes('->')) return matching(answers, stimulus, html);
  const truth = /^(T|TRUE|F|FALSE)\s*(#[^]*)?$/i.exec(answers);
  if (truth) return trueFalse(/^t/i.test(truth[1]!), truth[2] ?? '', stimulus, html);
  return texts(answers, stimulus);
}

interface Answer {
  isRight: boolean;
  /** Undefined if the answer has no percentage. */
  share: number | undefined;
  text: string;
  feedback: string;
}

/** Answers that begin with `=` or `~`, with their percentages and feedback, if present. */
function listed(answers: string): Answer[] | undefined {
  const parts = answers.split(/(?=[=~])/).filter((part) => part.trim() !== '');
  if (parts.some((part) => !/^[=~]/.test(part))) return undefined;
  return parts.map((part) => {
    const [, percent, rest] = /^(?:%(-?[\d.]{1,12})%)?([^]*)$/.exec(part.slice(1).trim())!;
    const [text, ...feedback] = rest!.split('#');
    return {
      isRight: part.startsWith('='),
      share: percent === undefined ? undefined : shareOf(Number(percent)),
      text: text!.trim(),
      feedback: feedback.join('#').trim(),
    };
  });
}

const NO_ANSWERS = 'an answer begins with neither = nor ~';

function choices(answers: string, stimulus: string, html: Html): Built | string {
  const all = listed(answers);
  if (!all) return NO_ANSWERS;
  const isMultiple = !all.some(({ isRight }) => isRight);
  const options = all.map(({ isRight, share, text, feedback }) => ({
    html: html(text),
    fraction: share ?? (isRight ? 1 : 0),
    feedback: html(feedback),
  }));
  return choiceQuestion(options, { stimulus, points: 1, isMultiple });
}

/** The first feedback is for a wrong response, the second for a right one. */
function trueFalse(isTrue: boolean, feedback: string, stimulus: string, html: Html): Built {
  const [, wrong = '', right = ''] = feedback.split('#').map((part) => html(part));
  const option = (label: string, isRight: boolean) => ({
    html: label,
    fraction: isRight ? 1 : 0,
    feedback: isRight ? right : wrong,
  });
  return choiceQuestion([option('True', isTrue), option('False', !isTrue)], { stimulus, points: 1 });
}

function texts(answers: string, stimulus: string): Built | string {
  const all = listed(answers);
  if (!all) return NO_ANSWERS;
  if (all.some(({ text }) => text === '')) return 'an answer has no text';
  const notes: Built['notes'] = [];
  const written = all.map(({ text, share }) => ({ written: unshelter(text), fraction: share ?? 1 }));
  const accepted = acceptedTexts(written, false, (answer) => notes.push(['wildcard-approximated', answer.written]));
  const built = textQuestion(accepted, { stimulus, points: 1, caseSensitive: false });
  return withFeedbackNote({ ...built, notes: [...notes, ...built.notes] }, all);
}

const withFeedbackNote = (built: Built, answers: readonly Answer[]): Built => {
  const lost = answers.flatMap(({ feedback }) => (feedback === '' ? [] : unshelter(feedback)));
  return lost.length === 0 ? built : { ...built, notes: [...built.notes, ['feedback-dropped', lost.join(' ')]] };
};

function matching(answers: string, stimulus: string, html: Html): Built | string {
  const all = listed(answers);
  if (!all) return NO_ANSWERS;
  const pairs = all.map(({ text }) => {
    const at = text.indexOf('->');
    return {
      stem: html(at < 0 ? text : text.slice(0, at)),
      response: at < 0 ? '' : unshelter(text.slice(at + 2)).trim(),
    };
  });
  if (pairs.some(({ response }) => response === '')) return 'a pair has no right side';
  const stems = pairs.filter(({ stem }) => stem !== '');
  if (stems.length < 2) return 'there are fewer than two pairs';
  return matchQuestion(
    stems,
    pairs.filter(({ stem }) => stem === '').map(({ response }) => response),
    { stimulus, points: 1 },
  );
}

function numbers(answers: string, stimulus: string): Built | string {
  const isList = /^[=~]/.test(answers);
  const all = isList ? listed(answers) : [{ isRight: true, share: 1, ...valueAndFeedback(answers) }];
  if (!all) return NO_ANSWERS;
  // `~#feedback` stands for all other numbers.
  const named = all.filter(({ isRight, text }) => isRight || text !== '');
  const parsed = named.map(({ isRight, text, share }) => numberIn(unshelter(text), share ?? Number(isRight)));
  if (parsed.some((number) => number === undefined)) return 'an answer is not a number';
  return withFeedbackNote(numberQuestion(parsed as NumberAnswer[], { stimulus, points: 1 }), all);
}

function valueAndFeedback(answer: string): Pick<Answer, 'text' | 'feedback'> {
  const [text, ...feedback] = answer.split('#');
  return { text: text!.trim(), feedback: feedback.join('#').trim() };
}

/** `v`, `v:tolerance` or `min..max`. */
function numberIn(text: string, fraction: number): NumberAnswer | undefined {
  const range = text.split('..');
  const [first, second] = (range.length === 2 ? range : text.split(':')).map((part) =>
    part.trim() === '' ? NaN : Number(part),
  );
  if (!Number.isFinite(first) || (second !== undefined && !Number.isFinite(second))) return undefined;
  if (range.length !== 2) return { value: first!, tolerance: Math.abs(second ?? 0), fraction };
  // Sums of decimal fractions have errors in their last digits.
  const rounded = (value: number) => Number(value.toPrecision(12));
  return { value: rounded((first! + second!) / 2), tolerance: rounded(Math.abs(second! - first!) / 2), fraction };
}

/** `>n SELECT LAYOUT GRADING SHOW numbering`, then an entry on each line. */
function ordering(answers: string, stimulus: string, html: Html): Built | string {
  const [head, ...lines] = answers.split('\n');
  const [, select = 'ALL', , grading = 'ABSOLUTE_POSITION'] = head!.slice(1).trim().split(/\s+/);
  const entries = lines.map((line) => html(line)).filter((line) => line !== '');
  if (entries.length < 2) return 'there are fewer than two entries to order';
  const built = gradedOrder(entries, { stimulus, points: 1, grading });
  return select === 'ALL' ? built : { ...built, notes: [...built.notes, ['selection-dropped', head!]] };
}
