import { type Progress } from '#jobs';

/** The progress of a job, or of other long work, to display. */
interface Shown {
  status: string;
  progress: Progress;
}

/** The output of progress, usually standard output. */
export interface Output {
  isTTY?: boolean;
  /** Width of the terminal in characters. */
  columns?: number;
  write(text: string): unknown;
}

const MAX_BAR_WIDTH = 40;
const USUAL_COLUMNS = 80;
/** Moves to the beginning of the line and clears it. */
const ANEW = '\r\x1b[2K';

/** Shows the progress of a job: a bar that is redrawn on a terminal, otherwise one line per change. */
export class ProgressDisplay {
  private shown = '';

  constructor(private readonly out: Output) {}

  show(job: Shown): void {
    const { isTTY = false, columns = USUAL_COLUMNS } = this.out;
    const line = isTTY ? bar(job, columns) : `${job.status}, ${progressOf(job)}`;
    if (line === this.shown) return;
    this.shown = line;
    this.out.write(isTTY ? ANEW + line : `${line}\n`);
  }

  /** Ends the line, so that further output begins a new one. */
  end(): void {
    if (this.out.isTTY && this.shown !== '') this.out.write('\n');
  }
}

/** `5 of 10`, or `5 done` while the total is unknown. */
export function progressOf({ progress: { done, total } }: Pick<Shown, 'progress'>): string {
  return total === null ? `${done} done` : `${done} of ${total}`;
}

/** `[##########----------]  50 %  5 of 10  running`, in one line of the terminal. */
function bar(job: Shown, columns: number): string {
  const { done, total } = job.progress;
  const part = total === null ? undefined : total === 0 ? 1 : Math.min(done / total, 1);
  const percent = part === undefined ? '?' : String(Math.floor(part * 100));
  const words = `${percent.padStart(3)} %  ${progressOf(job)}  ${job.status}`;
  const length = Math.min(MAX_BAR_WIDTH, columns - words.length - 4);
  const filled = '#'.repeat(Math.max(0, Math.floor((part ?? 0) * length)));
  const line = length > 0 ? `[${filled.padEnd(length, '-')}] ${words}` : words.trimStart();
  // Some terminals move to the next line after a full line.
  return line.slice(0, columns - 1);
}
