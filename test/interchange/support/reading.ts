import { type Entry, type Format, type Source, Unreadable } from '#interchange';
import { type Json } from '#kernel';
import { compile } from '#scoring';

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

/** The question data of an entry that is an item: of its nth widget. */
export function dataOf({ record, reference }: Entry, nth = 0) {
  const widget = record?.kind === 'item' ? record.widgets[nth] : undefined;
  if (!widget) throw new Error(`${reference} has no widget ${nth}.`);
  return widget.data;
}

/** The points for a response to the nth widget; null when it is not attempted or not scored. */
export const scoreOf = (entry: Entry, value: Json, nth = 0): number | null =>
  compile(dataOf(entry, nth)).score({ value }).score;
