import { type Command } from 'commander';
import { allOperations } from '../../../api/src/operation/describe/all-operations';
import { printJson, printLine, printTable } from '../print';

export function addOperations(program: Command): void {
  program
    .command('operations')
    .description('Lists the operations of the API, and whether they are built.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank operations')
    .action(({ json }: { json?: true }) => {
      const operations = allOperations().map(({ path, action, when, built }) => ({
        path,
        action,
        when,
        state: built ? 'built' : 'not built yet',
        summary: built?.declaration.summary,
      }));
      if (json) {
        printJson(operations);
        return;
      }
      printTable(
        ['PATH', 'ACTION', 'STATE', 'SUMMARY'],
        operations.map(({ path, action, when, state, summary = '' }) => [
          path,
          action,
          state,
          when ? `with ${when}${summary && ': '}${summary}` : summary,
        ]),
      );
      const built = operations.filter(({ state }) => state === 'built').length;
      printLine(`${built} of ${operations.length} are built.`);
    });
}
