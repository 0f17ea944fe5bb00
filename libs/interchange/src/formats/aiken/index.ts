import { type Entry } from '../entry';
import { entriesOf, filesOf } from '../files';
import { type Format } from '../format';
import { itemEntry, References, refusedEntry } from '../items';
import { allExact } from '../levels';
import { choiceQuestion } from '../questions';
import { type Source, Unreadable } from '../source';
import { htmlOfText } from '../xml';

const OPTION = /^([A-Z])[).](.*)$/;
const ANSWER = /^ANSWER:\s*(?:([A-Za-z])\s*)?$/;
const TITLE_LENGTH = 60;
const MAX_LINES_LOOKED_AT = 100;

/** Aiken: a line with the question, a line for each option, and a line `ANSWER: B`. */
export const aiken: Format = {
  name: 'aiken',
  async recognises(source) {
    for (const path of textFiles(source).slice(0, 5))
      try {
        let count = 0;
        for await (const line of source.lines(path)) {
          if (ANSWER.test(line.trim())) return true;
          if (++count === MAX_LINES_LOOKED_AT) break;
        }
      } catch (error) {
        // A file of any name may be no text at all.
        if (!(error instanceof Unreadable) || /\.txt$/i.test(path)) throw error;
      }
    return false;
  },
  read(source) {
    const references = new References();
    return entriesOf(textFiles(source), (path) => entriesIn(source, path, references));
  },
};

const textFiles = (source: Source): readonly string[] => filesOf(source, /\.txt$/i);

interface Question {
  line: number;
  text: string;
  options: { letter: string; text: string }[];
}

async function* entriesIn(source: Source, path: string, references: References): AsyncGenerator<Entry> {
  let question: Question | undefined;
  let number = 0;
  let count = 0;
  const refused = (line: number, text: string, reason: string): Entry => {
    const place = `${path}:${line}`;
    const { reference, notes } = references.free(text || place, place);
    return refusedEntry(place, reference, 'entry-unreadable', reason, notes);
  };
  for await (const written of source.lines(path)) {
    number++;
    const line = written.replace(/^\uFEFF/, '').trim();
    if (line === '') continue;
    count++;
    const option = OPTION.exec(line);
    const answer = ANSWER.exec(line);
    if (option && question) question.options.push({ letter: option[1]!, text: option[2]!.trim() });
    else if (answer && question) {
      yield (
        entryOf(question, answer[1]?.toUpperCase(), path, references) ??
        refused(question.line, question.text, whyNot(question, answer[1]))
      );
      question = undefined;
    } else if (option || answer) yield refused(number, line, 'it belongs to no question');
    else {
      // A line of text after the options begins the next question.
      if (question && question.options.length > 0) yield refused(question.line, question.text, 'it has no answer line');
      question =
        question && question.options.length === 0
          ? { ...question, text: `${question.text}\n${line}` }
          : { line: number, text: line, options: [] };
    }
  }
  if (question) yield refused(question.line, question.text, 'it has no answer line');
  if (count === 0) throw new Unreadable('nothing-found', `${path} holds no question.`, path);
}

const whyNot = ({ options }: Question, answer = ''): string =>
  options.length < 2 ? 'it has fewer than two options' : `its answer ${answer} is not an option`;

function entryOf(
  { line, text, options }: Question,
  answer: string | undefined,
  path: string,
  references: References,
): Entry | undefined {
  if (options.length < 2 || !options.some(({ letter }) => letter === answer)) return undefined;
  const source = `${path}:${line}`;
  const { reference, notes } = references.free(text, source);
  const built = choiceQuestion(
    options.map((option) => ({ html: htmlOfText(option.text), fraction: option.letter === answer ? 1 : 0 })),
    { stimulus: htmlOfText(text).replace(/\n/g, '<br>'), points: 1 },
  );
  return itemEntry({ source, reference, title: text.slice(0, TITLE_LENGTH), built: [built], notes });
}

export const AIKEN_IN = allExact(['multiple choice']);
