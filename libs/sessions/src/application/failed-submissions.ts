import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { Fault, type FaultDetail, nameOfCharacter, place, type Scope, throwAny, UnitOfWork } from '#kernel';
import { faultsIn } from '../domain/subscore-definitions';
import { type Submission } from '../domain/submission';
import { repeated, unreadable } from './session-templates';
import { repeatedSessions } from './repeated-sessions';
import { Submissions } from './submissions';

/** The maximum bytes of one document, and of all documents of a request, after decoding. */
const MAX_DOCUMENT = 5 * 1024 * 1024;
const MAX_REQUEST = 20 * 1024 * 1024;

const unzipped = promisify(gunzip);

/** Base64 of either alphabet, in one line. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

const pointerTo = (index: number): string => `/data/${index}`;

/** Saves sessions that a player could not submit. Each is a text file that the learner kept. */
@Injectable()
export class FailedSubmissions {
  constructor(
    private readonly submissions: Submissions,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Decodes the documents: base64 of UTF-8, with or without gzip.
   * @throws Fault 20009 with every entry that cannot be decoded, 20001 for one that is too large.
   */
  async decoded(entries: readonly string[]): Promise<string[]> {
    const faults: FaultDetail[] = [];
    const texts: string[] = [];
    let left = MAX_REQUEST;
    for (const [index, entry] of entries.entries())
      try {
        const bytes = await bytesOf(entry, pointerTo(index), left);
        left -= bytes.length;
        texts.push(textOf(bytes, pointerTo(index)));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        faults.push(...error.details);
      }
    throwAny(faults);
    return texts;
  }

  /**
   * Starts the job that saves the sessions; returns its reference.
   * @param submissions in the order of the request.
   * @throws Fault 30000 for repeated sessions, 40003 for items of a bank that the caller may not read, and for items,
   * responses and subscores that contradict each other.
   */
  async start(
    submissions: readonly Submission[],
    { ignoreRevisions }: { ignoreRevisions: boolean },
    scope: Scope,
  ): Promise<string> {
    const faults = submissions.flatMap((submission, index) => faultsOf(submission, pointerTo(index), scope));
    throwAny(faults);
    throwAny(repeatedSessions(submissions.map(({ sessionId }, index) => ({ sessionId, at: pointerTo(index) }))));
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      return this.submissions.start({ submissions, ignoreRevisions }, scope);
    });
  }
}

async function bytesOf(entry: string, at: string, left: number): Promise<Buffer> {
  // Most documents have one line, but a player may wrap them.
  const isWhole = BASE64.test(entry);
  const text = isWhole ? entry : entry.replace(/\s+/g, '');
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  if (!(isWhole || BASE64.test(text)) || (text.length - padding) % 4 === 1)
    throw new Fault('schema', `${place(at)} is not base64: ${whyNotBase64(text)}.`, at);
  const bytes = Buffer.from(text, 'base64');
  const maxBytes = Math.min(MAX_DOCUMENT, left);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isPacked ? await unpacked(bytes, at, maxBytes) : bytes;
  if (plain.length > maxBytes) throw tooLarge(at);
  return plain;
}

/** @param text without whitespace. */
function whyNotBase64(text: string): string {
  if (/^[{["]/.test(text)) return 'it is the JSON document itself; encode its UTF-8 bytes as base64';
  if (/^data:/i.test(text)) return 'it is a data URI; send only the part after the comma';
  const foreign = /[^A-Za-z0-9+/_=-]|=(?!=?$)/.exec(text);
  if (foreign) return `it holds ${nameOfCharacter(foreign[0])}; send the text whole, as the player gave it`;
  return 'a part of it is missing; send the text whole, as the player gave it';
}

async function unpacked(bytes: Buffer, at: string, maxBytes: number): Promise<Buffer> {
  try {
    return await unzipped(bytes, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(at);
    throw new Fault(
      'schema',
      `${place(at)} holds gzip that cannot be unpacked: ${(error as Error).message}. Send it whole.`,
      at,
    );
  }
}

function tooLarge(at: string): Fault {
  const megabytes = (bytes: number) => bytes / (1024 * 1024);
  return new Fault(
    'length',
    `${place(at)} is too large: decoded, a session may have ${megabytes(MAX_DOCUMENT)} MB, and those of one request ${megabytes(MAX_REQUEST)} MB.`,
    at,
  );
}

function textOf(bytes: Buffer, at: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Fault('schema', `${place(at)} holds bytes that are not UTF-8 text, nor gzip of it.`, at);
  }
}

/**
 * Checks for contradictions, and for items that the caller may not use. The place of a fault is the entry as a whole,
 * because JSON pointers do not reach into it.
 */
function faultsOf({ items, responses, subscores }: Submission, at: string, { readable }: Scope): FaultDetail[] {
  const placed = items.map(({ reference, organisation }, index) => ({
    reference,
    organisation,
    at: `/items/${index}`,
  }));
  const faults = [
    ...placed.filter(({ organisation }) => !readable.has(organisation)).map(unreadable),
    ...repeated(placed),
    ...faultsIn(subscores ?? [], new Set(items.map(({ reference }) => reference)), '/subscores'),
  ];
  const answered = new Map<string, number>();
  for (const [index, { item, question }] of responses.entries()) {
    const key = `${item}\n${question}`;
    const before = answered.get(key);
    if (before === undefined) answered.set(key, index);
    else
      faults.push({
        kind: 'duplicate',
        message: `responses[${index}] is to the question ${JSON.stringify(question)} of the item ${JSON.stringify(item)}, as is responses[${before}].`,
      });
  }
  return faults.map((fault) => within(fault, at));
}

/** A fault inside of an entry. */
export function within({ kind, message }: FaultDetail, at: string): FaultDetail {
  return { kind, at, message: `${place(at)}, decoded: ${message}` };
}
