import { type Command } from 'commander';
import { Consumers } from '#access';
import { SearchFilling } from '#content';
import { organisationId } from '../options';
import { printLine } from '../print';
import { withServices } from '../services';

interface Options {
  organisation: number;
}

export function add(program: Command): void {
  program
    .command('reindex')
    .option('--organisation <id>', 'organisation whose item bank it is', organisationId, 1)
    .addHelpText(
      'after',
      `
Writes keep the index of searches up to date. Call this when verify has found that it is not, and after an upgrade from a
version without search in which processes of that version went on to write for a while.
It reads a few items at a time, may be run while the service works, and may be called again when it was stopped.
Searches find items as before until they are indexed anew.

Example:
  itembank reindex --organisation 2`,
    )
    .action(reindex);
}

async function reindex({ organisation }: Options): Promise<void> {
  let items = 0;
  await withServices(async (services) => {
    const known = await services.get(Consumers, { strict: false }).organisations();
    if (!known.some(({ id }) => id === organisation)) throw new Error(`There is no organisation ${organisation}.`);
    await services.get(SearchFilling, { strict: false }).reindex(organisation, (more) => {
      items += more;
    });
  });
  printLine(items === 1 ? 'Indexed 1 item.' : `Indexed ${items} items.`);
}
