import { FORMATS } from '../formats';
import { type Format } from '../formats/format';
import { type Source, Unreadable } from '../formats/source';

/**
 * The named format, or the first one that recognises the source.
 * @throws Unreadable `format-unknown`.
 */
export async function formatOf(source: Source, name?: string): Promise<Format> {
  const names = FORMATS.map((format) => format.name).join(', ');
  if (name !== undefined) {
    const named = FORMATS.find((format) => format.name === name);
    if (!named) throw new Unreadable('format-unknown', `There is no format ${name}; there are ${names}.`, '');
    return named;
  }
  for (const format of FORMATS) if (await format.recognises(source)) return format;
  throw new Unreadable(
    'format-unknown',
    `No format was recognised. Name the format, one of ${names}.`,
    source.paths[0] ?? '',
  );
}
