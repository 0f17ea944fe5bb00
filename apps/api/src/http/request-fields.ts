import { type IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { type SignedCall } from '#access';
import { Fault } from '#kernel';
import { UrlEncodedForm } from './url-encoded-form';

const FIELDS = ['security', 'request', 'action'] as const;
type Field = (typeof FIELDS)[number];

/** Clients send three fields, some a few more. */
const MAX_PARTS = 20;

/** Encodings of a body that is not the text itself. */
const COMPRESSION = /\b(gzip|deflate|br|zstd|compress)\b/i;

/** After this many bytes of a body, which take 2 ms to decode, other requests run. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads `security`, `request` and `action` as the exact texts that were sent, from a form, multipart or JSON body whose
 * `request` is text.
 * @throws Fault for a body that is too large or is none of these.
 */
export async function readFields(message: IncomingMessage, maxBytes: number): Promise<SignedCall> {
  // Other values, such as the name of a character set, come from clients that send the body as it is.
  const compression = COMPRESSION.exec(message.headers['content-encoding'] ?? '')?.[0];
  if (compression !== undefined) {
    message.resume();
    throw new Fault('schema', `Send the body uncompressed; its Content-Encoding is ${compression}.`);
  }
  const type = (message.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return readForm(message, maxBytes);
    case 'multipart/form-data':
      return readMultipart(message, maxBytes);
    case 'application/json':
      return readJson(await readBody(message, maxBytes));
    default:
      message.resume();
      throw new Fault(
        'schema',
        `Send the body as application/x-www-form-urlencoded or multipart/form-data with the fields security, request and action; it came as ${type || 'no type'}.`,
      );
  }
}

/**
 * Counts the body as it arrives. Passes chunks to `take` while they are within the limit and `take` does not throw.
 * After that, reads and drops the rest while the caller is answered. Many clients read the answer only after they have
 * sent everything, and would lose it if the connection were closed.
 */
function receive(message: IncomingMessage, maxBytes: number, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let next = CHUNK_BYTES;
    let isRefused = false;
    const refuse = (error: Error) => {
      isRefused = true;
      reject(error);
    };
    const tooLarge = () =>
      new Fault('too-large', `The body is larger than ${maxBytes} bytes; send fewer records at a time.`);
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) {
      message.resume();
      refuse(tooLarge());
      return;
    }
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (isRefused) return;
      try {
        if (bytes > maxBytes) throw tooLarge();
        take(chunk);
      } catch (error) {
        refuse(error as Error);
      }
      if (bytes < next) return;
      next = bytes + CHUNK_BYTES;
      message.pause();
      setImmediate(() => message.resume());
    });
    message.on('end', resolve);
    message.on('error', () => reject(new Fault('schema', 'The body ended before it was complete.')));
  });
}

export async function readBody(message: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  await receive(message, maxBytes, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

async function readForm(message: IncomingMessage, maxBytes: number): Promise<SignedCall> {
  const call: SignedCall = {};
  const form = new UrlEncodedForm(FIELDS, (field, text) => put(call, field, () => text));
  await receive(message, maxBytes, (chunk) => form.write(chunk));
  form.end();
  return call;
}

async function readMultipart(message: IncomingMessage, maxBytes: number): Promise<SignedCall> {
  const unreadable = (error: unknown) =>
    new Fault('schema', `The multipart body cannot be read: ${(error as Error).message}.`);
  let parser: busboy.Busboy;
  try {
    parser = busboy({ headers: message.headers, limits: { fieldSize: maxBytes, files: 1, parts: MAX_PARTS + 1 } });
  } catch (error) {
    message.resume();
    throw unreadable(error);
  }
  const call: SignedCall = {};
  let fault: Error | undefined;
  const parsed = new Promise<void>((resolve) => {
    parser.on('field', (name, value: string | undefined) => {
      try {
        put(call, name, () => {
          if (value !== undefined) return value;
          throw new Fault('schema', `The part ${name} is in a character set that is not read; send it in UTF-8.`);
        });
      } catch (error) {
        fault ??= error as Error;
      }
    });
    parser.on('file', (name, file) => {
      // A file that does not end emits its own error, which would end the process if nobody listened.
      file.on('error', () => undefined).resume();
      fault ??= new Fault(
        'schema',
        `The part ${JSON.stringify(name)} is a file; send it as a plain field without a file name.`,
      );
    });
    // A dropped part could be a second field of a name that counts.
    parser.on('partsLimit', () => {
      fault ??= new Fault('schema', `The multipart body has more than ${MAX_PARTS} parts.`);
    });
    parser.on('error', (error) => {
      fault ??= unreadable(error);
      resolve();
    });
    parser.on('close', resolve);
  });
  await receive(message, maxBytes, (chunk) => void (fault || parser.write(chunk)));
  parser.end();
  await parsed;
  if (fault) throw fault;
  return call;
}

function readJson(body: string): SignedCall {
  let fields: unknown;
  try {
    fields = JSON.parse(body);
  } catch (error) {
    throw new Fault('schema', `The body is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof fields !== 'object' || fields === null)
    throw new Fault('schema', 'The body must be a JSON object with security, request and action.');
  const { security, request, action } = fields as Record<string, unknown>;
  if (request !== undefined && typeof request !== 'string')
    throw new Fault('type', 'In a JSON body, request must be text: the JSON text that was signed.', '/request');
  if (action !== undefined && typeof action !== 'string') throw new Fault('type', 'action must be text.', '/action');
  return {
    security: typeof security === 'object' ? textOf(security) : (security as string | undefined),
    request,
    action,
  };
}

/** JSON.stringify recurses as deep as the input, which may exceed the stack. */
function textOf(security: object | null): string {
  try {
    return JSON.stringify(security);
  } catch {
    throw new Fault('security-missing', 'security is nested too deeply: its members are texts.', '/security');
  }
}

function put(call: SignedCall, name: string, value: () => string): void {
  if (!(FIELDS as readonly string[]).includes(name)) return;
  const field = name as Field;
  // Two parsers that choose different fields would allow bypassing the signature.
  if (call[field] !== undefined) throw new Fault('schema', `The body has the field ${field} twice.`);
  call[field] = value();
}
