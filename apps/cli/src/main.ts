#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { addCall } from './commands/call';
import { addConsumer } from './commands/consumer';
import { addHistory } from './commands/history';
import { addJobs } from './commands/jobs';
import { addMigrate } from './commands/migrate';
import { addOperations } from './commands/operations';
import { addOrganisation } from './commands/organisation';
import { addProvision } from './commands/provision';

const program = new Command('itembank')
  .description('Administers an Itembank installation and calls its API.')
  .showHelpAfterError('(--help shows what is possible)')
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

for (const add of [addMigrate, addOrganisation, addConsumer, addProvision, addCall, addOperations, addHistory, addJobs])
  add(program);

// Whoever reads the output may stop early: `itembank … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`itembank: ${error.message}\n`);
  process.exitCode = 1;
});
