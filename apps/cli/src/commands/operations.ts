import { type Command } from 'commander';
import { allOperations } from '../../../api/src/operation/describe/all-operations';
import { printJson, printLine, printTable } from '../print';

export function add(program: Command): void {
  program
    .command('operations')
    .description('Lists the operations of the API, and whether they are built.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank operations')
    .action(({ json }: { json?: true }) => {
      const operations = allOperations().map(({ path, action, when, beyond, built }) => ({
        path,
        action,
        when,
        beyond,
        state: built ? 'built' : 'not built yet',
        summary: built?.declaration.summary,
      }));
      if (json) {
        printJson(operations);
        return;
      }
      printTable(
        ['PATH', 'ACTION', 'STATE', 'SUMMARY'],
        operations.map(({ path, action, when, beyond, state, summary = '' }) => [
          path,
          action,
          beyond ? `${state}, beyond the specification` : state,
          when ? `with ${when}${summary && ': '}${summary}` : summary,
        ]),
      );
      const specified = operations.filter(({ beyond }) => !beyond);
      const built = specified.filter(({ state }) => state === 'built').length;
      printLine(
        `${built} of ${specified.length} are built, and ${operations.length - specified.length} beyond the specification.`,
      );
    });
}
