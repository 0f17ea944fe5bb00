import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program, Recipe } from './recipe';
import { output } from './run';
import {
  ask,
  baseArguments,
  checkRights,
  dataFolder,
  runArguments,
  shareFolder,
  sqlAddress,
  sqlUrl,
  sqlVersionArguments,
} from './sql-server';

/** In dependency order. Newer versions begin the names with mariadb, older ones with mysql. */
const systemTables = [
  /^(mariadb|mysql)_system_tables\.sql$/,
  /^(mariadb|mysql)_performance_tables\.sql$/,
  /^(mariadb|mysql)_system_tables_data\.sql$/,
  /^maria_add_gis_sp_bootstrap\.sql$/,
  /^(mariadb|mysql)_sys_schema\.sql$/,
];

/**
 * Creates the system tables from the server's own files. mariadb-install-db does the same but looks for helper programs
 * in places that an unpacked package does not have.
 */
export async function fillMariadb(program: Program, folder: string, started: (pid: number) => void): Promise<void> {
  const share = shareFolder(program);
  if (share === undefined) throw new Error(`${program.from} comes without its SQL files`);
  const names = await readdir(share);
  const parts = ['CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n'];
  for (const pattern of systemTables) {
    const name = names.find((entry) => pattern.test(entry));
    if (name !== undefined) parts.push(await readFile(join(share, name), 'utf8'));
  }
  await mkdir(dataFolder(folder));
  await output([...program.command, ...baseArguments(program, folder), '--bootstrap', '--skip-log-bin'], {
    input: parts.join('\n'),
    timeoutMs: 120_000,
    started,
  });
}

export const mariadb: Recipe = {
  kind: 'mariadb',
  label: 'MariaDB',
  variable: 'TEST_MARIADB_URL',
  address: sqlAddress,
  programs: ['mariadbd', 'mysqld'],
  versionArguments: sqlVersionArguments,
  recognises: (version) => /mariadb/i.test(version),
  debianPackage: { name: 'mariadb-server-core', suite: 'own', program: 'usr/sbin/mariadbd' },
  fill: fillMariadb,
  arguments: runArguments,
  url: sqlUrl,
  ask,
  checkRights,
  containerPort: 3306,
};
