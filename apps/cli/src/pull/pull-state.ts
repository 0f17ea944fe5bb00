import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The parts of a bank, in the order in which they are pulled: what is named comes before what names it. */
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

/** How far a pull has got. All before `part` and before the page of `next` is stored. */
export interface Progress {
  /** The import: all runs of one pull are one import. */
  import: string;
  /** When it began, in Unix seconds of the other server. */
  began: number;
  /** Only what has changed since is pulled, in Unix seconds; absent: everything. */
  since?: number;
  part: Part;
  /** Token of the next page of the part; absent: its first page. */
  next?: string;
  /** Items that could not be stored. */
  missing: string[];
}

interface State {
  /** When the last finished pull began, in Unix seconds of the other server. Later changes are still to be pulled. */
  since?: number;
  /** Absent: no pull is under way. */
  progress?: Progress;
}

/** What the last pulls from one bank into another have done: a small file, written anew after each page. */
export class PullState {
  private constructor(
    private readonly path: string,
    readonly state: State,
  ) {}

  /** @param names what tells this pull from others: the address, the key and both banks. */
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

  finish(began: number): void {
    this.state.since = began;
    delete this.state.progress;
    this.save();
  }

  /** An interruption leaves the old file or the new one. */
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
