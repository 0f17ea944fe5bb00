import { Fault, type FaultDetail, place } from '#kernel';
import { type Submission } from '../domain/submission';

/** Bytes that the sessions of one request may come to: they become one row, which every database must take at once. */
const LARGEST_BYTES = 10 * 1024 * 1024;

/** @throws Fault for submissions that are too large to be kept for a job. */
export function refuseTooLarge(submissions: readonly Submission[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(submissions));
  if (bytes > LARGEST_BYTES)
    throw new Fault(
      'too-large',
      `The sessions in data come to ${inMegabytes(bytes)} MB, decoded; one request takes ${inMegabytes(LARGEST_BYTES)} MB. Send fewer at a time.`,
      '/data',
    );
}

const inMegabytes = (bytes: number): string => String(Math.ceil((bytes / (1024 * 1024)) * 10) / 10);

/** Sessions that a request names more than once. */
export function repeatedSessions(entries: readonly { sessionId: string; at: string }[]): FaultDetail[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ sessionId, at }): FaultDetail[] => {
    const before = first.get(sessionId);
    if (before === undefined) {
      first.set(sessionId, at);
      return [];
    }
    const message = `${place(at)} is of the session ${JSON.stringify(sessionId)}, as is ${place(before)}; send each session once.`;
    return [{ kind: 'duplicate', at, message }];
  });
}
