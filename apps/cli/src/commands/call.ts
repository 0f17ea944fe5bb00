import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { callerOf } from '../caller';
import { printJson } from '../print';
import { callAllPages, signedCall } from '../signed-call';

interface Options {
  all?: true;
  key?: string;
  domain?: string;
  url?: string;
}

export function addCall(program: Command): void {
  program
    .command('call')
    .description('Makes a signed call and prints the answer.')
    .argument('<path>', 'path of the operation, as itembank/items')
    .argument('[action]', 'get, set or update (default: get)')
    .argument('[json]', 'the request, or - to read it from standard input (default: {})')
    .option('--all', 'follow the pages and print all records as one list')
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

Without --key, the call is signed with the key and secret in the variables ITEMBANK_KEY and
ITEMBANK_SECRET, or else with those that the first start stored in credentials.json of DATA_DIR.
HOST and PORT, where set, say where the service is. When the service refuses the call, its answer
goes to standard error and the exit code is 1.`,
    )
    .action(async (path: string, first: string | undefined, second: string | undefined, options: Options) => {
      const { action, request } = readArguments(first, second);
      if (options.all && action !== 'get') throw new Error(`--all reads pages: it goes with get, not with ${action}.`);
      const caller = await callerOf(options);
      const answer = options.all
        ? await callAllPages(caller, path, request)
        : await signedCall(caller, path, action, request);
      if (!answer.meta.status) {
        process.stderr.write(JSON.stringify({ meta: answer.meta }, null, 2) + '\n');
        process.exitCode = 1;
      } else printJson(options.all ? answer.data : { meta: answer.meta, data: answer.data });
    });
}

/** The action may be left out. */
function readArguments(first?: string, second?: string): { action: string; request: string } {
  const isJson = (text?: string) => text !== undefined && /^\s*[[{]|^-$/.test(text);
  if (isJson(first) && second !== undefined) throw new Error('The request comes last: itembank call PATH ACTION JSON.');
  const [action = 'get', json = '{}'] = isJson(first) ? [undefined, first] : [first, second];
  const request = json === '-' ? readFileSync(0, 'utf8').trim() : json;
  try {
    JSON.parse(request);
  } catch (error) {
    throw new Error(
      `The request is not valid JSON: ${(error as Error).message}. Put it in single quotes: '{"limit":2}'.`,
      {
        cause: error,
      },
    );
  }
  return { action, request };
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Write the address as http://127.0.0.1:8080.');
  return text;
}
