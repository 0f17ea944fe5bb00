import { type Command } from 'commander';
import { Database, migrate } from '#platform';
import { printLine } from '../print';
import { withServices } from '../services';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Brings the database up to date. The service does the same when it starts.')
    .addHelpText('after', '\nExample:\n  itembank migrate')
    .action(async () => {
      const ran = await withServices((services) => migrate(services.get(Database)), { mayCreate: true });
      for (const step of ran) printLine(`Ran ${step}.`);
      printLine('The database is up to date.');
    });
}
