import { StreamWriter } from '../application/ports/senders';
import { type Answer } from '../domain/delivery';

/** The stream writer of a service without Redis. */
export class NoStreamWriter extends StreamWriter {
  override readonly isConfigured = false;

  override async write(): Promise<Answer> {
    const error = 'There is no Redis for streams: neither STREAMS_URL nor QUEUE_URL is set.';
    return { outcome: 'unreachable', httpStatus: null, error };
  }

  override async close(): Promise<void> {}
}
