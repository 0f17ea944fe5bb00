import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Program, Recipe } from './recipe';
import { output } from './run';
import { ask, baseArguments, checkRights, runArguments, sqlAddress, sqlUrl, sqlVersionArguments } from './sql-server';

/** The server does not find its plugins by itself when it is unpacked elsewhere than it was built for. */
function pluginArguments(program: Program): string[] {
  const plugins = join(program.prefix, 'lib/mysql/plugin');
  return existsSync(plugins) ? [`--plugin-dir=${plugins}`] : [];
}

async function fill(program: Program, folder: string, started: (pid: number) => void): Promise<void> {
  const args = [...baseArguments(program, folder), ...pluginArguments(program)];
  // --secure-file-priv: the default folder exists only where MySQL is installed.
  await output([...program.command, ...args, '--initialize-insecure', '--secure-file-priv='], {
    timeoutMs: 120_000,
    started,
  });
}

export const mysql: Recipe = {
  kind: 'mysql',
  label: 'MySQL',
  variable: 'TEST_MYSQL_URL',
  address: sqlAddress,
  programs: ['mysqld'],
  versionArguments: sqlVersionArguments,
  recognises: (version) => /\d+\.\d+\.\d+/.test(version) && !/mariadb/i.test(version),
  debianPackage: { name: 'mysql-server-core', suite: 'sid', program: 'usr/sbin/mysqld' },
  fill,
  arguments: async (program, folder, port, data) => [
    ...(await runArguments(program, folder, port, data)),
    ...pluginArguments(program),
    '--mysqlx=OFF',
  ],
  url: sqlUrl,
  ask,
  checkRights,
  containerPort: 3306,
};
