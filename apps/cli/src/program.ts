import { Command, CommanderError } from 'commander';

/** The commands in the order of the help. Each is a file of `commands` whose export adds it to a program. */
const COMMANDS: Record<string, string> = {
  migrate: 'Brings the database up to date. The service does the same when it starts.',
  verify: 'Checks all stored data, and lists contradictions.',
  reindex: 'Builds the search index of a bank again.',
  organisation: 'Organisations, each with its own item bank.',
  consumer: 'Consumers: the programs that may call the API, with a key and a secret each.',
  user: 'People who sign in to the console, and their roles.',
  provision: 'Changes organisations and consumers to match a description, and prints the changes.',
  call: 'Makes a signed call and prints the answer.',
  operations: 'Lists the operations that clients can call.',
  history: 'Shows the revisions of a record, oldest first.',
  lint: 'Checks the scoring of questions for likely mistakes.',
  import: 'Imports a bank of another system, and lists what is lost.',
  pull: 'Copies a bank from another server of this API, and later what changed there.',
  export: 'Writes content of a bank as a package that other systems read.',
  jobs: 'Jobs: long tasks that operations start.',
  events: 'Events of sessions and their deliveries (docs/events.md).',
  learner: 'Erases or exports the data of a learner.',
};

/** Loads only the called command, because all of them together load the whole service. The general help loads none. */
function add(name: string, isCalled: boolean, program: Command): void {
  if (isCalled) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
    const command = require(`./commands/${name}`) as { add(program: Command): void };
    command.add(program);
  } else program.command(name);
  program.commands.at(-1)!.description(COMMANDS[name]!);
}

/** Runs a command to its end. Prints an error message on failure and sets `process.exitCode`. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const program = new Command('itembank')
    .description('Administers an Itembank installation and calls its API.')
    .showHelpAfterError('(--help lists the options)')
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
    const { message, exitCode = 1 } = error as { message: string; exitCode?: number };
    // Commander has already printed its own errors and the requested help. `help` of an unknown command has no error.
    if (!(error instanceof CommanderError)) process.stderr.write(`itembank: ${message}\n`);
    else if (error.code === 'commander.help' && exitCode === 1 && words.includes('help'))
      process.stderr.write(`\nitembank: unknown command '${words[words.indexOf('help') + 1]}'\n`);
    process.exitCode = exitCode;
  }
}
