import { call, MAX_ENTRIES } from '../../operations/call';
import { Fault, type FaultPlace } from '../../operations/fault';

/** The most characters of a text: the base64 of the 5 MB that a session may have, with line breaks. */
const MAX_TEXT = 7_200_000;
/** The characters of the texts of one call. */
const MAX_CALL = 8_000_000;
/** The status of calls that are too large. */
const TOO_LARGE = 413;

/** A file of answers, and what became of it. */
export interface AnswerFile {
  readonly file: File;
  /** The learner whom the file names. */
  learner?: string;
  /** The job that stores the session, and the place of the session among its results. */
  job?: string;
  at?: number;
  /** Why the page does not send the file, or the service does not take it. */
  refusal?: 'unreadable' | 'foreign' | 'too_large' | readonly Pick<FaultPlace, 'code' | 'message'>[];
}

type Tell = (file: AnswerFile, became: Partial<AnswerFile>) => void;

/** A file whose content looks like answers. */
interface Sent {
  entry: AnswerFile;
  text: string;
  /** Undefined for a compressed text. */
  session?: string;
}

/**
 * Sends files of answers in batches, each to a job of its own. Files that the page or the service refuses do not stop the
 * others. A file of a session that is in the batch already is sent later, because a call takes each session once.
 * @throws Fault, Unreachable when a call fails for reasons of its own. The files without a job or a refusal are to be sent again.
 */
export async function bringIn(files: readonly AnswerFile[], tell: Tell, signal: AbortSignal): Promise<void> {
  let batch: Sent[] = [];
  let size = 0;
  const repeated: AnswerFile[] = [];
  for (const entry of files) {
    const found = await contentOf(entry.file);
    if (typeof found === 'string') {
      tell(entry, { refusal: found });
      continue;
    }
    const { text, session, learner } = found;
    tell(entry, { learner });
    // The service unpacks a compressed text, so it goes alone.
    const weight = session === undefined ? MAX_CALL : text.length;
    if (session !== undefined && batch.some((other) => other.session === session)) {
      repeated.push(entry);
      continue;
    }
    if (batch.length === MAX_ENTRIES || size + weight > MAX_CALL) {
      await send(batch, tell, signal);
      batch = [];
      size = 0;
    }
    batch.push({ entry, text, session });
    size += weight;
  }
  await send(batch, tell, signal);
  if (repeated.length > 0) await bringIn(repeated, tell, signal);
}

async function send(batch: readonly Sent[], tell: Tell, signal: AbortSignal): Promise<void> {
  if (batch.length === 0) return;
  try {
    const { data } = await call('set sessions', { data: batch.map(({ text }) => text) }, signal);
    for (const [at, { entry }] of batch.entries()) tell(entry, { job: data.job_reference, at });
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    const refusals = batch.map(({ entry }, index) => refusalOf(fault, index, entry.file.name));
    const left = batch.filter((_, index) => refusals[index]!.length === 0);
    if (left.length < batch.length) {
      for (const [index, { entry }] of batch.entries())
        if (refusals[index]!.length > 0) tell(entry, { refusal: refusals[index] });
      await send(left, tell, signal);
    } else if (fault.status !== TOO_LARGE) throw fault;
    else if (batch.length === 1) tell(batch[0]!.entry, { refusal: [fault] });
    else {
      const half = Math.ceil(batch.length / 2);
      await send(batch.slice(0, half), tell, signal);
      await send(batch.slice(half), tell, signal);
    }
  }
}

/** The service's messages about an entry of the call. They name the file instead of its position in the call. */
const refusalOf = ({ places }: Fault, index: number, name: string) =>
  places
    .filter(({ pointer }) => pointer === `/data/${index}`)
    .map(({ code, message }) => ({ code, message: message.replaceAll(`data[${index}]`, () => name) }));

/** The text of a file and what it says of itself, or why it cannot be a file of answers. */
async function contentOf(
  file: File,
): Promise<{ text: string; session?: string; learner?: string } | 'unreadable' | 'foreign' | 'too_large'> {
  if (file.size > MAX_TEXT) return 'too_large';
  let text: string;
  try {
    text = (await file.text()).trim();
  } catch {
    return 'unreadable';
  }
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { text };
    const { session_id: session, user_id: learner } = JSON.parse(new TextDecoder().decode(bytes)) as {
      session_id?: unknown;
      user_id?: unknown;
    };
    if (typeof session !== 'string') return 'foreign';
    return { text, session, ...(typeof learner === 'string' ? { learner } : {}) };
  } catch {
    return 'foreign';
  }
}
