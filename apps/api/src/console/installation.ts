import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Consumers } from '#access';
import { Deliveries } from '#events';
import { Jobs } from '#jobs';
import { Clock } from '#kernel';
import { Config, Database, LocalFiles, readStorage, seldomRead } from '#platform';
import { Health } from '#runtime/modules';
import { version } from '../http/welcome-page';

const DAY_MS = 86_400_000;
/** Failed jobs are counted up to here. */
const MAX_FAILED = 100;

/** The state of the installation. Contains no stored content. */
export interface InstallationState {
  version: string;
  /** As `/health/ready` answers. */
  readiness: { status: string; dependencies: Record<string, { status: string; reason?: string }> };
  /** The process that answers. */
  process: {
    uptime_seconds: number;
    memory_bytes: number;
    /** The memory limit of the process; null: none is set. */
    memory_limit_bytes: number | null;
    node: string;
    database_connections: { max: number; in_use: number; waiting: number };
  };
  /** Null while it cannot be read, or reading takes long. */
  work: Work | null;
  storage: Stored | null;
}

interface Work {
  queue: 'redis' | 'process';
  jobs: {
    waiting: { lane: string; jobs: number; oldest_seconds: number }[];
    /** The number of halted jobs that were started within a day, counted up to 100. */
    failed: number;
  };
  events: {
    unnumbered: number;
    sinks: {
      type: string;
      sinks: number;
      failing: number;
      paused: number;
      behind: number;
      waiting: number;
      dead: number;
    }[];
  };
}

interface Stored {
  engine: string;
  bytes: number;
  tables: { name: string; rows: number; is_rough: boolean; bytes: number | null }[];
  files: 'folder' | 'bucket';
  /** The disk of the data folder; null when it cannot be read. */
  disk: { free_bytes: number; bytes: number } | null;
}

/** Reads the state of the installation. Caches slow reads, however many people look. */
@Injectable()
export class Installation {
  private readonly work = seldomRead(() => this.readWork());
  private readonly stored = seldomRead(() => this.readStored());

  constructor(
    private readonly health: Health,
    private readonly jobs: Jobs,
    private readonly deliveries: Deliveries,
    private readonly consumers: Consumers,
    private readonly database: Database,
    // Null when files are in a bucket.
    @Inject(LocalFiles) private readonly localFiles: LocalFiles | null,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async state(): Promise<InstallationState> {
    const [readiness, work, storage] = await Promise.all([
      this.health.readiness(),
      this.work().catch(() => null),
      this.stored().catch(() => null),
    ]);
    const { max, inUse, waiting } = this.database.connections;
    const limit = process.constrainedMemory();
    return {
      version,
      readiness: JSON.parse(readiness.body) as InstallationState['readiness'],
      process: {
        uptime_seconds: Math.round(process.uptime()),
        memory_bytes: process.memoryUsage.rss(),
        // Without a limit, the system gives 0 or more than any computer has.
        memory_limit_bytes: limit > 0 && limit < Number.MAX_SAFE_INTEGER ? limit : null,
        node: process.version,
        database_connections: { max, in_use: inUse, waiting },
      },
      work,
      storage,
    };
  }

  private async readWork(): Promise<Work> {
    const now = this.clock.now();
    const organisations = (await this.consumers.organisations()).map(({ id }) => id);
    const failed = { status: ['halted'] as const, from: now - DAY_MS, limit: MAX_FAILED };
    const [waiting, halted, { sinks, unnumbered }] = await Promise.all([
      this.jobs.waiting(),
      this.jobs.find(organisations, failed),
      this.deliveries.backlog(),
    ]);
    return {
      queue: this.config.queueUrl === undefined ? 'process' : 'redis',
      jobs: {
        waiting: [...waiting].map(([lane, { jobs, oldest }]) => ({
          lane,
          jobs,
          oldest_seconds: Math.max(Math.round((now - oldest) / 1000), 0),
        })),
        failed: halted.entries.length,
      },
      events: {
        unnumbered: unnumbered.events,
        sinks: sinks.map(({ type, sinks: number, failing, paused, behind, waiting: wait, dead }) => ({
          type,
          sinks: number,
          failing,
          paused,
          behind,
          waiting: wait,
          dead,
        })),
      },
    };
  }

  private async readStored(): Promise<Stored> {
    const { bytes, tables } = await readStorage(this.database);
    const disk = await statfs(this.config.dataDir).catch(() => null);
    return {
      engine: this.database.dialect.engine,
      bytes,
      tables: tables.map(({ isRough, ...table }) => ({ ...table, is_rough: isRough })),
      files: this.localFiles === null ? 'bucket' : 'folder',
      disk: disk && { free_bytes: disk.bavail * disk.bsize, bytes: disk.blocks * disk.bsize },
    };
  }
}
