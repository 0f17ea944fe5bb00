import { Command, CommanderError } from 'commander';

/** In the order of the help. Each is a file of `commands` that exports what adds it to a program. */
const COMMANDS =
  'migrate verify organisation consumer provision call operations history lint jobs events learner'.split(' ');

/** A command is loaded when it is called, or when all are told of: together they load all that the service knows. */
function add(name: string, program: Command): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is called
  const command = require(`./commands/${name}`) as { add(program: Command): void };
  command.add(program);
}

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
  const [called = ''] = args;
  for (const name of COMMANDS.includes(called) ? [called] : COMMANDS) add(name, program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has said what was wrong with the arguments, or printed the help that was asked for.
    if (!(error instanceof CommanderError)) process.stderr.write(`itembank: ${(error as Error).message}\n`);
    process.exitCode = (error as { exitCode?: number }).exitCode ?? 1;
  }
}
