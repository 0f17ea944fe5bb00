import { SystemClock } from '#kernel';
import { Client } from './client';
import { emptyQueue, type Engine, type QueueEngine } from './engines';
import { ServiceProcess, type Settings } from './processes';
import { startService, type TestService } from './service';

/** The API and, with a queue, a worker, as processes with separate output. */
export interface Programs {
  api: ServiceProcess;
  /** Absent: the API runs the jobs. */
  worker: ServiceProcess | undefined;
  /** Calls the API, as a consumer with write access to organisation 1. */
  client: Client;
  /** The same database in this process. It takes no jobs of the API. */
  behind: TestService;
  /** Stops both as an operator does. A second call waits for the same stop. */
  end(): Promise<void>;
}

/** @param settings of both; `own` overrides them per program. */
export async function startPrograms(
  engine: Engine,
  queueEngine: QueueEngine,
  folder: string,
  settings: Settings,
  own: { api?: Settings; worker?: Settings } = {},
): Promise<Programs> {
  const { url } = emptyQueue(queueEngine);
  const queue: Settings = url === undefined ? {} : { QUEUE_URL: url };
  // Its clock stands still in the past, so it sees no job of the processes as due.
  const behind = await startService(engine, queue);
  const place = { ...behind.settings, DATA_DIR: folder, ...settings };
  const [api, worker] = await Promise.all([
    ServiceProcess.listening({ settings: { ...place, ...own.api } }),
    url === undefined ? undefined : ServiceProcess.working({ settings: { ...place, ...own.worker } }),
  ]);
  let ended: Promise<void> | undefined;
  const end = async () => {
    await Promise.all([api.end('SIGTERM'), worker?.end('SIGTERM')]);
    await behind.close();
  };
  const { key, secret } = behind.client;
  const client = new Client(api.url, key, secret, new SystemClock());
  return { api, worker, client, behind, end: () => (ended ??= end()) };
}
