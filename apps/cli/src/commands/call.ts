import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { settings } from '#platform';
import { type Credentials, credentialsPath, readCredentials } from '../../../api/src/credentials';
import { printJson } from '../print';
import { withConsumers } from '../services';
import { type Answer, type Caller, signedCall } from '../signed-call';

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
        ? await callAll(caller, path, request)
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

async function callerOf({ key, domain, url }: Options): Promise<Caller> {
  const { ITEMBANK_KEY, ITEMBANK_SECRET } = process.env;
  const dataDir = resolve(process.env.DATA_DIR || (settings.properties.DATA_DIR.default as string));
  const stored = readCredentials(dataDir);
  const whereTo = url ?? addressOf(stored);
  if (key !== undefined) {
    const found = await withConsumers(async (consumers) => ({
      secret: await consumers.secretOf(key),
      domains: (await consumers.find(key)).domains,
    }));
    return { url: whereTo, key, secret: found.secret, domain: domain ?? domainOf(found.domains) };
  }
  if (ITEMBANK_KEY || ITEMBANK_SECRET) {
    if (!ITEMBANK_KEY || !ITEMBANK_SECRET) throw new Error('Set both ITEMBANK_KEY and ITEMBANK_SECRET, or neither.');
    return { url: whereTo, key: ITEMBANK_KEY, secret: ITEMBANK_SECRET, domain: domain ?? 'localhost' };
  }
  if (!stored)
    throw new Error(
      `There are no credentials in ${credentialsPath(dataDir)}. Start the service once, name a consumer with --key, or set ITEMBANK_KEY and ITEMBANK_SECRET.`,
    );
  return { url: whereTo, key: stored.key, secret: stored.secret, domain: domain ?? stored.domain };
}

/** A domain that a list of domains allows. */
function domainOf(domains: readonly string[]): string {
  const host = domains.find((domain) => !domain.includes('*')) ?? domains.find((domain) => domain !== '*');
  return host?.replace('*', 'www') ?? 'localhost';
}

function addressOf(stored: Credentials | undefined): string {
  const { HOST, PORT } = process.env;
  const port = PORT === '0' ? undefined : PORT;
  if (!HOST && !port && stored?.url) return stored.url;
  const host = HOST || (settings.properties.HOST.default as string);
  return `http://${host.includes(':') ? `[${host}]` : host}:${port || settings.properties.PORT.default}`;
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Write the address as http://127.0.0.1:8080.');
  return text;
}

/** How often in a row a page is asked for again that came too soon after the others. */
const MOST_WAITS = 10;

/** The answers of all pages as one: lists one after the other, under each key where the answers are keyed. */
async function callAll(caller: Caller, path: string, request: string): Promise<Answer> {
  const asked = JSON.parse(request) as Record<string, unknown>;
  const first = Array.isArray(asked) ? {} : asked;
  let all: unknown;
  let waits = 0;
  for (let next: unknown = first.next; ;) {
    const page = await signedCall(
      caller,
      path,
      'get',
      next === undefined ? request : JSON.stringify({ ...first, next }),
    );
    if (page.retryAfter !== undefined && ++waits < MOST_WAITS) {
      await sleep(page.retryAfter * 1000);
      continue;
    }
    waits = 0;
    if (!page.meta.status) return page;
    all = joined(all, page.data);
    next = page.meta.next;
    // Reads that can be polled hand out a token with an empty page as well.
    if (next === undefined || isEmpty(page.data)) return { meta: page.meta, data: all };
  }
}

function joined(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) return [...(before as unknown[]), ...(after as unknown[])];
  if (!isObject(before) || !isObject(after)) return after;
  const all = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(after)) all.set(key, joined(all.get(key), value));
  return Object.fromEntries(all);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(data: unknown): boolean {
  return Array.isArray(data) ? data.length === 0 : !isObject(data) || Object.keys(data).length === 0;
}
