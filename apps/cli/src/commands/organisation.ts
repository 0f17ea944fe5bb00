import { type Command } from 'commander';
import { name, organisationId } from '../options';
import { printJson, printLine, printTable } from '../print';
import { withConsumers } from '../services';

export function add(program: Command): void {
  const organisation = program.command('organisation');

  organisation
    .command('create')
    .description('Creates an organisation with an empty item bank.')
    .argument('<id>', 'number of the organisation, as callers give it in organisation_id', organisationId)
    .argument('<name>', 'name, for people', name)
    .option('--json', 'print JSON')
    .addHelpText('after', "\nExample:\n  itembank organisation create 1 'Example Press'")
    .action(async (id: number, name: string, { json }: { json?: true }) => {
      await withConsumers((consumers) => consumers.addOrganisation({ id, name }));
      if (json) printJson({ id, name });
      else
        printLine(`Organisation ${id} is created. Its first consumer: itembank consumer create --organisation ${id}`);
    });

  organisation
    .command('list')
    .description('Lists all organisations.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank organisation list --json')
    .action(async ({ json }: { json?: true }) => {
      const organisations = await withConsumers((consumers) => consumers.organisations());
      if (json) printJson(organisations);
      else
        printTable(
          ['ID', 'NAME'],
          organisations.map(({ id, name }) => [String(id), name]),
        );
    });
}
