import { randomBytes } from 'node:crypto';
import { access, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { aptIn } from './private-apt';
import type { Program, Surroundings, ProgramSource } from './recipe';
import { output, run, errorLine } from './run';

/** A complete tree has this file. A tree without it, or with an older layout, is unpacked again. */
const MARKER_NAME = 'complete.json';
const layout = 1;

/** Packages that Debian's package needs, but not the server program. */
const UNNEEDED_PACKAGES = /^(perl|libperl|libgdbm|libdb5|libc-gconv|gcc-|debconf)/;

/** The C library, its parts and its loader. */
const LIBC_FILES = /^(ld-linux|lib(c|m|dl|rt|pthread|resolv|util|anl|nsl|mvec|BrokenLocale|thread_db|nss_\w+)\.so)/;

/** The age at which an unfinished tree is removed. A younger one may belong to a run at the same time. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** The program from Debian's packages, unpacked into the cache folder. Installs nothing and needs no root. */
export async function unpackedProgram(recipe: ProgramSource, { env, cacheFolder }: Surroundings): Promise<Program> {
  const tree = join(cacheFolder, `${recipe.kind}-${process.arch}`);
  if (!(await isComplete(tree))) {
    await mkdir(cacheFolder, { recursive: true });
    await removeAbandoned(cacheFolder);
    // A sibling folder, so that an atomic rename puts it in place.
    const partial = `${tree}.partial-${randomBytes(6).toString('hex')}`;
    try {
      await unpackInto(partial, recipe, env);
      await putInPlace(partial, tree);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  return programOf(tree, recipe);
}

/** Whether this folder contains a completely unpacked tree. */
export async function isComplete(tree: string): Promise<boolean> {
  try {
    const marker: unknown = JSON.parse(await readFile(join(tree, MARKER_NAME), 'utf8'));
    return typeof marker === 'object' && marker !== null && 'layout' in marker && marker.layout === layout;
  } catch {
    return false;
  }
}

/** Renames a complete tree to its final name. If another run was first, keeps that run's tree. */
export async function putInPlace(partial: string, tree: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(partial, tree);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if ((code !== 'ENOTEMPTY' && code !== 'EEXIST') || attempt === 3) throw error;
      if (await isComplete(tree)) return;
      // An incomplete tree. Move it away first, because removing takes time and another run may look meanwhile.
      const rest = `${tree}.partial-${randomBytes(6).toString('hex')}`;
      await rename(tree, rest).catch(() => undefined);
      await rm(rest, { recursive: true, force: true });
    }
  }
}

async function unpackInto(tree: string, recipe: ProgramSource, env: NodeJS.ProcessEnv): Promise<void> {
  const { name, suite, more = [] } = recipe.debianPackage;
  const downloads = join(tree, 'downloads');
  await mkdir(downloads, { recursive: true });
  const apt = await aptIn(join(tree, 'apt'), suite, env);
  const needed = (await apt.packagesFor(name, ...more)).filter((entry) => !UNNEEDED_PACKAGES.test(entry));
  await apt.download(needed, downloads);
  for (const file of await readdir(downloads)) {
    await output(['dpkg-deb', '--extract', join(downloads, file), join(tree, 'root')], { env });
  }
  for (const folder of ['downloads', 'apt', 'root/usr/share/doc', 'root/usr/share/man', 'root/usr/share/locale']) {
    await rm(join(tree, folder), { recursive: true, force: true });
  }
  const { command } = await programOf(tree, recipe);
  const { stdout, stderr } = await run([...command, ...recipe.versionArguments], { env });
  if (!recipe.recognises(stdout))
    throw new Error(`the program unpacked from ${name} does not run: ${errorLine(stderr || stdout)}`);
  await writeFile(join(tree, MARKER_NAME), `${JSON.stringify({ layout, packages: needed }, null, 2)}\n`);
}

/**
 * The program with the C library and the loader of its own packages, so that it neither needs nor disturbs those of
 * the machine: a server built for a newer Debian runs on an older one.
 */
async function programOf(tree: string, recipe: ProgramSource): Promise<Program> {
  const root = join(tree, 'root');
  const folders: string[] = [];
  for (const parent of [join(root, 'usr/lib'), join(root, 'lib')]) {
    const names = await readdir(parent).catch(() => []);
    folders.push(...names.filter((name) => name.includes('-linux-gnu')).map((name) => join(parent, name)));
  }
  // libpulse looks for its second library at an absolute path, outside the unpacked tree.
  for (const folder of [...folders]) {
    const pulse = join(folder, 'pulseaudio');
    if (await isFolder(pulse)) folders.push(pulse);
  }
  const program = await pathOf(join(root, recipe.debianPackage.program));
  const from = `Debian package ${recipe.debianPackage.name}`;
  const prefix = join(root, 'usr');
  if (recipe.startsItself) return { command: await commandWithMachineLibc(root, folders, program), prefix, from };
  const loader = await firstLoader(folders);
  const libraries = [...folders, join(root, 'usr/lib/mysql/private')].join(':');
  return { command: [loader, '--library-path', libraries, program], prefix, from };
}

async function pathOf(program: string): Promise<string> {
  const [folder, name] = [dirname(program), basename(program)];
  const names = name.endsWith('*') ? await readdir(folder) : [name];
  const path = join(folder, names.sort().find((each) => each.startsWith(name.replace('*', ''))) ?? name);
  await access(path);
  return path;
}

/** Writes a script that starts an unpacked program with further arguments; returns its path. */
export async function starterOf({ command }: Program, { kind }: ProgramSource, cacheFolder: string): Promise<string> {
  const path = join(cacheFolder, `${kind}-${process.arch}`, 'start');
  const words = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  await writeFile(path, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

/** Returns a command that uses the libraries of the packages, but the C library of the machine, to match its loader. */
async function commandWithMachineLibc(root: string, folders: readonly string[], program: string): Promise<string[]> {
  for (const folder of folders)
    for (const name of await readdir(folder)) if (LIBC_FILES.test(name)) await rm(join(folder, name));
  return [
    'env',
    `LD_LIBRARY_PATH=${folders.join(':')}`,
    `FONTCONFIG_PATH=${join(root, 'etc/fonts')}`,
    `FONTCONFIG_SYSROOT=${root}`,
    program,
  ];
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function firstLoader(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const name = (await readdir(folder)).find((entry) => /^ld-linux.*\.so\.\d+$/.test(entry));
    if (name !== undefined) return join(folder, name);
  }
  throw new Error('the unpacked packages hold no loader for programs');
}

async function removeAbandoned(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    if (!name.includes('.partial-')) continue;
    const folder = join(cacheFolder, name);
    const changed = await stat(folder).catch(() => undefined);
    if (changed !== undefined && Date.now() - changed.mtimeMs > ABANDONED_AFTER_MS) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
