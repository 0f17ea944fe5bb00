/**
 * Compiles `apps` and `libs` into `dist`: `npm run build`. `dist/.sources` is the hash of all that was compiled, by which
 * tools/run.cjs sees whether a source was changed, added or deleted since.
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');

const root = resolve(__dirname, '..');
const dist = join(root, 'dist');
const FOLDERS = ['apps', 'libs'];
/** Code for browsers, which is bundled and not compiled file by file. */
const OF_BROWSERS = ['apps/player', 'libs/renderer'];
/** They say how the sources are compiled, and with which version of the compiler. */
const RECIPE = ['.swcrc', 'package.json', 'tools/build.cjs'];
/** How often a build is done again because sources changed meanwhile. */
const MOST_BUILDS = 5;

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
 * Replaces `dist` as a whole: whoever else builds or starts at the same time finds one build or the other, and never a part.
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
  // Standard output belongs to the program that is to run.
  const { status } = spawnSync(process.execPath, [swc, ...FOLDERS, ...options], { cwd: root, stdio: [0, 2, 2] });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.exit(status || 1);
  }
  buildPlayer(join(fresh, 'apps/player'));
  writeFileSync(join(fresh, '.sources'), hash);
  replaceBy(fresh);
}

/** Bundles the code for browsers, or takes it over from the build before if none of it changed. */
function buildPlayer(folder) {
  const hash = hashOfSources(OF_BROWSERS);
  const before = join(dist, 'apps/player');
  if (hashOfBuild(before) === hash) {
    cpSync(before, folder, { recursive: true });
    return;
  }
  const { status } = spawnSync(process.execPath, [join(root, 'apps/player/build.mjs'), folder], {
    cwd: root,
    stdio: [0, 2, 2],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) {
    rmSync(resolve(folder, '../..'), { recursive: true, force: true });
    process.exit(status || 1);
  }
  writeFileSync(join(folder, '.sources'), hash);
}

function replaceBy(fresh) {
  const old = `${fresh}-old`;
  for (;;) {
    try {
      renameSync(dist, old);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(fresh, dist);
      return;
    } catch (error) {
      // Another build has come in between.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/** Builds unless `dist` was made of the sources as they are now. */
function buildIfChanged() {
  for (let builds = 0; hashOfBuild() !== hashOfSources(); builds++) {
    if (builds === MOST_BUILDS) throw new Error('The sources change faster than they can be built.');
    build();
  }
}

if (require.main === module) build();

module.exports = { buildIfChanged };
