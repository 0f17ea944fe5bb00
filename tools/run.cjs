/**
 * Runs a program of `dist` and rebuilds it first if a source has changed: `node tools/run.cjs apps/cli/src/main
 * --help`.
 */
const { enableCompileCache } = require('node:module');
const { resolve } = require('node:path');
const { buildIfChanged } = require('./build.cjs');

buildIfChanged();
// Node.js has this from 22.8 on.
enableCompileCache?.();
// The program sees its own path and arguments, as if Node.js had started it directly.
process.argv.splice(1, 2, resolve(__dirname, '../dist', `${process.argv[2]}.js`));
require(process.argv[1]);
