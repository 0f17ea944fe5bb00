/**
 * Writes a software bill of materials (CycloneDX, JSON) of the packages installed in production:
 * node docker/sbom.mjs > sbom.json
 *
 * npm generates it from a lock file without the packages for building and testing. `npm sbom --omit dev` would also omit
 * packages that both the service and its tests need.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

const { devDependencies: _, ...manifest } = read('package.json');
const lock = read('package-lock.json');
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev));
delete lock.packages[''].devDependencies;

const folder = mkdtempSync(join(tmpdir(), 'itembank-sbom-'));
try {
  // npm names the component after this folder.
  const cwd = join(folder, manifest.name);
  mkdirSync(cwd);
  for (const [name, value] of Object.entries({ 'package.json': manifest, 'package-lock.json': lock }))
    writeFileSync(join(cwd, name), JSON.stringify(value));
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  process.stdout.write(execFileSync('npm', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
