import { type IncomingHttpHeaders } from 'node:http';
import { type MessagePort } from 'node:worker_threads';
import { type MetricValues } from '#platform';
import { type Reply } from '../http/dispatcher.controller';

/** A request; its body comes through the port as it arrives. */
export interface LargeCall {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: MessagePort;
  /** Milliseconds since 1970. */
  arrivedAt: number;
}

/** What comes through the port. */
export type BodyPart = Uint8Array | 'end' | 'broken';

/** What the thread does when it is asked to: the functions of `thread.ts`. */
export interface Roles {
  /** @param settings beside those of the environment. */
  begin(settings: Record<string, string>): Promise<void>;
  answer(call: LargeCall): Promise<Reply>;
  metrics(): Promise<MetricValues>;
  /** Resolves at once, if it can do anything at all. */
  live(): Promise<void>;
  close(): Promise<void>;
}

export type Role = keyof Roles;
