import { dirname, join, resolve } from 'node:path';
import { unpackedProgram } from './debian-packages';
import { machineProgram } from './machine-programs';
import type { Surroundings, ProgramSource } from './recipe';

/** The tools with which operators back up and restore a database server. */
interface Client {
  /** Command to spawn before arguments. Writes the statements that recreate a database. */
  dump: readonly string[];
  /** Runs the statements on its standard input. */
  restore: readonly string[];
}

const versionArguments = ['--version'];

/** The clients, each with the name of the restore program in the same folder. */
const clients: Record<'mariadb' | 'mysql', ProgramSource & { restores: string }> = {
  mariadb: {
    kind: 'mariadb-client',
    label: "MariaDB's client",
    programs: ['mariadb-dump'],
    versionArguments,
    recognises: (version) => /mariadb/i.test(version),
    debianPackage: { name: 'mariadb-client', suite: 'own', program: 'usr/bin/mariadb-dump' },
    restores: 'mariadb',
  },
  mysql: {
    kind: 'mysql-client',
    label: "MySQL's client",
    programs: ['mysqldump'],
    versionArguments,
    recognises: (version) => /mysqldump/.test(version) && !/mariadb/i.test(version),
    debianPackage: { name: 'mysql-client-core', suite: 'sid', program: 'usr/bin/mysqldump' },
    restores: 'mysql',
  },
};

const here: Surroundings = { env: process.env, cacheFolder: resolve(__dirname, '../../../.servers') };

/** The client of this machine, else one unpacked from Debian's packages beside the servers. */
export async function clientOf(engine: 'mariadb' | 'mysql'): Promise<Client> {
  const client = clients[engine];
  const { command } = (await machineProgram(client, here.env)) ?? (await unpackedProgram(client, here));
  const dump = command.at(-1)!;
  return { dump: command, restore: [...command.slice(0, -1), join(dirname(dump), client.restores)] };
}
