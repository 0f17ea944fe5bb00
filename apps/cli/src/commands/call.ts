import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Command } from 'commander';
import { callerOf } from '../caller';
import { address } from '../options';
import { printJson, printLine } from '../print';
import { type Answer, callAllPages, type Caller, patientCall, signedCall } from '../signed-call';

interface Options {
  all?: true;
  lines?: true;
  key?: string;
  domain?: string;
  url?: string;
}

export function add(program: Command): void {
  program
    .command('call')
    .argument('<path>', 'path of the operation, such as itembank/items')
    .argument('[action]', 'get, set or update (default: get)')
    .argument('[json]', 'the request, or - to read it from standard input (default: {})')
    .option('--all', 'follow the pages and print all records as one list')
    .option('--lines', 'make a call for each line of standard input, and print a line for each answer')
    .option('--key <key>', 'sign as this consumer; its secret is read from the database')
    .option('--domain <host>', 'domain to sign with (default: one that the consumer has)')
    .option('--url <address>', 'address of the service (default: where it last started here)', address)
    .addHelpText(
      'after',
      `
Examples:
  itembank call itembank/items '{"limit":2}'
  itembank call itembank/items get '{"tags":[{"type":"Subject","name":"Science"}]}' --all
  itembank call itembank/questions set - < questions.json
  itembank call sessions set --lines < requests.jsonl

Without --key, the call is signed with the key and secret in the variables ITEMBANK_KEY and
ITEMBANK_SECRET, or else with those that the first start stored in credentials.json of DATA_DIR.
The settings HOST and PORT name the address of the service. When the service refuses the call, its
answer goes to standard error, and the exit code is 1. With --lines, the first refused call ends the
command. Earlier calls have had their effect.`,
    )
    .action(async (path: string, first: string | undefined, second: string | undefined, options: Options) => {
      if (options.lines) return callForLines(path, first, second, options);
      const { action, request } = readArguments(first, second);
      if (options.all && action !== 'get') throw new Error(`--all reads pages: it goes with get, not with ${action}.`);
      const caller = await callerOf(options);
      const answer = options.all
        ? await callAllPages(caller, path, request)
        : await signedCall(caller, path, action, request);
      if (!answer.meta.status) sayRefusal(answer);
      else printJson(options.all ? answer.data : { meta: answer.meta, data: answer.data });
    });
}

/** Makes one call after another, with each line of standard input as a request. */
async function callForLines(path: string, action = 'get', json: string | undefined, options: Options): Promise<void> {
  if (json !== undefined || options.all)
    throw new Error(
      '--lines reads the requests from standard input, one on each line; it goes neither with a request nor with --all.',
    );
  const caller: Caller = await callerOf(options);
  let number = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    number++;
    if (line.trim() === '') continue;
    checkJson(line, `Line ${number}`);
    const answer = await patientCall(caller, path, action, line);
    if (!answer.meta.status) {
      process.stderr.write(`itembank: line ${number} was refused\n`);
      return sayRefusal(answer);
    }
    printLine(JSON.stringify({ meta: answer.meta, data: answer.data }));
  }
}

function sayRefusal({ meta }: Answer): void {
  process.stderr.write(JSON.stringify({ meta }, null, 2) + '\n');
  process.exitCode = 1;
}

/** Reads the arguments. The action is optional. */
function readArguments(first?: string, second?: string): { action: string; request: string } {
  const isJson = (text?: string) => text !== undefined && /^\s*[[{]|^-$/.test(text);
  if (isJson(first) && second !== undefined) throw new Error('The request comes last: itembank call PATH ACTION JSON.');
  const [action = 'get', json = '{}'] = isJson(first) ? [undefined, first] : [first, second];
  const request = json === '-' ? readFileSync(0, 'utf8').trim() : json;
  checkJson(request, 'The request', ` Put it in single quotes: '{"limit":2}'.`);
  return { action, request };
}

function checkJson(text: string, what: string, hint = ''): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not valid JSON: ${(error as Error).message}.${hint}`, { cause: error });
  }
}
