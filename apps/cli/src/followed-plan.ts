import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, type PlannedEntry, planLine, PlanLines, type PlanToFollow, type Written } from '#interchange';

/** A plan that an import follows. It is in a temporary file until `close`. */
export class FollowedPlan implements PlanToFollow {
  readonly done = 0;
  /** The number of entries that were not stored, because the bank has changed since the plan. */
  differing = 0;
  private firstDiffering = '';

  private constructor(
    private readonly folder: string,
    private readonly lines: PlanLines,
    readonly run: PlanToFollow['run'],
  ) {}

  /**
   * @param entries the entries as a plan returns them, with its hash at the end.
   * @param hash the expected hash.
   * @param run runs a unit of work that stores entries.
   */
  static async of(
    entries: AsyncGenerator<Written, string>,
    hash: string,
    run: PlanToFollow['run'],
  ): Promise<FollowedPlan> {
    const folder = mkdtempSync(join(tmpdir(), 'itembank-plan-'));
    try {
      const path = join(folder, 'plan.ndjson');
      let found = '';
      const lines = async function* () {
        for (;;) {
          const next = await entries.next();
          if (next.done) return void (found = next.value);
          yield `${planLine(next.value)}\n`;
        }
      };
      await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }));
      if (found !== hash)
        throw new Error(
          `The plan is now ${found}, not ${hash}; nothing was stored. Look at it again. If an earlier run was interrupted, repeat it without --plan.`,
        );
      return new FollowedPlan(folder, new PlanLines(createReadStream(path)), run);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  next(): Promise<PlannedEntry | undefined> {
    return this.lines.next();
  }

  differs({ source }: Entry): void {
    if (this.differing++ === 0) this.firstDiffering = source;
  }

  /** @throws Error when an entry was not stored as planned. */
  finish(): void {
    if (this.differing > 0)
      throw new Error(
        `The bank changed during the import. So ${this.differing} of its entries would not have had the planned result, and were not stored; the first is ${this.firstDiffering}. The others are stored.`,
      );
  }

  close(): void {
    this.lines.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
