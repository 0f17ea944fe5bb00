/**
 * Lets plain Node run the TypeScript of this repository without a build, for scripts that are not tests:
 *
 *   node -r ./test/support/ts.cjs some/file.ts
 *
 * It compiles as the build does (.swcrc) and reads `#name` from libs/name/src, where package.json points to dist.
 */
const Module = require('node:module');
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { transformSync } = require('@swc/core');

const root = resolve(__dirname, '../..');
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  const library = /^#([a-z]+)$/.exec(request);
  return resolveFilename.call(this, library ? resolve(root, 'libs', library[1], 'src/index.ts') : request, ...rest);
};

Module._extensions['.ts'] = function (module, filename) {
  const options = { filename, root, configFile: resolve(root, '.swcrc'), sourceMaps: 'inline' };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};
