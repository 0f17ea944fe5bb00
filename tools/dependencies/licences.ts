import satisfies from 'spdx-satisfies';

/** A package in package-lock.json. */
interface LockedPackage {
  version: string;
  /** An SPDX expression. */
  license?: string;
  /** Not installed in production. */
  dev?: boolean;
  dependencies?: Record<string, string>;
  /** SHA-512 of what is installed. */
  integrity?: string;
}

/** Packages by installation path: `node_modules/a/node_modules/b`. */
export type Lock = Record<string, LockedPackage>;

/** Licences that permit use and redistribution, changed or not, and ask only for attribution. */
const ALLOWED = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
  'Zlib',
];

/** Packages whose licence npm cannot read; it was read in the packages themselves. */
const READ: Record<string, string> = { 'busboy@1.6.0': 'MIT', 'streamsearch@1.1.0': 'MIT' };

/** Direct dependencies that are bundled into browser code: redistributed, though not installed in production. */
export const BUNDLED = [
  '@codemirror/commands',
  '@codemirror/lang-json',
  '@codemirror/language',
  '@codemirror/lint',
  '@codemirror/state',
  '@codemirror/view',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tabler/icons-react',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  'dompurify',
  'lit',
  'mathlive',
  'prosemirror-commands',
  'prosemirror-gapcursor',
  'prosemirror-history',
  'prosemirror-keymap',
  'prosemirror-model',
  'prosemirror-schema-list',
  'prosemirror-state',
  'prosemirror-tables',
  'prosemirror-view',
  'react',
  'react-dom',
];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The licence of a package, as an SPDX expression; undefined when unknown. */
export function licenceOf(path: string, { version, license }: LockedPackage): string | undefined {
  return license ?? READ[`${nameOf(path)}@${version}`];
}

/** Packages installed in production, without the service itself. */
export function installed(lock: Lock): [path: string, found: LockedPackage][] {
  return Object.entries(lock).filter(([path, { dev }]) => path !== '' && !dev);
}

/** Packages that browsers load: those in {@link BUNDLED} and their dependencies. */
function loadedByBrowsers(lock: Lock): [path: string, found: LockedPackage][] {
  const paths = new Set(BUNDLED.map((name) => `node_modules/${name}`));
  // The loop also visits paths that it adds.
  for (const path of paths)
    for (const name of Object.keys(lock[path]?.dependencies ?? {})) paths.add(`node_modules/${name}`);
  return [...paths].flatMap((path) => (lock[path]?.dev ? [[path, lock[path]] as [string, LockedPackage]] : []));
}

/** Faults in the licences of redistributed packages, one line per package. */
export function licenceFaults(lock: Lock): string[] {
  return [...installed(lock), ...loadedByBrowsers(lock)].flatMap(([path, found]) => {
    const licence = licenceOf(path, found);
    const named = `${nameOf(path)} ${found.version}`;
    if (licence === undefined)
      return [`${named} names no licence: read it, and note it in tools/dependencies/licences.ts.`];
    return isAllowed(licence) ? [] : [`${named} has the licence ${licence}, which is not among those allowed.`];
  });
}

function isAllowed(licence: string): boolean {
  try {
    return satisfies(licence, ALLOWED);
  } catch {
    return false;
  }
}
