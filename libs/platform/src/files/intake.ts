import { createHash } from 'node:crypto';
import { type Written } from './files';

/** Content on its way to a place: measured as it passes, and known to have failed by itself where it does. */
export class Intake {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** There when the content failed, and not what takes it. */
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

  /** Call once, when all of the content has passed. */
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
