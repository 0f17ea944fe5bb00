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

const USAGE = `Usage: npm run bench -- <api|console|growth|imports|pools|replica|scoring|sizing|sessions|datasets|delivery|search> [options]
  --quick         use fewer items and short rounds, to check that the bench works
  --engine NAME   mariadb or mysql only, for searches sqlite too; repeatable
  --minutes N     api: load the service for N minutes and watch its memory
  --items N       pools: the number of items (default: 100000)
  --sessions N    sessions: the number of stored sessions (default: 1000000)`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      engine: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '0' },
      items: { type: 'string' },
      sessions: { type: 'string' },
    },
  });
  const { quick } = values;
  const minutes = Number(values.minutes);
  const isChosen = (name: string) => values.engine.length === 0 || values.engine.includes(name);
  const engines: readonly Engine[] = ENGINES.filter(isChosen);
  const known: readonly string[] = ['console', 'search'].includes(positionals[0] ?? '')
    ? ['sqlite', ...ENGINES]
    : ENGINES;
  if (!values.engine.every((name) => known.includes(name)) || !(minutes >= 0 && minutes <= 60)) throw new Error(USAGE);
  if (positionals[0] === 'api') await api({ engines, quick, minutes });
  else if (positionals[0] === 'console')
    await consoleBank({ engines: (['sqlite', ...ENGINES] as const).filter(isChosen), quick });
  else if (positionals[0] === 'growth') await growth({ engines, quick });
  else if (positionals[0] === 'sizing') await sizing({ engines, quick });
  else if (positionals[0] === 'imports') await imports({ engines, quick });
  else if (positionals[0] === 'pools') await pools({ engines, quick, items: Number(values.items) || undefined });
  else if (positionals[0] === 'replica') await replica({ engines, quick });
  else if (positionals[0] === 'sessions')
    await sessions({ engines, quick, stored: Number(values.sessions) || undefined });
  else if (positionals[0] === 'datasets') await datasets({ engines, quick });
  else if (positionals[0] === 'delivery') await delivery({ engines, quick });
  else if (positionals[0] === 'search')
    await search({ engines: isChosen('sqlite') ? ['sqlite', ...engines] : engines, quick });
  else if (positionals[0] === 'scoring') scoring({ quick });
  else throw new Error(USAGE);
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
