/** Everything written inside one `run` commits together or not at all. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in a transaction, or inside the one that is already open. `work` may run again from its start after a
   * deadlock or when a concurrent writer was first with a natural key: prepare what is costly before, and keep what
   * lives outside the database out of it.
   */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Runs `effect` once all that is written has been committed: at once when no unit of work is open, never for an
   * attempt that failed. For what is kept in memory of what is stored.
   */
  abstract afterCommit(effect: () => void): void;
}
