/**
 * Programs under load load this file. On SIGUSR2, a program collects its garbage, and reports its memory on standard
 * error. When its standard input closes, the process that started it has ended, so it ends too. Threads have no
 * standard input.
 */
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume();
  process.stdin.unref?.();
}
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.stderr.write(`memory ${JSON.stringify({ heapUsed, external, rss })}\n`);
});
