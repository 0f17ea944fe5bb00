import { type Command } from 'commander';
import operations from '../operations.json';
import { printJson, printLine, printTable } from '../print';

const all: readonly { path: string; action: string; when?: string; beyond?: boolean; summary: string }[] = operations;

export function add(program: Command): void {
  program
    .command('operations')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank operations')
    .action(({ json }: { json?: true }) => {
      if (json) {
        printJson(all);
        return;
      }
      printTable(
        ['PATH', 'ACTION', 'BEYOND THE SPECIFICATION', 'SUMMARY'],
        all.map(({ path, action, when, beyond, summary }) => [
          path,
          action,
          beyond ? 'yes' : '',
          when ? `with ${when}: ${summary}` : summary,
        ]),
      );
      const beyond = all.filter((operation) => operation.beyond).length;
      printLine(`${all.length - beyond} are of the specification, and ${beyond} are beyond it.`);
    });
}
