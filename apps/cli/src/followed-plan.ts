import {
  type Entry,
  namelessFile,
  type PlannedEntry,
  planLine,
  PlanLines,
  type PlanToFollow,
  refuseFolder,
  type Written,
} from '#interchange';

/** A plan that an import follows. Until `close`, it is in a file without a name. */
export class FollowedPlan implements PlanToFollow {
  readonly done = 0;
  /** The number of entries that were not stored, because the bank has changed since the plan. */
  differing = 0;
  private firstDiffering = '';

  private constructor(
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
    const file = await namelessFile();
    try {
      let next = await entries.next();
      for (; !next.done; next = await entries.next())
        await file.writeFile(`${planLine(next.value)}\n`).catch(refuseFolder);
      if (next.value !== hash)
        throw new Error(
          `The plan is now ${next.value}, not ${hash}; nothing was stored. Review the new plan. If an earlier run was interrupted, repeat it without --plan.`,
        );
      return new FollowedPlan(new PlanLines(file.createReadStream({ start: 0 })), run);
    } catch (error) {
      await file.close();
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
        `The bank changed during the import. So ${this.differing} of its entries were not stored, because they would not have had the planned result; the first is ${this.firstDiffering}. The others are stored.`,
      );
  }

  close(): void {
    this.lines.close();
  }
}
