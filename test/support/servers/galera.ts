import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { unpackedProgram } from './debian-packages';
import { freePort } from './free-port';
import { Keeper } from './keeper';
import { fillMariadb } from './mariadb';
import type { Program, ProgramSource } from './recipe';
import { run, errorLine } from './run';
import { dataFolder, runArguments, sqlUrl, sqlVersionArguments } from './sql-server';

/** MariaDB with the Galera library and with the scripts and programs that copy the data of one node to another. */
const galera: ProgramSource = {
  kind: 'galera',
  label: 'MariaDB Galera',
  programs: ['mariadbd'],
  versionArguments: sqlVersionArguments,
  recognises: (version) => /mariadb/i.test(version),
  debianPackage: {
    name: 'mariadb-server-core',
    suite: 'own',
    program: 'usr/sbin/mariadbd',
    more: ['mariadb-server', 'mariadb-client-core', 'galera-4', 'rsync', 'lsof', 'iproute2'],
  },
  // The server starts the scripts of the state transfer.
  startsItself: true,
};

const NODES = 3;
const MAX_START_MS = 600_000;
/** The other nodes notice a dead node after a few seconds, as in a local network. */
const FAILURE_DETECTION =
  'evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S;evs.suspect_timeout=PT3S;evs.inactive_timeout=PT6S';

type StatusValues = Record<string, string>;

/** One server of the cluster, with data that survive its end. */
export class GaleraNode {
  private child: ChildProcess | undefined;
  private wasRunning = false;

  constructor(
    private readonly program: Program,
    private readonly folder: string,
    private readonly options: readonly string[],
    readonly url: string,
    private readonly keeper: Keeper,
  ) {}

  /** Starts the node with its stored data, and waits until it is a part of the cluster. */
  async start(...more: string[]): Promise<void> {
    const position = this.wasRunning ? await this.position() : undefined;
    this.wasRunning = true;
    const known = position === undefined ? [] : [`--wsrep-start-position=${position}`];
    const [file = '', ...args] = this.program.command;
    const log = openSync(join(this.folder, 'log'), 'a');
    const child = spawn(file, [...args, ...this.options, ...known, ...more], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, LC_ALL: 'C' },
    });
    closeSync(log);
    this.child = child;
    this.keeper.watch(child.pid!);
    child.once('exit', () => {
      this.keeper.forget();
      if (this.child === child) this.child = undefined;
    });
    child.unref();
    for (const until = Date.now() + MAX_START_MS; !(await this.isSynced()); await sleep(100)) {
      if (this.child !== child)
        throw new Error(`A node of Galera ended: ${errorLine(await readFile(join(this.folder, 'log'), 'utf8'))}`);
      if (Date.now() > until) throw new Error(`A node of Galera was not ready after ${MAX_START_MS / 1000} s.`);
    }
  }

  /** The position of the stored data in the order of all commits. A killed server must first find it in its files. */
  private async position(): Promise<string> {
    const { stderr } = await run([...this.program.command, ...this.options, '--wsrep-recover'], {
      started: this.keeper.watch,
    });
    this.keeper.forget();
    const [, position] = /Recovered position: *(\S+)/.exec(stderr) ?? [];
    if (position === undefined) throw new Error(`The position of a node is unknown: ${errorLine(stderr)}`);
    return position;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (!child) return;
    child.ref();
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** After SIGSTOP, the other nodes cannot reach the node. SIGCONT reverses this. */
  send(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal);
  }

  async isSynced(): Promise<boolean> {
    const { wsrep_ready, wsrep_local_state_comment } = await this.status().catch((): StatusValues => ({}));
    return wsrep_ready === 'ON' && wsrep_local_state_comment === 'Synced';
  }

  async status(): Promise<StatusValues> {
    const connection = await createConnection({ uri: this.url, connectTimeout: 2_000 });
    try {
      const [rows] = await connection.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'wsrep_%'");
      return Object.fromEntries(rows.map((row) => [String(row.Variable_name), String(row.Value)]));
    } finally {
      connection.destroy();
    }
  }

  stop(): Promise<void> {
    return this.keeper.close();
  }
}

/** Three servers that replicate to each other, on loopback addresses. */
export async function startGalera(): Promise<{ nodes: GaleraNode[]; stop(): Promise<void> }> {
  const cacheFolder = resolve(__dirname, '../../../.servers');
  const program = await unpackedProgram(galera, { env: process.env, cacheFolder });
  const places = await Promise.all(
    Array.from({ length: NODES }, async () => ({
      folder: await mkdtemp(join(tmpdir(), `itembank-galera-${process.pid}-`)),
      port: await freePort(),
      group: await freePort(),
      transfer: await freePort(),
      copy: await freePort(),
    })),
  );
  const keepers = places.map(({ folder }) => new Keeper(['rm', '-rf', folder]));
  const stop = async () => void (await Promise.all(keepers.map((keeper) => keeper.close())));
  try {
    const address = `gcomm://${places.map(({ group }) => `127.0.0.1:${group}`).join(',')}`;
    await fillMariadb(program, places[0]!.folder, keepers[0]!.watch);
    keepers[0]!.forget();
    // The other nodes copy all data from the first one.
    for (const { folder } of places.slice(1)) await mkdir(dataFolder(folder));
    const nodes: GaleraNode[] = [];
    for (const [index, { folder, port, group, transfer, copy }] of places.entries()) {
      await programsFor(program, folder);
      const provider = [
        `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
        `ist.recv_addr=127.0.0.1:${transfer}`,
        `gcache.dir=${dataFolder(folder)}`,
        'gcache.size=64M',
        FAILURE_DETECTION,
      ];
      const options = [
        ...(await runArguments(program, folder, port, 'temporary')).filter((option) => option !== '--skip-log-bin'),
        // The server puts the programs of this folder before those of the PATH.
        `--basedir=${folder}`,
        `--plugin-dir=${join(program.prefix, 'lib/mysql/plugin')}`,
        '--innodb-buffer-pool-size=96M',
        '--innodb-log-file-size=32M',
        '--binlog-format=ROW',
        '--innodb-autoinc-lock-mode=2',
        '--wsrep-on=ON',
        `--wsrep-provider=${join(program.prefix, 'lib/libgalera_smm.so')}`,
        '--wsrep-cluster-name=itembank',
        `--wsrep-cluster-address=${address}`,
        `--wsrep-node-name=node-${index + 1}`,
        `--wsrep-node-address=127.0.0.1:${group}`,
        `--wsrep-provider-options=${provider.join(';')}`,
        '--wsrep-slave-threads=2',
        '--wsrep-sst-method=rsync',
        `--wsrep-sst-receive-address=127.0.0.1:${copy}`,
      ];
      nodes.push(new GaleraNode(program, folder, options, sqlUrl(port), keepers[index]!));
    }
    await nodes[0]!.start('--wsrep-new-cluster');
    for (const node of nodes.slice(1)) await node.start();
    return { nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The programs for the scripts of the state transfer. */
async function programsFor(program: Program, folder: string): Promise<void> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await cp(join(program.prefix, 'bin'), bin, { recursive: true, filter: (path) => !/mariadbd|perl/.test(path) });
  // As root, rsync would write as another user, who has no rights here.
  if (process.getuid?.() !== 0) return;
  const rsync = join(program.prefix, 'bin/rsync');
  const asRoot = 'case " $* " in *" --daemon "*) set -- --dparam=uid=0 --dparam=gid=0 "$@";; esac';
  await writeFile(join(bin, 'rsync'), `#!/bin/sh\n${asRoot}\nexec '${rsync}' "$@"\n`);
  await chmod(join(bin, 'rsync'), 0o755);
}
