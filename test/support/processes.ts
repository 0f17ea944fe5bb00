import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run, type RunResult } from './servers/run';

/* Runs the programs of the project as people do: in processes of their own, from the sources. */

const root = resolve(__dirname, '../..');
const program = (main: string) => [process.execPath, '-r', join(root, 'test/support/ts.cjs'), join(root, main)];

export const WORKER = 'apps/worker/src/main.ts';

/** Settings of a process. Only the search path is inherited from the tests' environment. */
export type Settings = Record<string, string>;

const environment = (settings: Settings) => ({ PATH: process.env.PATH, ...settings });

export interface Place {
  /** Settings of the environment. */
  settings?: Settings;
  /** Working folder of the program. */
  cwd?: string;
  /** Its standard input. */
  input?: string;
  /** Called with the process id of a command. */
  started?: (pid: number) => void;
}

/** Runs a command of the command line to its end. */
export function itembank(
  args: readonly string[],
  { settings = {}, cwd, input, started }: Place = {},
): Promise<RunResult> {
  return run([...program('apps/cli/src/main.ts'), ...args], {
    env: environment(settings),
    cwd,
    input,
    started,
    timeoutMs: 120_000,
  });
}

/** Settings with which a process is killed before it commits its nth unit of work. */
export const diesAt = (unit: number): Settings => ({
  NODE_OPTIONS: `-r ${JSON.stringify(join(__dirname, 'dying.cjs'))}`,
  DIES_AT: String(unit),
});

/** Runs a shell line. `npm run -s itembank --` calls the command line, as in instructions that the service prints. */
export function shell(line: string, { settings = {}, cwd }: Place = {}): Promise<RunResult> {
  return run(['sh', '-c', useSources(line)], { env: environment(settings), cwd, timeoutMs: 120_000 });
}

/** Runs a bash script. It can call the command line in the same way. */
export function bash(script: string, { settings = {}, cwd }: Place = {}): Promise<RunResult> {
  return run(['bash', '--norc', '--noprofile', '-c', useSources(script)], {
    env: environment(settings),
    cwd,
    timeoutMs: 600_000,
  });
}

/** Makes a script run the sources instead of the built program. */
const useSources = (script: string) =>
  script
    .replaceAll('npm run -s itembank --', program('apps/cli/src/main.ts').join(' '))
    .replace(/\bnode dist\/(apps\/(?:api|cli|worker)\/src\/main)\.js\b/g, (_, main) => program(`${main}.ts`).join(' '));

/** The JSON output of a command. */
export async function json<T>(result: Promise<RunResult>): Promise<T> {
  const { code, stdout, stderr } = await result;
  if (code !== 0) throw new Error(`The command ended with code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** The service, or a worker, in a process of its own. */
export class ServiceProcess {
  stdout = '';
  stderr = '';
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  private readonly child: ChildProcess;

  /** Starts it on a free port without waiting for it. */
  constructor({ settings = {}, cwd }: Place = {}, main = 'apps/api/src/main.ts', more: readonly string[] = []) {
    const [file = '', ...args] = [...program(main), ...more];
    this.child = spawn(file, args, {
      cwd,
      env: environment({ PORT: '0', ...settings }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((done) => this.child.on('close', (code, signal) => done(signal ?? code ?? -1)));
  }

  /** Starts it and waits until it logs that it listens. */
  static async listening(place: Place = {}): Promise<ServiceProcess> {
    const service = new ServiceProcess(place);
    await service.hasLogged('listening');
    return service;
  }

  /** Starts a worker and waits until it logs that it takes jobs. */
  static async working(place: Place = {}, main = WORKER): Promise<ServiceProcess> {
    const worker = new ServiceProcess(place, main);
    await worker.hasLogged('jobs are taken');
    return worker;
  }

  /** Waits for a log line with the message. Rejects when the process ends first. */
  hasLogged(message: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.stdout.includes(`"msg":"${message}"`)) resolve();
      };
      look();
      this.child.stdout!.on('data', look);
      void this.ended.then((code) => reject(new Error(`The service ended with ${code}: ${this.stderr}`)));
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  get url(): string {
    return /"url":"([^"]+)"/.exec(this.stdout)![1]!;
  }

  /** Returns the address of the operations port. It is known once the process has logged another line. */
  get operationsUrl(): string {
    return /"operations_url":"([^"]+)"/.exec(this.stdout)![1]!;
  }

  /** Returns the lines for people that the process prints before the first log line. */
  get greeting(): string {
    return this.stdout.slice(0, this.stdout.indexOf('{"level"'));
  }

  /** Sends a signal that does not end it: SIGSTOP, SIGCONT. */
  send(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Folders that are removed after the suite. */
export function temporaryFolders(): () => string {
  const made: string[] = [];
  afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'itembank-'));
    made.push(folder);
    return folder;
  };
}
