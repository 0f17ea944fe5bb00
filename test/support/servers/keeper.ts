import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Reads process ids until its input ends (an empty line clears the last one), then kills the last process and runs its
 * arguments. Waits for the killed process, because it may still write into its folder. The wait is limited: in many
 * containers nothing reaps a process whose parent is gone, so it seems to live on.
 */
const script = `
while read -r word; do pid=$word; done
if [ -n "$pid" ]; then
  kill -KILL "$pid" 2>/dev/null
  tries=0
  while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
fi
exec "$@"
`;

/**
 * A small shell that outlives this process and cleans up after it. Its input is a pipe that only this process holds.
 * However this process ends (normal end, ctrl-C, crash, `kill -9`), the system closes the pipe, and the shell kills the
 * server and removes its data. So there are no exit handlers, and stop() works in the same way. Killing is safe,
 * because the data are thrown away.
 */
export class Keeper {
  private readonly shell: ChildProcess;

  /** @param cleanUp the command to run at the end */
  constructor(cleanUp: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    // Detached, because ctrl-C in a terminal goes to the whole process group and would end the shell too early.
    this.shell = spawn('/bin/sh', ['-c', script, 'keeper', ...cleanUp], {
      env,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.shell.stdin?.on('error', () => undefined);
    // The shell and its pipe must not keep this process alive.
    this.shell.unref();
    (this.shell.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  }

  /** Sets the process to kill at the end. */
  readonly watch = (pid: number): void => {
    this.shell.stdin?.write(`${pid}\n`);
  };

  /** Stops watching: the process ended by itself, and the system may reuse its id. */
  forget(): void {
    this.shell.stdin?.write('\n');
  }

  /** Kills and cleans up now. */
  async close(): Promise<void> {
    if (this.shell.exitCode !== null || this.shell.signalCode !== null) return;
    this.shell.ref();
    const exited = once(this.shell, 'exit');
    this.shell.stdin?.end();
    await exited;
  }
}
