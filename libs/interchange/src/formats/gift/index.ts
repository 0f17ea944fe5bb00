import { type Entry, type Tag } from '../entry';
import { entriesOf, filesOf } from '../files';
import { type Format } from '../format';
import { categoryTag, itemEntry, References, refusedEntry } from '../items';
import { allApproximate, allExact } from '../levels';
import { type Built } from '../questions';
import { type Source, Unreadable } from '../source';
import { type Block, blocksOf } from './blocks';
import { questionIn } from './question';

const TITLE_LENGTH = 60;
const MAX_LINES_LOOKED_AT = 200;

/** GIFT: questions as plain text, with their answers in braces. */
export const gift: Format = {
  name: 'gift',
  async recognises(source) {
    for (const path of textFiles(source).slice(0, 5))
      if (/\.gift(\.txt)?$/i.test(path) || (await looksLikeGift(source, path))) return true;
    return false;
  },
  read(source) {
    const references = new References();
    return entriesOf(textFiles(source), (path) => entriesIn(source, path, references));
  },
};

const textFiles = (source: Source): readonly string[] => filesOf(source, /\.(txt|gift)$/i);

async function* entriesIn(source: Source, path: string, references: References): AsyncGenerator<Entry> {
  let count = 0;
  for await (const block of blocksOf(source, path)) {
    count++;
    yield entryOf(block, path, references);
  }
  if (count === 0) throw new Unreadable('nothing-found', `${path} holds no question.`, path);
}

/** Whether the first lines contain a title, or an answer in braces. */
async function looksLikeGift(source: Source, path: string): Promise<boolean> {
  if (!/\.(txt|gift)$/i.test(path)) return false;
  let count = 0;
  for await (const line of source.lines(path)) {
    if (/^::.*::/.test(line) || line.startsWith('$CATEGORY:') || /(?<!\\)\{\s*(?:[=~#}]|T\}|F\}|TRUE|FALSE)/.test(line))
      return true;
    if (++count === MAX_LINES_LOOKED_AT) return false;
  }
  return false;
}

function entryOf(block: Block, path: string, references: References): Entry {
  const source = `${path}:${block.line}`;
  const found = questionIn(block.text);
  const title = ('title' in found && found.title) || plainTitle(block.text);
  const { reference, notes } = references.free(block.id ?? (title || source), source);
  if ('wrong' in found) return refusedEntry(source, reference, 'entry-unreadable', found.wrong, notes);
  const category = block.category === undefined ? undefined : categoryTag(block.category);
  const tags = block.tags.map((name): Tag => ({ type: 'tag', name }));
  const built: Built[] = [found.built];
  return itemEntry({
    source,
    reference,
    title,
    built,
    general: found.general,
    tags: category ? [category, ...tags] : tags,
    notes,
  });
}

/** The beginning of the text, for questions without a title. */
const plainTitle = (text: string): string =>
  text
    .replace(/^\[\w+\]/, '')
    .replace(/<[^<>]*>|\\(?=.)/g, '')
    .split(/[{\n]/, 1)[0]!
    .trim()
    .slice(0, TITLE_LENGTH);

/** The kinds of questions that the documentation of GIFT names, and the orderings of Moodle. */
export const GIFT_IN = {
  ...allExact([
    'multiple choice',
    'multiple answers',
    'true-false',
    'short answer',
    'matching',
    'missing word',
    'ordering',
    'essay',
    'description',
  ]),
  ...allApproximate(['numerical']),
};
