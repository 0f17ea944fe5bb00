/**
 * Lets plain Node run the TypeScript of this repository without a build, for scripts that are not tests:
 *
 *   node -r ./test/support/ts.cjs some/file.ts
 *
 * It compiles as the build does (.swcrc) and reads `#name` from libs/name/src, where package.json points to dist. It
 * caches compiled files in node_modules/.cache, because the tests start hundreds of processes.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, relative, resolve } = require('node:path');

const root = resolve(__dirname, '../..');
const resolveFilename = Module._resolveFilename;

/** Finds sources at once. Node.js tries four other names first, and a start looks for two thousand sources. */
Module._resolveFilename = function (request, parent, ...rest) {
  const [library, name, part = 'index'] = /^#([a-z]+)(?:\/([a-z]+))?$/.exec(request) ?? [];
  if (library) return resolve(root, 'libs', name, `src/${part}.ts`);
  if (request.startsWith('.') && parent?.filename?.endsWith('.ts')) {
    const source = resolve(dirname(parent.filename), `${request}.ts`);
    if (existsSync(source)) return source;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};

const configFile = resolve(root, '.swcrc');
const options = { root, configFile, sourceMaps: true };
/** Everything that the output depends on, apart from the source. */
const basis = [
  readFileSync(configFile, 'utf8'),
  require('@swc/core/package.json').version,
  JSON.stringify(options),
].join('\n');

Module._extensions['.ts'] = function (module, filename) {
  module._compile(compiled(filename), filename);
};

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(`${basis}\n${filename}\n${source}`).digest('hex');
  const cachePath = cachePathOf(filename);
  const last = read(cachePath);
  if (last.startsWith(key)) return last.slice(key.length);
  const { transformSync } = compiler();
  const { code, map } = transformSync(source, { filename, ...options });
  writeCache(sourceMapOf(filename), map);
  writeCache(cachePath, key + code);
  return code;
}

/** Loads the compiler. It is loaded on demand, because that takes longer than everything else. */
function compiler() {
  // It may unpack itself into the folder for temporary files, which some tests make unusable for their programs.
  const { TMPDIR } = process.env;
  delete process.env.TMPDIR;
  try {
    return require('@swc/core');
  } finally {
    if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
  }
}

/** Scripts may be outside of the project, but the compiled code stays in it. */
const cachePathOf = (filename) =>
  resolve(root, 'node_modules/.cache/itembank', `${relative(root, filename).replaceAll('..', '_')}.js`);

/** Returns the path of the source map of a loaded file. */
const sourceMapOf = (filename) => `${cachePathOf(filename)}.map`;

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Writes atomically, because other processes read and write the file at the same time. */
function writeCache(path, text) {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch {
    // If the cache is not writable, every process compiles the file again.
  }
}

module.exports = { sourceMapOf };
