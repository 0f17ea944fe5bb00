import { resolve } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { recipes, type RunningServer, startByRecipe } from './servers';

export type Replicating = 'mariadb' | 'mysql';

interface Syntax {
  options: readonly string[];
  /** Follows another server from the first commit that this one lacks. */
  follow(host: string, port: string): readonly string[];
  replica: string;
  /** Stops following another server, and forgets it. */
  becomePrimary: readonly string[];
  commits: string;
  hasCommits: string;
}

/** With a replica, MySQL commits only when the replica has the commit. */
const SEMI_SYNCHRONOUS = [
  '--plugin-load-add=semisync_source.so;semisync_replica.so',
  '--loose-rpl-semi-sync-source-enabled=ON',
  '--loose-rpl-semi-sync-source-wait-no-replica=OFF',
  // A slow replica delays commits. MySQL never acknowledges a commit that the replica lacks.
  '--loose-rpl-semi-sync-source-timeout=600000',
  '--loose-rpl-semi-sync-replica-enabled=ON',
];

const SYNTAX: Record<Replicating, Syntax> = {
  mariadb: {
    options: ['--binlog-format=ROW', '--log-slave-updates'],
    follow: (host, port) => [
      `CHANGE MASTER TO MASTER_HOST='${host}', MASTER_PORT=${port}, MASTER_USER='root', MASTER_USE_GTID=slave_pos,
       MASTER_CONNECT_RETRY=1`,
      'START SLAVE',
    ],
    replica: 'SLAVE',
    becomePrimary: ['STOP SLAVE', 'RESET SLAVE ALL'],
    commits: '@@GLOBAL.gtid_binlog_pos',
    hasCommits: 'MASTER_GTID_WAIT(?, 600)',
  },
  mysql: {
    options: ['--gtid-mode=ON', '--enforce-gtid-consistency=ON', ...SEMI_SYNCHRONOUS],
    follow: (host, port) => [
      `CHANGE REPLICATION SOURCE TO SOURCE_HOST='${host}', SOURCE_PORT=${port}, SOURCE_USER='root',
       SOURCE_AUTO_POSITION=1, SOURCE_CONNECT_RETRY=1`,
      'START REPLICA',
    ],
    replica: 'REPLICA',
    becomePrimary: ['STOP REPLICA', 'RESET REPLICA ALL'],
    commits: '@@GLOBAL.gtid_executed',
    hasCommits: 'WAIT_FOR_EXECUTED_GTID_SET(?, 600)',
  },
};

/** A server that writes a binary log with GTIDs, so that others can follow it. */
export class ReplicatingServer {
  private constructor(
    readonly server: RunningServer,
    private readonly syntax: Syntax,
  ) {}

  /** @param id of the server, different for each server. */
  static async start(kind: Replicating, id: number): Promise<ReplicatingServer> {
    const recipe = recipes[kind];
    const syntax = SYNTAX[kind];
    const server = await startByRecipe(
      {
        ...recipe,
        arguments: async (...args) => [
          ...(await recipe.arguments(...args)).filter((option) => option !== '--skip-log-bin'),
          `--server-id=${id}`,
          '--log-bin=bin',
          '--relay-log=relay',
          ...syntax.options,
        ],
      },
      // Starts a separate server, because tests change and stop it.
      {
        env: { ...process.env, [recipe.variable]: '' },
        cacheFolder: resolve(__dirname, '../../../.servers'),
        // The tables of a killed server must agree with its binary log.
        data: 'durable',
      },
    );
    return new ReplicatingServer(server, syntax);
  }

  get url(): string {
    return this.server.url;
  }

  async follow(primary: ReplicatingServer): Promise<void> {
    const { hostname, port } = new URL(primary.url);
    await this.ask(...this.syntax.follow(hostname, port));
  }

  /** Stops or starts applying the commits of the primary. */
  async apply(word: 'STOP' | 'START'): Promise<void> {
    await this.ask(`${word} ${this.syntax.replica} SQL_THREAD`);
  }

  /** Waits until this server has every commit of the other one. */
  async waitForAllOf(other: ReplicatingServer): Promise<void> {
    const [position] = await other.ask(`SELECT ${other.syntax.commits} AS commits`);
    await this.ask({ sql: `SELECT ${this.syntax.hasCommits}`, values: [position!.commits] });
  }

  /** Makes this server refuse writes, even from a user with all rights. Only MySQL. */
  async refuseWrites(): Promise<void> {
    await this.ask('SET GLOBAL super_read_only = ON');
  }

  /** Waits until this server has applied everything that it received from a lost primary. Only MySQL. */
  async applyReceived(): Promise<void> {
    const [status] = await this.ask('STOP REPLICA IO_THREAD', 'SHOW REPLICA STATUS');
    await this.ask({ sql: `SELECT ${this.syntax.hasCommits}`, values: [status!.Retrieved_Gtid_Set] });
  }

  /** Whether each commit waits for a replica. Only MySQL. */
  async isSemiSynchronous(): Promise<boolean> {
    const [status] = await this.ask("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_source_status'");
    return status?.Value === 'ON';
  }

  /** Stops following another server, and accepts writes. */
  async becomePrimary(): Promise<void> {
    await this.ask(...this.syntax.becomePrimary, 'SET GLOBAL read_only = OFF');
  }

  /** Runs statements on one connection; returns the rows of the last. */
  async ask(...statements: (string | { sql: string; values: unknown[] })[]): Promise<RowDataPacket[]> {
    const connection = await createConnection(this.url);
    try {
      let rows: RowDataPacket[] = [];
      for (const statement of statements)
        [rows] = await (typeof statement === 'string'
          ? connection.query<RowDataPacket[]>(statement)
          : connection.query<RowDataPacket[]>(statement.sql, statement.values));
      return rows;
    } finally {
      connection.destroy();
    }
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
