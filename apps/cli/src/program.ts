import { Command, CommanderError } from 'commander';

/** In the order of the help. Each is a file of `commands` whose export adds it to a program. */
const COMMANDS: Record<string, string> = {
  migrate: 'Brings the database up to date. The service does the same when it starts.',
  verify: 'Goes through all that is stored, and tells what contradicts itself.',
  reindex: 'Reads all items of a bank again, so that searches find them by what they say.',
  organisation: 'Organisations, each with an item bank of its own.',
  consumer: 'Consumers: the programs that may call the API, with a key and a secret each.',
  user: 'People who sign in to the console, and what they may do there.',
  provision: 'Makes organisations and consumers equal to a description, and prints what it changed.',
  call: 'Makes a signed call and prints the answer.',
  operations: 'Lists the operations that clients can call.',
  history: 'Shows how a record came to be what it is: its revisions, oldest first.',
  lint: 'Looks for what is likely wrong with how questions are set up to be scored.',
  import: 'Reads a bank of another system, and tells what of it is lost.',
  export: 'Writes content of a bank as a package that other systems read.',
  jobs: 'Jobs: the long work that operations start.',
  events: 'Events: what happened to sessions, and how that was delivered (docs/events.md).',
  learner: 'Erases or exports what is held on a learner.',
};

/** Loads a command only when it is called, because all of them together load the whole service. The help needs none. */
function add(name: string, isCalled: boolean, program: Command): void {
  if (isCalled) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is called
    const command = require(`./commands/${name}`) as { add(program: Command): void };
    command.add(program);
  } else program.command(name);
  program.commands.at(-1)!.description(COMMANDS[name]!);
}

/** Runs a command to its end. Prints an error message on failure and sets `process.exitCode`. */
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
  const words = args.filter((word) => !word.startsWith('-'));
  const called = words[0] === 'help' ? words[1] : words[0];
  for (const name of Object.keys(COMMANDS)) add(name, name === called, program);
  // One line per command in the general help; the usual width in the help of a command.
  program.configureHelp({ helpWidth: 130 });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has already printed its own errors and the requested help.
    if (!(error instanceof CommanderError)) process.stderr.write(`itembank: ${(error as Error).message}\n`);
    process.exitCode = (error as { exitCode?: number }).exitCode ?? 1;
  }
}
