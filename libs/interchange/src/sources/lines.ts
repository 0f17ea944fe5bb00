import { type Readable } from 'node:stream';
import { Unreadable } from '../formats/source';
import { MAX_LINE_LENGTH } from './limits';

/**
 * The lines of a UTF-8 text, without their ends.
 * @throws Unreadable for another encoding, and for a line that is too long.
 */
export async function* linesOf(stream: Readable, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  const decoded = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Unreadable('text-encoding', `${path} is not a text in UTF-8.`, path);
    }
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines = (rest + decoded(chunk)).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_LINE_LENGTH)
      throw new Unreadable('file-too-large', `${path} has a line of more than ${MAX_LINE_LENGTH} characters.`, path);
    for (const line of lines) yield withoutReturn(line);
  }
  rest += decoded();
  if (rest !== '') yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
