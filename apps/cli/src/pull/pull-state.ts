import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The parts of a bank in the order in which they are pulled. A record comes after those that it names. */
export const PARTS = [
  'tags',
  'hierarchies',
  'workflows',
  'items',
  'features',
  'questions',
  'activities',
  'pools',
] as const;
export type Part = (typeof PARTS)[number];

/** The progress of a pull. Everything before `part`, and in it before the page of `next`, is stored. */
export interface Progress {
  /** Id of the import. All runs of one pull share it. */
  import: string;
  /** When it began, in Unix seconds of the other server. */
  began: number;
  /** Pulls only what has changed since this time, in Unix seconds; absent: everything. */
  since?: number;
  part: Part | 'sessions';
  /** Token of the next page of the part; absent: its first page. */
  next?: string;
  /** Items that could not be stored. */
  missing: string[];
  /** Activities and pools that lack such an item, or could not be stored. */
  incomplete?: Incomplete;
  /** The incomplete records of the last pull. This pull reads them too, because their items may have come meanwhile. */
  again?: Incomplete;
}

/** References. */
export type Incomplete = Record<'activities' | 'pools', string[]>;

interface State {
  /** When the last finished pull began, in Unix seconds of the other server. The next pull reads later changes. */
  since?: number;
  /** When the last finished pull with sessions began. */
  sessions?: number;
  incomplete?: Incomplete;
  /** Absent: no pull is under way. */
  progress?: Progress;
}

/** The state of the pulls from one bank into another: a small file that is rewritten after each page. */
export class PullState {
  private constructor(
    private readonly path: string,
    readonly state: State,
  ) {}

  /** @param names identify the pull: the address, the key and both banks. */
  static of(dataDir: string, names: readonly (string | number)[]): PullState {
    const name = createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32);
    const path = join(dataDir, 'pulls', `${name}.json`);
    try {
      return new PullState(path, JSON.parse(readFileSync(path, 'utf8')) as State);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new PullState(path, {});
      throw new Error(`${path} cannot be read (${(error as Error).message}). Remove it to pull everything again.`, {
        cause: error,
      });
    }
  }

  proceed(progress: Progress): void {
    this.state.progress = progress;
    this.save();
  }

  finish({ began, incomplete }: Progress, withSessions: boolean): void {
    this.state.since = began;
    this.state.incomplete = incomplete;
    if (withSessions) this.state.sessions = began;
    delete this.state.progress;
    this.save();
  }

  /** Writes atomically: an interruption leaves either the old file or the new one. */
  private save(): void {
    mkdirSync(dirname(this.path), { recursive: true });
    const file = openSync(`${this.path}.new`, 'w', 0o600);
    try {
      writeFileSync(file, JSON.stringify(this.state));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${this.path}.new`, this.path);
  }
}
