import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Answer, Data, Program } from './recipe';

/** Shared by MariaDB and MySQL, which have the same protocol and most settings in common. */

/** The only login besides the server's own. Only this machine can use it. */
const login = "'root'@'127.0.0.1'";

export const sqlAddress = 'the address (mysql://user:password@host:port) of a server whose user may create databases';

export const sqlVersionArguments = ['--no-defaults', '--version'];

export const sqlUrl = (port: number): string => `mysql://root@127.0.0.1:${port}`;

export const dataFolder = (folder: string): string => join(folder, 'data');

/** Arguments both for creating the data folder and for running the server. */
export function baseArguments(program: Program, folder: string): string[] {
  const args = ['--no-defaults', `--datadir=${dataFolder(folder)}`, `--basedir=${program.prefix}`];
  // A server that starts removes all temporary tables from this folder, also those of other servers.
  args.push(`--tmpdir=${folder}`);
  const share = shareFolder(program);
  if (share !== undefined) args.push(`--lc-messages-dir=${share}`, `--character-sets-dir=${join(share, 'charsets')}`);
  // Both servers refuse to run as root without this option.
  if (process.getuid?.() === 0) args.push('--user=root');
  return args;
}

/** Without durability: the data need not survive a crash, so the server neither waits for the disk nor writes twice. */
const NOT_DURABLE = ['--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync', '--innodb-doublewrite=0'];

/** sql_mode, time zone and collation keep the server's defaults, as most users have them. */
export async function runArguments(program: Program, folder: string, port: number, data: Data): Promise<string[]> {
  const initFile = join(folder, 'init.sql');
  await writeFile(initFile, `CREATE USER IF NOT EXISTS ${login};\nGRANT ALL ON *.* TO ${login} WITH GRANT OPTION;\n`);
  return [
    ...baseArguments(program, folder),
    `--init-file=${initFile}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--socket=${join(folder, 'sock')}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--secure-file-priv=',
    '--character-set-server=utf8mb4',
    '--max-connections=300',
    '--innodb-buffer-pool-size=256M',
    '--skip-log-bin',
    '--performance-schema=OFF',
    ...(data === 'durable' ? [] : NOT_DURABLE),
  ];
}

/** The folder with the messages, character sets and SQL files of this server. It differs between installations. */
export function shareFolder(program: Program): string | undefined {
  return ['share/mysql', 'share/mariadb', 'share', 'share/mysql-8.4', 'share/mysql-8.0']
    .map((name) => join(program.prefix, name))
    .find((folder) => existsSync(join(folder, 'english/errmsg.sys')));
}

export async function ask(url: string): Promise<Answer> {
  const connection = await createConnection({ uri: url, connectTimeout: 5000 });
  try {
    const [rows] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version, @@datadir AS folder');
    return { version: String(rows[0]?.version), dataFolder: String(rows[0]?.folder) };
  } finally {
    connection.destroy();
  }
}

export async function checkRights(url: string): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: 5000 });
  const name = `itembank_rights_${process.pid}_${Date.now()}`;
  try {
    await connection.query(`CREATE DATABASE ${name}`);
    await connection.query(`DROP DATABASE ${name}`);
  } finally {
    connection.destroy();
  }
}
