/**
 * Loaded into a program under load. On SIGUSR2, the program collects its garbage, and reports its memory on standard
 * error. It ends with the process that started it, which holds the other end of its standard input; a thread has none.
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
