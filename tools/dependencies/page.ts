import { BUNDLED, installed, licenceOf, type Lock } from './licences';
import { PURPOSES } from './purposes';

/** The parts of package.json that the page shows. */
export interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Faults of the manifest: each direct dependency needs a purpose, an exact version and a locked package. */
export function manifestFaults({ dependencies, devDependencies }: Manifest, lock: Lock): string[] {
  const all = { ...dependencies, ...devDependencies };
  const named = Object.keys(all).filter((name) => !name.startsWith('@types/'));
  return [
    ...named
      .filter((name) => !PURPOSES[name])
      .map((name) => `Say in tools/dependencies/purposes.ts what ${name} is for.`),
    ...Object.keys(PURPOSES)
      .filter((name) => !all[name])
      .map((name) => `${name} is no dependency any more; take it out of tools/dependencies/purposes.ts.`),
    ...Object.entries(all)
      // A package may have another name here: npm:typescript@7.0.2.
      .filter(([name, version]) => lock[`node_modules/${name}`]?.version !== version.replace(/^npm:.+@/, ''))
      .map(
        ([name, version]) =>
          `${name} must be pinned to an exact version, which package-lock.json has; it is ${version}.`,
      ),
    ...Object.entries(lock)
      .filter(([path, { integrity }]) => path !== '' && !/^sha512-/.test(integrity ?? ''))
      .map(([path]) => `package-lock.json has no SHA-512 of ${path}.`),
  ];
}

/** The text of docs/dependencies.md. */
export function dependenciesPage({ dependencies, devDependencies }: Manifest, lock: Lock): string {
  const others = Object.entries(devDependencies).filter(([name]) => !name.startsWith('@types/'));
  const bundled = Object.fromEntries(others.filter(([name]) => BUNDLED.includes(name)));
  const tools = Object.fromEntries(others.filter(([name]) => !BUNDLED.includes(name)));
  return `<!-- Derived from package.json and package-lock.json by \`npm run dependencies\`. -->

# Dependencies

Versions are exact, and package-lock.json has the SHA-512 of every package: \`npm ci\` installs these bytes or nothing.
\`npm run check:dependencies\` fails on a licence that is not listed below, an inexact version, and a dependency without a
purpose.

\`npm run -s sbom\` writes a software bill of materials (CycloneDX 1.5, JSON) of the packages in production, with
versions, licences and hashes. The image has its own, \`/itembank/sbom.json\`.

This repository does not record known vulnerabilities of the versions. Before each release, run \`npm audit --omit=dev\`, or
give the bill of materials to a scanner. These packages process input of others: busboy (multipart), those of Nest with
express below them (HTTP), TypeBox, class-transformer and class-validator (requests), sanitize-html and entities (markup),
mysql2 and libsql (as bound values), yauzl, saxes, csv-parse, image-size and xmllint-wasm (imported files),
csv-stringify and echarts (content that they write). The [threat model](threat-model.md) names what limits them.

## In the service

${table(dependencies, lock)}

Together with their own dependencies, ${installed(lock).length} packages are installed in production, under these licences:

${licences(lock)}

## In browsers

The build puts these into the code for browsers. Their licences are checked too:

${table(bundled, lock)}

## For building and testing

${table(tools, lock)}

Types of packages (\`@types/…\`) are left out. These packages are not distributed, so their licences bind nobody else: axe-core,
and lightningcss below vite, are under the MPL-2.0.
`;
}

function table(versions: Record<string, string>, lock: Lock): string {
  const rows = Object.entries(versions).map(([name, version]) => {
    const path = `node_modules/${name}`;
    return `| ${name} | ${version} | ${licenceOf(path, lock[path]!) ?? 'unknown'} | ${PURPOSES[name]} |`;
  });
  return ['| Package | Version | Licence | What it is for |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function licences(lock: Lock): string {
  const counts = new Map<string, number>();
  for (const [path, found] of installed(lock)) {
    const licence = licenceOf(path, found) ?? 'unknown';
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([licence, count]) => `| ${licence} | ${count} |`);
  return ['| Licence | Packages |', '| --- | --- |', ...rows].join('\n');
}
