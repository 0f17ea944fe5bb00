import { type Entry, type Format, type Source, Unreadable } from '#interchange';
import { type Json, type JsonObject } from '#kernel';
import { compile } from '#scoring';
import { type Level, type Levels } from '../../../libs/interchange/src/formats/levels';
import { consequenceOf, type Note, severityOf } from '../../../libs/interchange/src/formats/note';

/** Files by their path, as a source. */
export function sourceOf(files: Readonly<Record<string, string | Uint8Array>>): Source {
  const bytes = (path: string): Promise<Buffer> => {
    const content = files[path];
    if (content === undefined) return Promise.reject(new Unreadable('file-missing', `${path} is missing.`, path));
    return Promise.resolve(Buffer.from(content as string));
  };
  return {
    paths: Object.keys(files),
    bytes,
    async *lines(path) {
      yield* (await bytes(path)).toString('utf8').split(/\r?\n/);
    },
  };
}

/** Reads the files by a format. */
export async function readWith(format: Format, files: Readonly<Record<string, string | Uint8Array>>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of format.read(sourceOf(files))) entries.push(entry);
  return entries;
}

/** The notes of an entry as `code at`, in order. */
export const notesOf = ({ notes }: Entry): string[] => notes.map(({ code, at }) => `${code} ${at}`);

/** Whether a note says that some response scores differently. */
export const changesScores = (notes: readonly Note[]): boolean =>
  notes.some((note) => consequenceOf(note) === 'score' && severityOf(note) !== 'kept aside');

/** How a question is converted, in the words of the table of formats and types, by its notes. */
function levelOf(notes: readonly Note[]): Level {
  if (notes.some(({ code }) => code.startsWith('entry-'))) return 'not';
  return changesScores(notes) || notes.some(({ code }) => code === 'interaction-approximated')
    ? 'approximate'
    : 'exact';
}

const ORDER: readonly Level[] = ['exact', 'approximate', 'not'];

/** The best level of each kind among its examples. */
export function bestLevels(examples: readonly { kind: string; notes: readonly Note[] }[]): Levels {
  const best: Record<string, Level> = {};
  for (const { kind, notes } of examples) {
    const level = levelOf(notes);
    if (ORDER.indexOf(level) < ORDER.indexOf(best[kind] ?? 'not')) best[kind] = level;
    else best[kind] ??= level;
  }
  return best;
}

/** The question data of an entry that is an item: of its nth widget. */
export function dataOf({ record, reference }: Entry, nth = 0) {
  const widget = record?.kind === 'item' ? record.widgets[nth] : undefined;
  if (!widget) throw new Error(`${reference} has no widget ${nth}.`);
  return widget.data;
}

/** The points for a response to the nth widget; null when it is not attempted or not scored. */
export const scoreOf = (entry: Entry, value: Json, nth = 0): number | null =>
  compile(dataOf(entry, nth)).score({ value }).score;

/**
 * The response to the question that was read back. It names choices by their places, and orders by places in another
 * list.
 */
export function valueIn(entry: Entry, data: JsonObject, value: Json): Json {
  if (value === null) return null;
  if (data.type === 'mcq') {
    const values = (data.options as JsonObject[]).map((option) => option.value);
    return (value as string[]).map((each) => String(values.indexOf(each)));
  }
  if (data.type === 'association') {
    const here = dataOf(entry).possible_responses as string[];
    return (value as (string | null)[]).map((each) => here.find((other) => plain(other) === plain(each)) ?? each);
  }
  if (data.type !== 'orderlist' && data.type !== 'sortlist') return value;
  const [list, key, here] = [data.list, keyOf(data), keyOf(dataOf(entry))] as [string[], number[], number[]];
  expect(here).toHaveLength(list.length);
  return (value as number[]).map((place) => here[key.indexOf(place)]!);
}

/** A text as it is shown: some formats write `<` and `&` as entities. */
const plain = (text: string | null): string | undefined => text?.replace(/&lt;/g, '<').replace(/&amp;/g, '&');

const keyOf = (data: JsonObject): Json => ((data.validation as JsonObject).valid_response as JsonObject).value!;
