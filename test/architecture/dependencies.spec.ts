import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUNDLED, installed, licenceFaults, type Lock } from '../../tools/dependencies/licences';
import { dependenciesPage, type Manifest, manifestFaults } from '../../tools/dependencies/page';

const root = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Lock };

describe('dependencies', () => {
  it('have purposes, exact versions, checksums, allowed licences and an up-to-date page', () => {
    expect([...manifestFaults(manifest, packages), ...licenceFaults(packages)]).toEqual([]);
    expect(read('docs/dependencies.md')).toBe(dependenciesPage(manifest, packages));
  });

  it.each([
    ['MIT', []],
    ['(GPL-3.0-only OR MIT)', []],
    ['Apache-2.0 AND ISC', []],
    ['GPL-3.0-only', ['x 1.0.0 has the licence GPL-3.0-only, which is not among those allowed.']],
    ['MIT AND AGPL-3.0-only', ['x 1.0.0 has the licence MIT AND AGPL-3.0-only, which is not among those allowed.']],
    ['SEE LICENSE IN x', ['x 1.0.0 has the licence SEE LICENSE IN x, which is not among those allowed.']],
    [undefined, ['x 1.0.0 names no licence: read it, and note it in tools/dependencies/licences.ts.']],
  ])('are reported when their licence is %s', (license, faults) => {
    const lock = (more: object) => ({ 'node_modules/a/node_modules/x': { version: '1.0.0', license, ...more } });
    expect(licenceFaults(lock({}))).toEqual(faults);
    expect(licenceFaults(lock({ dev: true }))).toEqual([]);
    // Code that browsers load is redistributed too.
    const loaded = {
      'node_modules/lit': { version: '3.0.0', license: 'MIT', dev: true, dependencies: { x: '*' } },
      'node_modules/x': { version: '1.0.0', license, dev: true },
    };
    expect(licenceFaults(loaded)).toEqual(faults);
  });

  it('include all packages that pages import, so that their licences are checked', () => {
    const imported = ['apps/console/src', 'apps/player/src', 'libs/renderer/src'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .flatMap((name) => [...read(join(folder, name)).matchAll(/(?:from |import\()'(@[^/']+\/[^/']+|[\w-]+)/g)])
        .map(([, name]) => name!),
    );
    const known = new Set([...Object.keys(manifest.dependencies), ...BUNDLED]);
    expect(imported).toContain('lit');
    expect([...new Set(imported)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('are reported when they have no exact version, lock entry, checksum or purpose', () => {
    const lock = {
      'node_modules/pino': { version: '10.4.0' },
      'node_modules/new': { version: '1.0.0', integrity: 'sha512-x' },
    };
    const faults = manifestFaults({ dependencies: { pino: '^10.4.0', new: '1.0.0' }, devDependencies: {} }, lock);
    expect(faults).toEqual(
      expect.arrayContaining([
        'Say in tools/dependencies/purposes.ts what new is for.',
        'pino must be pinned to an exact version, which package-lock.json has; it is ^10.4.0.',
        'package-lock.json has no SHA-512 of node_modules/pino.',
        'busboy is no dependency any more; take it out of tools/dependencies/purposes.ts.',
      ]),
    );
  });

  it('for production are in the bill of materials, with version, licence and checksum', () => {
    const { sbom } = (JSON.parse(read('package.json')) as { scripts: Record<'sbom', string> }).scripts;
    const [command, ...args] = sbom.split(' ');
    const text = execFileSync(command!, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const bill = JSON.parse(text) as {
      bomFormat: string;
      specVersion: string;
      components: {
        name: string;
        version: string;
        hashes?: { alg: string; content: string }[];
        licenses?: unknown[];
      }[];
    };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    for (const each of Object.entries(manifest.dependencies)) expect(listed).toContain(each.join('@'));
    expect(listed).toEqual(
      new Set(installed(packages).map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)),
    );
    for (const { name, hashes } of bill.components) expect([name, hashes?.[0]?.alg]).toEqual([name, 'SHA-512']);
  });
});
