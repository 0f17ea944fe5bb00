import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import { Fault, parseObject } from '#kernel';
import { type Asset, ASSET_TOKEN, type Entry, type ImportRecord, type ItemRecord } from '../entry';
import { sha256Of } from '../original';
import { Unreadable } from '../source';
import { parseXml, type XmlElement } from '../xml';

/** The root of a document of QTI, wherever it begins. */
export const ROOT = /<(?:[\w.-]+:)?(?:qti-)?assessment-?(?:item|test|stimulus)[\s>]/i;

/**
 * In packages of this program, each item and test has a record file beside it. The file holds the record and a mark: a
 * hash of the written item. If the mark still matches, no other program has changed the item, and a reader uses the
 * record (decision 76).
 */
const NAMESPACE = 'urn:itembank:record';
const SUFFIX = '.record.xml';

/** The path of the record of an item or a test. */
export const recordPath = (path: string): string => `${path.replace(/\.xml$/, '')}${SUFFIX}`;
export const isRecordPath = (path: string): boolean => path.endsWith(SUFFIX);

// XML cannot hold these two characters. JSON escapes all others that XML cannot hold.
const UNSAFE = /[\uFFFE\uFFFF]/g;
const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16)}`;

/** A record as it was before it was written. */
export interface Restored {
  reference: string;
  record: ImportRecord;
}

/** The file with a record. @param mark of the item or test, and of the stimuli that belong to it. */
export function recordFile(reference: string, { kind, ...members }: { kind: string }, mark: string): string {
  const json = JSON.stringify({ kind, reference, ...members }).replace(UNSAFE, escape);
  const text = json.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<itembank:record xmlns:itembank="${NAMESPACE}" mark="${mark}">${text}</itembank:record>\n`;
}

/** The record in a file; undefined if the file holds none or has another mark. */
export function recordIn(text: string, path: string, mark: string): Restored | Beside | undefined {
  try {
    const root = parseXml(text, path);
    if (root.namespace !== NAMESPACE || root.name !== 'record' || root.attributes.mark !== mark) return undefined;
    const { reference, ...record } = parseObject(root.text, 'The record', 'the members of a record');
    const isKnown = typeof reference === 'string' && KINDS.includes(record.kind as string);
    if (typeof reference === 'string' && record.kind === BESIDE) return { reference, beside: besideIn(record) };
    return isKnown ? { reference, record: record as unknown as ImportRecord } : undefined;
  } catch (error) {
    // The reader then ignores this file and reads the item itself.
    if (error instanceof Unreadable || error instanceof Fault) return undefined;
    throw error;
  }
}

/** Members of an item that its original file cannot hold, because another program wrote that file. */
export interface Beside {
  reference: string;
  beside: Partial<ItemRecord>;
}

const BESIDE = 'item-members';
const MEMBERS = ['description', 'source', 'status', 'tags', 'adaptive', 'dynamic_content_data'] as const;

/** The file beside an item, with these members. */
export function besideFile(reference: string, record: ItemRecord, mark: string): string {
  return recordFile(reference, { kind: BESIDE, ...besideIn(record) }, mark);
}

export const besideIn = (record: object): Partial<ItemRecord> =>
  Object.fromEntries(
    MEMBERS.flatMap((name) => (name in record ? [[name, (record as Partial<ItemRecord>)[name]]] : [])),
  );

/** The mark of a passage: a hash of the content of a stimulus, or of all bytes of another page. */
export const markOfPassage = (text: string, path: string): string =>
  ROOT.test(text) ? markOf(parseXml(text, path)) : sha256Of(text.replace(/^\uFEFF/, ''));

const KINDS = ['item', 'activity', 'question', 'feature'];

/** The files of the package that a record names. */
export function assetsOf(record: ImportRecord, path: string, media: string): Asset[] {
  const names = new Set([...JSON.stringify(record).matchAll(ASSET_TOKEN)].map(([, name]) => name!));
  return [...names].map((name) => ({ name, from: { path: join(dirname(path), media, name) } }));
}

/** A hash of the content of a document. Ignores blanks and prefixes. @param stimuli marks of the stimuli that it uses. */
export const markOf = (root: XmlElement, stimuli: readonly string[] = []): string =>
  createHash('sha256')
    .update(JSON.stringify([contentOf(root), ...stimuli]))
    .digest('hex');

type Content = string | [name: string, attributes: [string, string][], content: Content[]];

function contentOf(node: XmlElement | string): Content {
  if (typeof node === 'string') return node.replace(/\s+/g, ' ').trim();
  const attributes = Object.entries(node.attributes)
    .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [node.name, attributes, withoutBlanks(node.children.map(contentOf))];
}

/** Removes empty texts and joins adjacent ones. */
function withoutBlanks(content: readonly Content[]): Content[] {
  const all: Content[] = [];
  for (const each of content) {
    const before = all.at(-1);
    if (each === '') continue;
    if (typeof each === 'string' && typeof before === 'string') all[all.length - 1] = `${before} ${each}`;
    else all.push(each);
  }
  return all;
}

export const restoredEntry = (source: string, { reference, record }: Restored, assets: readonly Asset[]): Entry => ({
  source,
  reference,
  record,
  notes: [],
  assets: [...assets],
});
