import { Command, CommanderError } from 'commander';
import { addCall } from './commands/call';
import { addConsumer } from './commands/consumer';
import { addEvents } from './commands/events';
import { addHistory } from './commands/history';
import { addJobs } from './commands/jobs';
import { addLint } from './commands/lint';
import { addMigrate } from './commands/migrate';
import { addOperations } from './commands/operations';
import { addOrganisation } from './commands/organisation';
import { addProvision } from './commands/provision';

const COMMANDS = [
  addMigrate,
  addOrganisation,
  addConsumer,
  addProvision,
  addCall,
  addOperations,
  addHistory,
  addLint,
  addJobs,
  addEvents,
];

/** Runs a command of the command line to its end; what there is to say of a failure is said, and `process.exitCode` set. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const program = new Command('itembank')
    .description('Administers an Itembank installation and calls its API.')
    .showHelpAfterError('(--help shows what is possible)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'itembank: ')) })
    .addHelpText(
      'after',
      `
In the source folder, write npm run -s itembank -- for itembank:
  npm run -s itembank -- operations

The database, the queue, the data folder and the address are those of the service: the same
settings (DATABASE_URL, QUEUE_URL, SECRETS_KEY, DATA_DIR, HOST, PORT) hold, and all commands
work while it runs.
Each command explains itself: itembank consumer create --help`,
    );
  for (const add of COMMANDS) add(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has said what was wrong with the arguments, or printed the help that was asked for.
    if (!(error instanceof CommanderError)) process.stderr.write(`itembank: ${(error as Error).message}\n`);
    process.exitCode = (error as { exitCode?: number }).exitCode ?? 1;
  }
}
