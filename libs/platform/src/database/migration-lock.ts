import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource } from 'typeorm';

/** How often the holder of the lock shows that it is alive, and how often others look. */
export interface LockPace {
  beatMs: number;
  lookMs: number;
  /** After this number of looks in a row without a new beat, the holder counts as dead. */
  looks: number;
}

const PACE: LockPace = { beatMs: 2_000, lookMs: 1_000, looks: 30 };

/**
 * A lock for all nodes of a Galera cluster, because GET_LOCK reaches one node only. The lock is a row that its holder changes
 * regularly (decision 103). Waiting processes count their own looks, so their clocks may differ. A look waits while the
 * cluster changes a table, so a long change counts as one look.
 * @param waiting called each time another process has the lock.
 */
export async function withLockRow<T>(
  source: DataSource,
  work: () => Promise<T>,
  waiting: () => void,
  pace: LockPace = PACE,
): Promise<T> {
  await source.query(
    `CREATE TABLE IF NOT EXISTS migration_lock (id TINYINT PRIMARY KEY, holder CHAR(36) CHARACTER SET ascii NULL,
       beat BIGINT NOT NULL) ENGINE=InnoDB`,
  );
  await again(() => source.query('INSERT IGNORE INTO migration_lock (id, holder, beat) VALUES (1, NULL, 0)'));
  const holder = randomUUID();
  await take(source, holder, waiting, pace);
  const beats = setInterval(() => {
    // The next beat makes up for a lost one.
    source
      .query('UPDATE migration_lock SET beat = beat + 1 WHERE id = 1 AND holder = ?', [holder])
      .catch(() => undefined);
  }, pace.beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beats);
    await again(() => source.query('UPDATE migration_lock SET holder = NULL WHERE id = 1 AND holder = ?', [holder]));
  }
}

async function take(source: DataSource, holder: string, waiting: () => void, pace: LockPace): Promise<void> {
  let last: string | undefined;
  let same = 0;
  for (;;) {
    const [row] = await source.query<{ holder: string | null; beat: number | string }[]>(
      'SELECT holder, beat FROM migration_lock WHERE id = 1',
    );
    const seen = `${row!.holder} ${row!.beat}`;
    same = seen === last ? same + 1 : 0;
    last = seen;
    if (row!.holder === null || same >= pace.looks) {
      // If several try at once, one changes the row. The others get a deadlock, or match no row because of the new beat.
      const { affectedRows } = await again(() =>
        source.query<{ affectedRows: number }>(
          'UPDATE migration_lock SET holder = ?, beat = beat + 1 WHERE id = 1 AND holder <=> ? AND beat = ?',
          [holder, row!.holder, row!.beat],
        ),
      );
      if (affectedRows === 1) return;
    }
    if (same === 0) waiting();
    await sleep(pace.lookMs);
  }
}

/** Runs a statement again if it lost a conflict with another node. */
async function again<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement();
    } catch (error) {
      if (attempt === 8 || (error as { code?: string }).code !== 'ER_LOCK_DEADLOCK') throw error;
      await sleep(Math.random() * 50);
    }
  }
}
