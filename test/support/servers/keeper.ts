import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Reads process ids until its input ends, then kills the last one it was told (an empty line takes it back) and
 * runs its arguments. It waits for the killed process, because one that is still dying may write into its folder;
 * not for ever, because in many containers nothing collects a process whose parent is gone, and it seems to live on.
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
 * A small shell that outlives this process and cleans up after it.
 *
 * Its input is a pipe that only this process holds. However this process ends (a normal end, ctrl-C, a crash,
 * `kill -9`), the system closes the pipe, and the shell kills the server and removes what is left. So there are no
 * exit handlers, and stop() takes the same road. Killing is right: the data is thrown away, nothing has to be saved.
 */
export class Keeper {
  private readonly shell: ChildProcess;

  /** @param cleanUp the command to run at the end */
  constructor(cleanUp: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    // Detached, as ctrl-C in a terminal goes to the whole group and would end the shell before its work.
    this.shell = spawn('/bin/sh', ['-c', script, 'keeper', ...cleanUp], {
      env,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.shell.stdin?.on('error', () => undefined);
    // Neither the shell nor its pipe may keep this process from ending.
    this.shell.unref();
    (this.shell.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  }

  /** From now on this process is killed at the end. */
  readonly watch = (pid: number): void => {
    this.shell.stdin?.write(`${pid}\n`);
  };

  /** The watched process ended by itself: its number may soon belong to another. */
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
