import { type IncomingHttpHeaders } from 'node:http';
import { type MessagePort } from 'node:worker_threads';

/** A request; its body comes through the port as it arrives. */
export interface LargeCall {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: MessagePort;
}

/** What comes through the port. */
export type BodyPart = Uint8Array | 'end' | 'broken';

/** What the thread does when it is asked to: the functions of `thread.ts`. */
export type Role = 'begin' | 'answer' | 'metrics' | 'close';
