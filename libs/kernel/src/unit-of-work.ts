/** Everything written inside one `run` commits together or not at all. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in a transaction, or in the transaction that is already open. `work` may run again from its start after
   * a deadlock or after losing a race for a natural key. So do costly preparation before the call, and change only the
   * database inside `work`.
   */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Runs `effect` after the commit, or at once when no unit of work is open. Never runs it for an attempt that failed.
   * Use it to update caches of stored data.
   */
  abstract afterCommit(effect: () => void): void;
}
