/**
 * Once there is a file FAIL_THREAD, the threads of the process that it is loaded into end; where the file says `hang`, they
 * do nothing any more. For tests:
 *
 *   NODE_OPTIONS='--require .../thread-that-fails.cjs' FAIL_THREAD=/tmp/file node …
 */
const { existsSync, readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

function look() {
  if (!existsSync(process.env.FAIL_THREAD)) return;
  if (readFileSync(process.env.FAIL_THREAD, 'utf8') !== 'hang') process.exit(1);
  for (;;);
}

if (!isMainThread) setInterval(look, 20).unref();
