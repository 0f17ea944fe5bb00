import { createHash } from 'node:crypto';

/**
 * The length of a state's hash in bytes. Among a few hundred states, two share a hash once in a trillion comparisons.
 */
const BYTES = 6;
/** The same length in base64url characters. */
const DIGITS = (BYTES * 4) / 3;

/** A state of a session: its id, and the time of the change that made it. */
export interface State {
  id: string;
  updatedAt: number;
}

/** States that a reader received while other states of the same age could still appear. */
export class SeenStates {
  private constructor(
    private readonly marks: Set<string>,
    /** The time of the latest of these states. */
    private latest: number,
  ) {}

  static none(): SeenStates {
    return new SeenStates(new Set(), 0);
  }

  static read(text: string, latest: number): SeenStates {
    return new SeenStates(new Set(text.match(new RegExp(`.{${DIGITS}}`, 'g'))), latest);
  }

  get size(): number {
    return this.marks.size;
  }

  get until(): number {
    return this.latest;
  }

  has(state: State): boolean {
    return this.marks.has(markOf(state));
  }

  add(state: State): void {
    this.marks.add(markOf(state));
    this.latest = Math.max(this.latest, state.updatedAt);
  }

  /** The states in this set that are not in the list. */
  without(states: readonly State[]): SeenStates {
    const left = new Set(this.marks);
    for (const state of states) left.delete(markOf(state));
    return new SeenStates(left, left.size > 0 ? this.latest : 0);
  }

  write(): string {
    return [...this.marks].join('');
  }
}

function markOf({ id, updatedAt }: State): string {
  return createHash('sha256').update(`${id} ${updatedAt}`).digest('base64url').slice(0, DIGITS);
}
