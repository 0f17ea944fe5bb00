import { spawn } from 'node:child_process';

interface RunOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  input?: string;
  timeoutMs?: number;
  /** Called with the process id as soon as it is known. */
  started?: (pid: number) => void;
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end. Throws only when the command cannot be spawned or takes too long. */
export function run(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const [file = '', ...args] = command;
  const env = { ...(options.env ?? process.env), LC_ALL: 'C' };
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: options.cwd, env, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    let tookTooLong = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const timeoutMs = options.timeoutMs ?? 300_000;
    const timer = setTimeout(() => {
      tookTooLong = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(error.code === 'ENOENT' ? new Error(`there is no ${file} on this machine`) : error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (tookTooLong) reject(new Error(`${file} was not done after ${timeoutMs / 1000} s`));
      else resolve({ code, stdout, stderr });
    });
    if (child.pid !== undefined) options.started?.(child.pid);
    // For a command that does not read its input, the exit code counts, and not the broken pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** Runs a command and returns its output. Throws with the most useful line when it fails. */
export async function output(command: readonly string[], options: RunOptions = {}): Promise<string> {
  const result = await run(command, options);
  if (result.code === 0) return result.stdout;
  throw new Error(errorLine(result.stderr || result.stdout) || `${command[0]} ended with code ${result.code}`);
}

/** The first line of a log that mentions an error, else its last line. */
export function errorLine(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /^E:|\berror\b/i.test(line)) ?? lines.at(-1) ?? '').trim();
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to a name with several addresses is an AggregateError with an empty message.
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
