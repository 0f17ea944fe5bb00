import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWebhookSecret, SECRET_FORM } from '#events';
import { isObject, type JsonObject, place } from '#kernel';
import { listOf } from './check';
import { type Source } from './source';

const SECRET = /^[!-~][ -~]{14,253}[!-~]$/;
/** The number of bytes that are read of a file. It is larger than the maximum length of a secret. */
const MAX_BYTES = 1024;

/**
 * The secrets of each described consumer with secrets, by key, read from the described places. Faults contain neither
 * the secrets nor the names of variables and files.
 * @param folder base of relative paths.
 */
export function readSecrets(source: Source, folder: string): Map<string, string[]> {
  const secrets = new Map<string, string[]>();
  for (const [index, consumer] of listOf(source.value, 'consumers').entries()) {
    if (typeof consumer.key !== 'string' || !Array.isArray(consumer.secrets)) continue;
    const found: string[] = [];
    for (const [position, entry] of listOf(consumer, 'secrets').entries()) {
      const at = `/consumers/${index}/secrets/${position}`;
      const secret = read(source, at, entry, folder);
      if (secret === undefined) continue;
      if (found.includes(secret)) source.refuse(at, `${place(at)} leads to the same secret as the one before it.`);
      found.push(secret);
    }
    secrets.set(consumer.key, found);
  }
  return secrets;
}

/** The secrets of the described webhooks. */
export class WebhookSecrets {
  private readonly secrets = new Map<string, string>();

  /** Reads them from the described places; faults as in {@link readSecrets}. */
  constructor(source: Source, folder: string) {
    for (const [index, organisation] of listOf(source.value, 'organisations').entries())
      for (const [position, { name, secret }] of listOf(organisation.events, 'webhooks').entries()) {
        const at = `/organisations/${index}/events/webhooks/${position}/secret`;
        if (typeof name !== 'string' || !isObject(secret)) continue;
        const found = textFrom(source, at, secret, folder);
        if (found === undefined) continue;
        if (isWebhookSecret(found)) this.secrets.set(`${Number(organisation.id)} ${name}`, found);
        else
          source.refuse(at, `${place(at)} leads to a text that is not a secret of a webhook: one is ${SECRET_FORM}.`);
      }
  }

  /** @throws Error for a webhook that is not described. */
  of(organisation: number, name: string): string {
    const secret = this.secrets.get(`${organisation} ${name}`);
    if (secret === undefined) throw new Error(`No secret was read for webhook ${name}.`);
    return secret;
  }
}

function read(source: Source, at: string, from: JsonObject, folder: string): string | undefined {
  const text = textFrom(source, at, from, folder);
  if (text === undefined || SECRET.test(text)) return text;
  source.refuse(
    at,
    `${place(at)} leads to a text that is not a secret: one has 16 to 255 printable ASCII characters and no blanks at its ends.`,
  );
  return undefined;
}

function textFrom(source: Source, at: string, { env, file }: JsonObject, folder: string): string | undefined {
  let text: string | undefined;
  if (typeof env === 'string') {
    text = process.env[env];
    if (text === undefined) source.refuse(`${at}/env`, `${place(at)}.env names a variable that is not set.`);
  } else if (typeof file === 'string') {
    try {
      text = beginning(resolve(folder, file)).replace(/\r?\n$/, '');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      source.refuse(`${at}/file`, `${place(at)}.file names a file that cannot be read (${code}).`);
    }
  }
  return text;
}

function beginning(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    let length = 0;
    for (let count = -1; count !== 0 && length < MAX_BYTES; length += count)
      count = readSync(file, bytes, length, MAX_BYTES - length, null);
    return bytes.toString('latin1', 0, length);
  } finally {
    closeSync(file);
  }
}
