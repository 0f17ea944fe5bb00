/**
 * Runs comparative benches on MariaDB and MySQL. `npm run bench -- NAME` runs one of them:
 *
 * - `api`: the service and a floor
 * - `pools`: fills of item pools and a bare copy
 * - `sessions`: reads and submissions of sessions and a floor
 * - `delivery`: tests in pages and a floor
 * - `replica`: the processor time that a replica takes off the primary
 * - `imports`: imports of items, the bare writes, and the API
 * - `datasets`: time and memory of datasets
 * - `search`: searches and the bare query of the engine
 * - `growth`: rows, bytes and statements of an assumed installation
 * - `sizing`: processors, memory and connections for 100 requests a second
 * - `console`: waiting times in the list of the console
 * - `scoring`: scored responses per second; needs no server
 */
import { parseArgs } from 'node:util';
import { api } from './api';
import { consoleBank } from './console';
import { datasets } from './datasets';
import { delivery } from './delivery';
import { type Engine, ENGINES } from './databases';
import { growth } from './growth';
import { imports } from './imports';
import { pools } from './pools';
import { replica } from './replica';
import { scoring } from './scoring';
import { search } from './search';
import { sessions } from './sessions';
import { sizing } from './sizing';

const USAGE = `Usage: npm run bench -- <api|console|datasets|delivery|growth|imports|pools|replica|scoring|search|sessions|sizing> [options]
  --quick         use fewer items and short rounds, to check that the bench works
  --engine NAME   mariadb or mysql only, for search and console also sqlite; repeatable
  --items N       pools: the number of items (default: 100000)
  --sessions N    sessions: the number of stored sessions (default: 1000000)`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      engine: { type: 'string', multiple: true, default: [] },
      items: { type: 'string' },
      sessions: { type: 'string' },
    },
  });
  const { quick } = values;
  const [name] = positionals;
  const known: readonly string[] = name === 'console' || name === 'search' ? ['sqlite', ...ENGINES] : ENGINES;
  if (!values.engine.every((engine) => known.includes(engine))) throw new Error(USAGE);
  const isChosen = (engine: string) => values.engine.length === 0 || values.engine.includes(engine);
  const engines: readonly Engine[] = ENGINES.filter(isChosen);
  const withSqlite = isChosen('sqlite') ? (['sqlite', ...engines] as const) : engines;
  const benches: Record<string, () => Promise<void> | void> = {
    api: () => api({ engines, quick }),
    console: () => consoleBank({ engines: withSqlite, quick }),
    datasets: () => datasets({ engines, quick }),
    delivery: () => delivery({ engines, quick }),
    growth: () => growth({ engines, quick }),
    imports: () => imports({ engines, quick }),
    pools: () => pools({ engines, quick, items: Number(values.items) || undefined }),
    replica: () => replica({ engines, quick }),
    scoring: () => scoring({ quick }),
    search: () => search({ engines: withSqlite, quick }),
    sessions: () => sessions({ engines, quick, stored: Number(values.sessions) || undefined }),
    sizing: () => sizing({ engines, quick }),
  };
  const bench = Object.hasOwn(benches, name ?? '') ? benches[name!] : undefined;
  if (!bench) throw new Error(USAGE);
  await bench();
}

// Servers and programs that this process started end with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    console.error(`Stopped by ${signal}.`);
    process.exit(1);
  });

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message || error : error);
    process.exit(1);
  },
);
