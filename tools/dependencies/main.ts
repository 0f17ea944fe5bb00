import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { licenceFaults, type Lock } from './licences';
import { dependenciesPage, type Manifest, manifestFaults } from './page';

const root = resolve(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const PAGE = 'docs/dependencies.md';

/**
 * Writes the page of dependencies. With `--check`, only reports whether it would change. Reports faults in both cases.
 */
function main(isCheck: boolean): void {
  const manifest = JSON.parse(read('package.json')) as Manifest;
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Lock };
  const faults = [...manifestFaults(manifest, packages), ...licenceFaults(packages)];
  if (faults.length === 0) {
    const page = dependenciesPage(manifest, packages);
    if (!isCheck) writeFileSync(join(root, PAGE), page);
    else if (read(PAGE) !== page) faults.push(`${PAGE} is not what package.json says: run npm run dependencies.`);
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

main(process.argv.includes('--check'));
