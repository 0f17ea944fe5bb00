/**
 * Ends a thread of the process that it is loaded into once there is a file END_THREAD. For tests:
 *
 *   NODE_OPTIONS='--require .../thread-that-ends.cjs' END_THREAD=/tmp/file node …
 */
const { existsSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (!isMainThread) setInterval(() => existsSync(process.env.END_THREAD) && process.exit(1), 20).unref();
