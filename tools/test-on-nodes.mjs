/**
 * Runs the embedded suite on other versions of Node.js: `npm run test:nodes`, or `npm run test:nodes -- 24.9.0
 * test/api/tags`.
 * Downloads each version from the registry, as the package with the binary for this machine, into `.servers`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

const VERSIONS = ['22.23.3', '24.9.0'];

const isVersion = (argument) => /^\d+(\.\d+)*$/.test(argument);
const asked = process.argv.slice(2);
const named = asked.filter(isVersion);
const patterns = asked.filter((argument) => !isVersion(argument));

function run(program, options, settings = {}) {
  const { status } = spawnSync(program, options, { stdio: 'inherit', env: { ...process.env, ...settings } });
  if (status !== 0) process.exit(status ?? 1);
}

for (const version of named.length > 0 ? named : VERSIONS) {
  const folder = resolve('.servers', `node-${version}`);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const node = resolve(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`]);
  }
  process.stdout.write(`\nNode.js ${version}\n`);
  // Suites also start programs as `node`, so this version comes first in PATH.
  const PATH = `${resolve(node, '..')}:${process.env.PATH}`;
  run(node, ['node_modules/jest/bin/jest.js', ...patterns], { TEST_ENGINES: 'sqlite', PATH });
}
