import { type INestApplicationContext, type Type } from '@nestjs/common';
import { type Command } from 'commander';
import { Database, migrate, type MigrationState, migrationStates } from '#platform';
import { iso, printJson, printLine, printTable } from '../print';
import { withServices } from '../services';

interface Options {
  status?: true;
  json?: true;
}

/** Exit codes of `--status`, for a database with another schema than this version's. */
const EXIT: Record<MigrationState['state'], number> = { applied: 0, pending: 3, unknown: 4 };

export function add(program: Command): void {
  program
    .command('migrate')
    .option('--status', 'change nothing, and list the migrations of the database')
    .option('--json', 'with --status: print JSON')
    .addHelpText(
      'after',
      `
Of several that migrate at once one does, and the others wait for it.
--status lists what was applied, with the time where it was noted, and what is pending. Exits with ${EXIT.applied} when
the database is that of this version, with ${EXIT.pending} when migrations are pending, with ${EXIT.unknown} when it has some that this
version does not know: those of a newer one.

Examples:
  itembank migrate
  itembank migrate --status`,
    )
    .action(({ status, json }: Options) => (status ? show(json === true) : run()));
}

async function run(): Promise<void> {
  const waiting = () => process.stderr.write('Another process is migrating the database; waiting for it.\n');
  const ran = await withServices((services) => migrate(services.get(Database), waiting), {
    ...ALONE,
    mayCreate: true,
    waits: true,
  });
  for (const step of ran) printLine(`Ran ${step}.`);
  printLine('The database is up to date.');
}

async function show(json: boolean): Promise<void> {
  const of = (services: INestApplicationContext) => migrationStates(services.get(Database));
  const states = await withServices(of, ALONE);
  if (json)
    printJson(
      states.map(({ name, state, appliedAt }) => ({
        name,
        state,
        applied_at: appliedAt === null ? null : iso(appliedAt),
      })),
    );
  else
    printTable(
      ['MIGRATION', 'STATE', 'APPLIED AT'],
      states.map(({ name, state, appliedAt }) => [name, state, appliedAt === null ? '-' : iso(appliedAt)]),
    );
  process.exitCode = Math.max(...states.map(({ state }) => EXIT[state]));
}

/** Accepts any schema, because this command inspects it. */
const ALONE = { anySchema: true, contexts: (): Type[] => [] };
