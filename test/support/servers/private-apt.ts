import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output, run, errorLine } from './run';

/** A source of packages, as in a line of sources.list. */
interface PackageSource {
  uri: string;
  suite: string;
  component: string;
}

interface PrivateApt {
  /** Packages with all their dependencies, each as `name=version`. */
  packagesFor(...names: string[]): Promise<string[]>;
  download(packages: readonly string[], folder: string): Promise<void>;
}

const components = ['main', 'universe'];
const keyrings = ['debian', 'ubuntu'].flatMap((name) =>
  ['pgp', 'gpg'].map((ending) => `/usr/share/keyrings/${name}-archive-keyring.${ending}`),
);

/**
 * Runs apt with all of its state in one folder. It reads the machine's sources, proxy settings and keys, but neither
 * reads nor writes the machine's package lists, locks and installed packages. It assumes that nothing is installed, so
 * it lists everything that a program needs, down to the C library.
 */
export async function aptIn(folder: string, suite: 'own' | 'sid', env: NodeJS.ProcessEnv): Promise<PrivateApt> {
  const options = await emptyState(folder);
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const planned = await output(['apt-get', ...options, 'update', '--print-uris'], { env });
  const sources = sourcesFor(suite, parseSources(planned), release);
  if (sources.length === 0) throw new Error("apt's settings name no source of Debian packages");

  const sourceFile = join(folder, 'chosen.sources');
  await writeFile(sourceFile, sourceParagraphs(sources));
  const own = [...options, '-o', `Dir::Etc::sourcelist=${sourceFile}`, '-o', 'Dir::Etc::sourceparts=/dev/null'];
  // A single bad source makes this fail, so only the next command decides whether the package is known.
  const update = await run(['apt-get', ...own, '-qq', 'update'], { env });

  return {
    async packagesFor(...names) {
      const plan = await run(['apt-get', ...own, '--simulate', '--no-install-recommends', 'install', ...names], {
        env,
      });
      if (plan.code !== 0) throw new Error(errorLine(update.stderr) || errorLine(plan.stderr));
      return parsePlan(plan.stdout);
    },
    async download(packages, target) {
      await output(['apt-get', ...own, '-qq', 'download', ...packages], { env, cwd: target });
    },
  };
}

async function emptyState(folder: string): Promise<string[]> {
  await mkdir(join(folder, 'state/lists/partial'), { recursive: true });
  await mkdir(join(folder, 'cache/archives/partial'), { recursive: true });
  const status = join(folder, 'status');
  await writeFile(status, '');
  return [
    `Dir::State=${join(folder, 'state')}`,
    `Dir::State::status=${status}`,
    `Dir::Cache=${join(folder, 'cache')}`,
    'Dir::Etc::preferences=/dev/null',
    'Dir::Etc::preferencesparts=/dev/null',
    'APT::Default-Release=',
    // As root, apt would download as another user, who cannot write into our folder.
    'APT::Sandbox::User=',
    'Acquire::Languages=none',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=30',
    'Acquire::https::Timeout=30',
    'Debug::NoLocking=1',
  ].flatMap((option) => ['-o', option]);
}

/** The sources in the output of `apt-get update --print-uris`, whatever their notation in /etc/apt. */
export function parseSources(planned: string): PackageSource[] {
  const found = new Map<string, PackageSource>();
  for (const [, uri = '', suite = '', component = ''] of planned.matchAll(
    /^'(.+?)\/dists\/(.+?)\/([^/]+)\/binary-[^/]+\/Packages/gm,
  )) {
    found.set(`${uri} ${suite} ${component}`, { uri, suite, component });
  }
  return [...found.values()];
}

/**
 * The sources of the machine's own release with its updates, without third parties; or sid on the same mirrors. Only
 * Debian has a sid. Similar systems use the package of their own release.
 */
export function sourcesFor(suite: 'own' | 'sid', sources: readonly PackageSource[], release: string): PackageSource[] {
  const id = /^ID="?([^"\n]*)/m.exec(release)?.[1];
  const codename = /^VERSION_CODENAME="?([^"\n]*)/m.exec(release)?.[1] ?? '';
  const names = [codename, 'stable', 'oldstable', 'testing', 'unstable', 'sid'];
  const own = sources.filter(
    (source) =>
      components.includes(source.component) &&
      names.includes(source.suite.replace(/(-updates|-security|\/updates)$/, '')),
  );
  if (suite === 'own' || id !== 'debian') return own;
  const mirrors = new Set(own.filter((source) => names.includes(source.suite)).map((source) => source.uri));
  return [...mirrors].map((uri) => ({ uri, suite: 'sid', component: 'main' }));
}

function sourceParagraphs(sources: readonly PackageSource[]): string {
  const keyring = keyrings.find((file) => existsSync(file));
  return sources
    .map(({ uri, suite, component }) => {
      const lines = ['Types: deb', `URIs: ${uri}`, `Suites: ${suite}`, `Components: ${component}`];
      if (keyring !== undefined) lines.push(`Signed-By: ${keyring}`);
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** Reads lines like `Inst libc6 (2.36-9 Debian:12/stable [amd64])`. */
export function parsePlan(plan: string): string[] {
  return [...plan.matchAll(/^Inst (\S+) \((\S+) /gm)].map(([, name, version]) => `${name}=${version}`);
}
