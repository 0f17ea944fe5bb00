import { type Command } from 'commander';
import { SearchFilling } from '#content';
import { organisationId } from '../options';
import { printLine } from '../print';
import { requireOrganisation, withServices } from '../services';

interface Options {
  organisation: number;
}

export function add(program: Command): void {
  program
    .command('reindex')
    .option('--organisation <id>', 'organisation of the item bank', organisationId, 1)
    .addHelpText(
      'after',
      `
Writes keep the search index up to date. Call this when verify finds that it is not. Also call it after
an upgrade from a version without search, if processes of that version wrote during the upgrade.
It reads a few items at a time, and may run while the service works. After an interruption, call it
again. Until an item is indexed again, searches find it as before.

Example:
  itembank reindex --organisation 2`,
    )
    .action(reindex);
}

async function reindex({ organisation }: Options): Promise<void> {
  let items = 0;
  await withServices(async (services) => {
    await requireOrganisation(services, organisation);
    await services.get(SearchFilling, { strict: false }).reindex(organisation, (more) => {
      items += more;
    });
  });
  printLine(items === 1 ? 'Indexed 1 item.' : `Indexed ${items} items.`);
}
