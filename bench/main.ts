/**
 * Runs comparative benches on MariaDB and MySQL: `npm run bench -- spike` (the data model, see docs/decisions/0003),
 * `api` (the service and a floor), `jobs` (jobs and a bare loop of BullMQ), `pools` (fills of item pools and a bare copy),
 * `sessions` (reads and submissions of sessions and a floor), `delivery` (tests in pages and a floor), `neighbours` (the
 * effect of a noisy consumer on another), `datasets` (time and memory of datasets), `search` (searches and the bare query of
 * the engine), `growth` (rows, bytes and statements of an assumed installation), `sizing` (processors, memory and connections for 100 requests a second),
 * `replica` (processor time that a replica takes off the primary), `console` (waiting times in the list of the console), `scoring` (scored responses per second; needs no server).
 */
import { parseArgs } from 'node:util';
import { api } from './api';
import { consoleBank } from './console';
import { datasets } from './datasets';
import { delivery } from './delivery';
import { type Engine, ENGINES } from './databases';
import { growth } from './growth';
import { imports } from './imports';
import { jobs } from './jobs';
import { neighbours } from './neighbours';
import { pools } from './pools';
import { replica } from './replica';
import { scoring } from './scoring';
import { search } from './search';
import { sessions } from './sessions';
import { sizing } from './sizing';
import { spike } from './spike';

const USE = `Usage: npm run bench -- <spike|api|console|growth|imports|jobs|pools|replica|scoring|sizing|sessions|datasets|delivery|neighbours|search> [options]
  --quick         fewer items or jobs and short rounds: to see that it works
  --engine NAME   mariadb or mysql only, for searches sqlite too; repeatable
  --minutes N     api: load the service for N minutes and watch its memory
  --sessions N    sessions: so many are stored (default: 1000000)
  --neighbour TEXT  neighbours: only those with this in their name
  --keep          use again what an earlier run left in a server named by TEST_MARIADB_URL or TEST_MYSQL_URL`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      engine: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '0' },
      sessions: { type: 'string' },
      neighbour: { type: 'string', default: '' },
    },
  });
  const { quick, keep } = values;
  const minutes = Number(values.minutes);
  const wanted = (name: string) => values.engine.length === 0 || values.engine.includes(name);
  const engines: readonly Engine[] = ENGINES.filter(wanted);
  const known: readonly string[] = ['console', 'search'].includes(positionals[0] ?? '')
    ? ['sqlite', ...ENGINES]
    : ENGINES;
  if (!values.engine.every((name) => known.includes(name)) || !(minutes >= 0 && minutes <= 60)) throw new Error(USE);
  if (positionals[0] === 'spike') await spike({ engines, quick, keep });
  else if (positionals[0] === 'api') await api({ engines, quick, keep, minutes });
  else if (positionals[0] === 'console')
    await consoleBank({ engines: (['sqlite', ...ENGINES] as const).filter(wanted), quick });
  else if (positionals[0] === 'growth') await growth({ engines, quick });
  else if (positionals[0] === 'sizing') await sizing({ engines, quick });
  else if (positionals[0] === 'imports') await imports({ engines, quick });
  else if (positionals[0] === 'jobs') await jobs({ engines, quick });
  else if (positionals[0] === 'pools') await pools({ engines, quick });
  else if (positionals[0] === 'replica') await replica({ engines, quick });
  else if (positionals[0] === 'sessions')
    await sessions({ engines, quick, stored: Number(values.sessions) || undefined });
  else if (positionals[0] === 'neighbours') await neighbours({ engines, quick, only: values.neighbour });
  else if (positionals[0] === 'datasets') await datasets({ engines, quick });
  else if (positionals[0] === 'delivery') await delivery({ engines, quick });
  else if (positionals[0] === 'search')
    await search({ engines: wanted('sqlite') ? ['sqlite', ...engines] : engines, quick });
  else if (positionals[0] === 'scoring') scoring({ quick });
  else throw new Error(USE);
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
