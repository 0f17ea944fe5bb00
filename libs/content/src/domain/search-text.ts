import { decodeHTML } from 'entities';
import { type Json, type JsonObject } from '#kernel';

/** The maximum number of characters that are indexed of a record. Some bodies have megabytes. */
export const MAX_TEXT = 20_000;

/** Members of an item beside its definition, which is a layout. */
const ITEM_MEMBERS = ['title', 'description', 'note', 'source', 'metadata'];

/** Members of questions, features and metadata whose texts people read, at any depth. A list has the name of its member. */
const TEXTS = new Set([
  'acknowledgements',
  'alt',
  'aria_label',
  'aria_labels',
  'caption',
  'column_titles',
  'content',
  'description',
  'heading',
  'label',
  'label_above',
  'label_below',
  'labels',
  'list',
  'name',
  'option_row_title',
  'options',
  'pages',
  'possible_responses',
  'responses',
  'row_titles',
  'stem_title',
  'stems',
  'stimulus',
  'stimulus_list',
  'template',
  'text',
  'text_blocks',
  'title',
  'transcript',
]);

/**
 * Members that reveal or explain the right answer. They are not indexed, because people who may not see keys may
 * search.
 */
const HIDDEN = /^(?:validation|(?:valid|alt)_responses?)$|answer|rationale|rubric|hint|feedback|_review$|^instructor_/;

/** The text of a document of an item, question or feature: a line for each text, without markup. */
export function searchText(document: JsonObject): string {
  const lines: string[] = [];
  let left = MAX_TEXT;
  const add = (text: string): void => {
    const line = plainText(text.slice(0, 4 * left)).slice(0, left);
    if (line === '') return;
    lines.push(line);
    left -= line.length + 1;
  };
  const walk = (value: Json | undefined, isText: boolean): void => {
    if (left <= 0) return;
    if (typeof value === 'string') {
      if (isText) add(value);
    } else if (Array.isArray(value)) for (const entry of value) walk(entry, isText);
    else if (typeof value === 'object' && value !== null)
      for (const name of Object.keys(value)) if (!HIDDEN.test(name)) walk(value[name], TEXTS.has(name));
  };
  if ('definition' in document) for (const name of ITEM_MEMBERS) walk(document[name], true);
  else for (const name of ['data', 'metadata']) walk(document[name], false);
  return lines.join('\n').toWellFormed();
}

/** A tag or a comment without tags. Reads each text once, whatever was written. */
const TAG = /<(\/?)([a-z][a-z0-9:-]*)(?:[\s/](?:[^<>"']|"[^"]*"|'[^']*')*)?>|<![^<>]*>/gi;
/** Elements within a word: `H<sub>2</sub>O` is one. */
const WITHIN = /^(?:a|abbr|b|bdi|bdo|big|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)$/i;
/** Elements whose content nobody reads. */
const UNREAD = /^(?:script|style|template)$/i;

/** The plain text of markup, on one line. */
export function plainText(markup: string): string {
  let text = '';
  let done = 0;
  let unread: string | undefined;
  for (const { 0: tag, 1: closing, 2: name, index } of markup.matchAll(TAG)) {
    if (unread === undefined) text += markup.slice(done, index);
    done = index + tag.length;
    if (unread !== undefined && closing === '/' && name?.toLowerCase() === unread) unread = undefined;
    else if (unread === undefined && closing === '' && name && UNREAD.test(name)) unread = name.toLowerCase();
    if (name !== undefined && !WITHIN.test(name)) text += ' ';
  }
  if (unread === undefined) text += markup.slice(done);
  return decodeHTML(text)
    .replace(/[\s\u00ad\u200b]+/g, (gap) => (/\s/.test(gap) ? ' ' : ''))
    .trim();
}

/** The text of a stored body; undefined for a damaged body, which `verify` reports. */
export function textOfBody(body: string): string | undefined {
  try {
    return searchText(JSON.parse(body) as JsonObject);
  } catch {
    return undefined;
  }
}
