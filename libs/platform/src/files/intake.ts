import { createHash } from 'node:crypto';
import { type Written } from './files';

/** Measures content while it streams to a store, and records whether the content itself failed. */
export class Intake {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** Set when the content failed, not when the store did. */
  failure: { error: unknown } | undefined;

  async *of(content: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
    const chunks = content[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.next(chunks);
        if (done) return;
        const chunk = typeof value === 'string' ? Buffer.from(value) : value;
        this.hash.update(chunk);
        this.bytes += chunk.length;
        yield chunk;
      }
    } finally {
      await chunks.return?.();
    }
  }

  /** Call once, after all of the content has passed. */
  measured(): Written {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }

  private async next(chunks: AsyncIterator<Buffer | string>): Promise<IteratorResult<Buffer | string, unknown>> {
    try {
      return await chunks.next();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}
