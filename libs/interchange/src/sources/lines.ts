import { TextDecoder } from 'node:util';
import { encodingOf } from '../formats/encodings';
import { notIn, Unreadable } from '../formats/source';
import { MAX_LINE_LENGTH } from './limits';

/**
 * The lines of a text in UTF-8, or in UTF-16 with a byte order mark, without their ends.
 * @throws Unreadable for another encoding, and for a line that is too long.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let rest = '';
  let count = 0;
  const decoded = (chunk?: Buffer): string => {
    decoder ??= decoderFor(chunk);
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      if (!text.includes('\0')) return text;
    } catch {
      // The error below is for both cases.
    }
    throw new Unreadable('text-encoding', notIn(decoder.encoding, path), path);
  };
  for await (const chunk of chunks) {
    const lines = (rest + decoded(chunk)).split('\n');
    rest = lines.pop()!;
    count += lines.length;
    for (const line of lines) yield withoutReturn(line);
    if (rest.length > MAX_LINE_LENGTH) {
      const at = `${path}:${count + 1}`;
      throw new Unreadable('file-too-large', `${at} has more than ${MAX_LINE_LENGTH} characters in one line.`, at);
    }
  }
  rest += decoded();
  if (rest !== '') yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** A text in lines has no declaration. Its first bytes may be a byte order mark. */
const decoderFor = (beginning: Buffer = Buffer.alloc(0)): TextDecoder => {
  const encoding = encodingOf(beginning);
  return new TextDecoder(encoding.startsWith('utf-16') ? encoding : 'utf-8', { fatal: true });
};
