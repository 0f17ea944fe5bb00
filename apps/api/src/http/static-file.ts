import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Request, type Response } from 'express';

/** The encodings of the files that the build compresses, the smallest first, with the endings of their names. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The options of Express for a file of a build. */
type Options = NonNullable<Parameters<Response['sendFile']>[1]> & { root: string };

/**
 * Sends a file of a build, in the best encoding that the build made and the client accepts.
 * Does nothing if the file does not exist.
 * @returns whether it exists.
 */
export function sendStaticFile(request: Request, response: Response, name: string, options: Options): boolean {
  if (!existsSync(join(options.root, name))) return false;
  const made = ENCODINGS.filter(([, ending]) => existsSync(join(options.root, name + ending)));
  if (made.length > 0) response.vary('Accept-Encoding');
  const [encoding, ending] = made.find(([each]) => request.acceptsEncodings(each)) ?? [undefined, ''];
  if (encoding) {
    response.type(extensionOf(name));
    response.setHeader('Content-Encoding', encoding);
  }
  response.sendFile(name + ending, { ...options, dotfiles: 'ignore' });
  return true;
}

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.'));
