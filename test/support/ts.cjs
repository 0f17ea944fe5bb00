/**
 * Lets plain Node run the TypeScript of this repository without a build, for scripts that are not tests:
 *
 *   node -r ./test/support/ts.cjs some/file.ts
 *
 * It compiles as the build does (.swcrc) and reads `#name` from libs/name/src, where package.json points to dist. It
 * caches compiled files and the places of packages in node_modules/.cache, because the tests start hundreds of processes.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, relative, resolve, sep } = require('node:path');

const root = resolve(__dirname, '../..');
const PACKAGES = resolve(root, 'node_modules') + sep;
const PACKAGE_FILES = resolve(PACKAGES, '.cache/itembank/packages.json');
const { _resolveFilename: resolveFilename, isBuiltin } = Module;

/** Finds sources and packages at once. In each start, Node.js looks for seven thousand files. */
Module._resolveFilename = function (request, parent, isMain, options) {
  const [library, name, part = 'index'] = /^#([a-z]+)(?:\/([a-z]+))?$/.exec(request) ?? [];
  if (library) return resolve(root, 'libs', name, `src/${part}.ts`);
  const find = () => resolveFilename.call(this, request, parent, isMain, options);
  if (!parent?.filename || options || isBuiltin(request)) return find();
  if (parent.filename.startsWith(PACKAGES) || /^[^./]/.test(request)) return packageFile(request, parent, find);
  const source = resolve(dirname(parent.filename), `${request}.ts`);
  return isSource(source) ? source : find();
};

const sources = new Set();

function isSource(file) {
  if (!sources.has(file) && existsSync(file)) sources.add(file);
  return sources.has(file);
}

/** The files in packages, by the requests for them. Processes share them until npm installs packages again. */
const packageFiles = readPackageFiles();
let isNew = false;
process.on('exit', () => {
  if (isNew) writeCache(PACKAGE_FILES, JSON.stringify(packageFiles));
});

function readPackageFiles() {
  const { mtimeMs } = statSync(resolve(PACKAGES, '.package-lock.json'), { throwIfNoEntry: false }) ?? {};
  // Versions of Node.js read the packages' conditions in other ways.
  const installed = `${process.version} ${mtimeMs}`;
  const last = JSON.parse(read(PACKAGE_FILES) || '{}');
  return last.installed === installed ? last : { installed, found: {} };
}

function packageFile(request, parent, find) {
  const key = `${dirname(parent.filename).slice(root.length)} ${request}`;
  const known = packageFiles.found[key];
  if (known) return root + known;
  const file = find();
  if (file.startsWith(PACKAGES)) {
    packageFiles.found[key] = file.slice(root.length);
    isNew = true;
  }
  return file;
}

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

const cachePathOf = (filename) => resolve(root, 'node_modules/.cache/itembank', `${relative(root, filename)}.js`);

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
