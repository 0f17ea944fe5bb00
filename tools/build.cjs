/**
 * Compiles `apps` and `libs` into `dist`: `npm run build`. `dist/.sources` is the hash of all compiled sources.
 * tools/run.cjs compares it, to notice changed, added and deleted sources.
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');
const { brotliCompressSync, constants, gzipSync } = require('node:zlib');

const root = resolve(__dirname, '..');
const dist = join(root, 'dist');
const FOLDERS = ['apps', 'libs'];
/** Browser code, which is bundled instead of compiled file by file. */
const OF_BROWSERS = ['apps/player', 'apps/console', 'libs/renderer'];
/** The bundles, each with its sources. */
const BUNDLES = [
  { folder: 'apps/player', sources: ['apps/player', 'libs/renderer'] },
  { folder: 'apps/console', sources: ['apps/console', 'libs/renderer'] },
];
/** Files that determine how the sources are compiled, and by which compiler version. */
const RECIPE = ['.swcrc', 'package.json', 'tools/build.cjs'];
/** The files of bundles that become smaller by compression; fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(js|css|html|svg)$/;
/** Smaller files fit into one packet as they are. */
const MIN_COMPRESSED = 1_000;
/** The highest quality takes twice as long, and saves 2 % more. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
/** The maximum number of builds when sources change during a build. */
const MAX_BUILDS = 5;

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

function hashOfSources(folders = FOLDERS) {
  const hash = createHash('sha256');
  for (const path of [...RECIPE, ...folders.flatMap(sourceFiles).sort()]) {
    const text = readFileSync(join(root, path));
    hash.update(`${path}\0${text.length}\0`).update(text);
  }
  return hash.digest('hex');
}

function hashOfBuild(folder = dist) {
  try {
    return readFileSync(join(folder, '.sources'), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Replaces `dist` as a whole, so that concurrent builds and starts see one complete build.
 * Ends the process when the sources cannot be compiled.
 */
function build() {
  const hash = hashOfSources();
  const fresh = join(root, `.dist-${process.pid}`);
  const swc = join(root, 'node_modules/@swc/cli/bin/swc.js');
  const options = [
    ...['--out-dir', fresh, '--copy-files', '--quiet'],
    ...['**/*.spec.ts', ...OF_BROWSERS.map((folder) => `${folder}/**`)].flatMap((pattern) => ['--ignore', pattern]),
  ];
  // Standard output belongs to the program that will run.
  const { status } = spawnSync(process.execPath, [swc, ...FOLDERS, ...options], { cwd: root, stdio: [0, 2, 2] });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.exit(status || 1);
  }
  for (const bundle of BUNDLES) buildBundle(bundle, fresh);
  writeFileSync(join(fresh, '.sources'), hash);
  replaceBy(fresh, hash);
}

/** Bundles browser code, or reuses the previous bundle when its sources are unchanged. */
function buildBundle({ folder, sources }, fresh) {
  const hash = hashOfSources(sources);
  const target = join(fresh, folder);
  if (copyBundle(join(dist, folder), target, hash)) return;
  const { status } = spawnSync(process.execPath, [join(root, folder, 'build.mjs'), target], {
    cwd: root,
    stdio: [0, 2, 2],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.exit(status || 1);
  }
  compress(target);
  writeFileSync(join(target, '.sources'), hash);
}

/** Copies the previous bundle if it has this hash. Returns false, too, when another build replaces `dist` meanwhile. */
function copyBundle(before, target, hash) {
  if (hashOfBuild(before) !== hash) return false;
  try {
    cpSync(before, target, { recursive: true });
    if (hashOfBuild(before) === hash) return true;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  rmSync(target, { recursive: true, force: true });
  return false;
}

/** Writes each file a second and third time, compressed, as the service sends it to browsers that accept that. */
function compress(folder) {
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!COMPRESSIBLE.test(name)) continue;
    const path = join(parentPath, name);
    const text = readFileSync(path);
    if (text.length < MIN_COMPRESSED) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(text, BROTLI));
    writeFileSync(`${path}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
  }
}

/** Keeps an equal build that finished first: a program may be loading it. */
function replaceBy(fresh, hash) {
  const old = `${fresh}-old`;
  for (;;) {
    if (hashOfBuild() === hash) {
      rmSync(fresh, { recursive: true, force: true });
      return;
    }
    try {
      renameSync(dist, old);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(fresh, dist);
      return;
    } catch (error) {
      // Another build finished first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/** Builds unless `dist` comes from the present sources. */
function buildIfChanged() {
  for (let builds = 0; hashOfBuild() !== hashOfSources(); builds++) {
    if (builds === MAX_BUILDS) throw new Error('The sources change faster than they can be built.');
    build();
  }
}

if (require.main === module) build();

module.exports = { buildIfChanged };
