import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(__dirname, '../..');
const FROM_SOURCES = ['-r', join(ROOT, 'test/support/ts.cjs')];
const WITH_MEMORY_REPORTS = ['--expose-gc', '-r', join(__dirname, 'heap.cjs')];

/** The number of log lines that are kept of a program. */
const MAX_KEPT_LINES = 100;
const ERROR_LEVEL = 50;

export interface Launch {
  /** `apps/api/src/main`, without the ending of the file. */
  main: string;
  /** The message that the program logs once it is ready. */
  ready: string;
  /** Its environment. It inherits only the search path from this process. */
  settings: Record<string, string>;
  /** Whether it runs from `dist`, as in production. Otherwise it runs from the sources. */
  built: boolean;
}

export const API = { main: 'apps/api/src/main', ready: 'listening' } as const;
export const WORKER = { main: 'apps/worker/src/main', ready: 'jobs are taken' } as const;

const running = new Set<ChildProcess>();

/** The API or a worker in a process of its own. Keeps only the errors of its log. */
export class Program {
  /** The latest log lines of the level `error` and above, and other text from standard error. */
  readonly errors: string[] = [];
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private address = '';
  private onMemory: ((megabytes: number) => void) | undefined;

  private constructor({ main, settings, built }: Launch) {
    const program = built ? [join(ROOT, 'dist', `${main}.js`)] : [...FROM_SOURCES, join(ROOT, `${main}.ts`)];
    this.child = spawn(process.execPath, [...WITH_MEMORY_REPORTS, ...program], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(this.child);
    this.ended = new Promise((done) => this.child.once('close', () => done()));
    void this.ended.then(() => running.delete(this.child));
  }

  /** Starts a program and waits until it is ready. @throws Error when it ends before that. */
  static async start(launch: Launch): Promise<Program> {
    const program = new Program(launch);
    const ready = new Promise<boolean>((done) => {
      const mark = `"msg":"${launch.ready}"`;
      createInterface(program.child.stdout!).on('line', (line) => {
        if (line.includes('"msg":"request"')) return;
        if (line.includes(mark)) {
          program.address = /"url":"([^"]+)"/.exec(line)?.[1] ?? '';
          done(true);
        }
        if (Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= ERROR_LEVEL) program.keepLine(line);
      });
      void program.ended.then(() => done(false));
    });
    createInterface(program.child.stderr!).on('line', (line) => program.readErrorLine(line));
    if (!(await ready)) throw new Error(`${launch.main} ended before it was ready: ${program.errors.join('\n')}`);
    return program;
  }

  /** The address of the API. */
  get url(): string {
    return this.address;
  }

  /** Whether the process still runs. */
  get isRunning(): boolean {
    return running.has(this.child);
  }

  /** Returns the megabytes in use after a garbage collection, including memory outside of the JavaScript heap. */
  heldMegabytes(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.onMemory = resolve;
      void this.ended.then(() => reject(new Error('The program ended.')));
      this.child.kill('SIGUSR2');
    });
  }

  /** Sends the signal and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }

  private readErrorLine(line: string): void {
    const [, json] = /^memory (\{.*\})$/.exec(line) ?? [];
    if (json === undefined) return this.keepLine(line);
    const { heapUsed, external } = JSON.parse(json) as { heapUsed: number; external: number };
    this.onMemory?.((heapUsed + external) / 2 ** 20);
  }

  private keepLine(line: string): void {
    this.errors.push(line);
    if (this.errors.length > MAX_KEPT_LINES) this.errors.shift();
  }
}
