import { createHash } from 'node:crypto';

/** Bytes that stand for a state of a session: two of a few hundred are alike once in a trillion comparisons. */
const BYTES = 6;
/** The same in base64url. */
const DIGITS = (BYTES * 4) / 3;

/** A state of a session: its id, and when it came to be. */
export interface State {
  id: string;
  updatedAt: number;
}

/** States that a reader was given while others that are as old could still appear. */
export class SeenStates {
  private constructor(
    private readonly marks: Set<string>,
    /** The latest moment of any of them. */
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

  /** Those that are not among these states. */
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
