import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { Consumers, newConsumerKey, newConsumerSecret } from '#access';
import { Clock, Fault, type Scope } from '#kernel';
import { People, SignIns } from '#people';
import { type Config } from '#platform';
import { type Credentials, credentialsPath, readCredentials, writeCredentials } from '#runtime';
import { linkPath } from './console/people.controller';
import { Registry } from './declaration/registry';
import { commandLine, firstCall } from './quick-start';

const ORGANISATION = { id: 1, name: 'Demo organisation' };

/** The first account of the console. Its owner sets a password in the console. */
const OPERATOR = { email: 'operator@localhost', firstname: 'First', lastname: 'Operator' };

/** The content of the demo bank in the order of writing: items name widgets, and activities name items. */
const DEMO = [
  { path: 'itembank/tagging/tags', member: 'tags' },
  { path: 'itembank/questions', member: 'questions' },
  { path: 'itembank/features', member: 'features' },
  { path: 'itembank/items', member: 'items' },
  { path: 'itembank/activities', member: 'activities' },
] as const;

/** The largest number of entries of one set. */
const BATCH = 50;

/**
 * Creates an organisation, a consumer, an operator's account and a demo bank when the database is embedded and has no
 * organisation yet. Stores the credentials first, marked as unfinished until everything is done. If a start was cut
 * off, the next one repeats it with the same consumer.
 *
 * @returns whether it created anything.
 */
export async function firstStart(app: INestApplicationContext, config: Config): Promise<boolean> {
  if (!config.embedded) return false;
  const consumers = app.get(Consumers, { strict: false });
  const stored = readCredentials(config.dataDir);
  if (!stored?.unfinished && (await consumers.organisations()).length > 0) return false;
  const credentials: Credentials = {
    key: stored?.key ?? newConsumerKey(),
    secret: stored?.secret ?? newConsumerSecret(),
    organisation: ORGANISATION.id,
    domain: 'localhost',
  };
  writeCredentials(config.dataDir, { ...credentials, unfinished: true });
  await unlessThere(consumers.addOrganisation(ORGANISATION));
  await unlessThere(
    consumers.create({
      key: credentials.key,
      secret: credentials.secret,
      label: 'quick start',
      // People may open the pages of /try by either name.
      domains: [credentials.domain, '127.0.0.1'],
      features: ['offlinepackage'],
      rateLimits: {},
      legacySignatures: false,
      grants: [{ organisation: ORGANISATION.id, access: 'write', primary: true }],
    }),
  );
  const roles = new Map([[ORGANISATION.id, ['operator' as const]]]);
  await unlessThere(app.get(People, { strict: false }).create({ ...OPERATOR, roles }));
  await loadDemo(app);
  writeCredentials(config.dataDir, credentials);
  return true;
}

async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (!(error instanceof Fault && error.kind === 'duplicate')) throw error;
  }
}

/** Writes the demo bank as a client would. A second call changes nothing. */
async function loadDemo(app: INestApplicationContext): Promise<void> {
  const registry = app.get(Registry);
  const clock = app.get(Clock, { strict: false });
  const bank = JSON.parse(readFileSync(join(__dirname, '../demo/bank.json'), 'utf8')) as Record<string, object[]>;
  for (const { path, member } of DEMO) {
    const { handler, check } = registry.find(path, 'set')!;
    const entries = bank[member]!;
    for (let from = 0; from < entries.length; from += BATCH) {
      const scope: Scope = {
        shelf: { organisation: ORGANISATION.id },
        author: { id: 'demo', firstname: 'Demo', lastname: 'Bank' },
        operation: `set ${path}`,
        now: clock.now(),
        readable: new Set([ORGANISATION.id]),
      };
      await handler.execute(check.read({ [member]: entries.slice(from, from + BATCH) }, 0), scope);
    }
  }
}

/** The lines that a start prints for people. Stores the address beside the credentials, for the command line. */
export async function greeting(
  app: INestApplicationContext,
  config: Config,
  baseUrl: string,
  made: boolean,
): Promise<string> {
  const lines = [`Itembank answers at ${baseUrl}`];
  const credentials = config.embedded ? readCredentials(config.dataDir) : undefined;
  const anyOrganisation = (await app.get(Consumers, { strict: false }).organisations()).length > 0;
  if (credentials) {
    const url = reachable(baseUrl);
    if (credentials.url !== url) writeCredentials(config.dataDir, { ...credentials, url });
    if (made)
      lines.push(
        'This first start made organisation 1 with a demo bank, and a consumer that may write to it.',
        'Open the console. This link signs you in as its operator; it works once, within 30 minutes:',
        '',
        `  ${url}${await signInLink(app)}`,
        '',
      );
    else
      lines.push(
        `The console is at ${url}/console/. A link that signs you in: ${commandLine(config)} user link ${OPERATOR.email}`,
      );
    lines.push(
      `Credentials are kept in ${credentialsPath(config.dataDir)}`,
      'A first call, from another terminal in this folder:',
      '',
      `  ${firstCall(config)}`,
      '',
    );
  } else if (anyOrganisation) {
    if (config.embedded)
      lines.push(
        `There are no credentials in ${credentialsPath(config.dataDir)}; this makes a consumer and prints its key and secret:`,
        '',
        `  ${commandLine(config)} consumer create --organisation 1`,
        '',
      );
  } else {
    lines.push(
      'There is no organisation yet. These two commands make one, and a consumer that may write to it:',
      '',
      `  ${commandLine(config)} organisation create 1 'My organisation'`,
      `  ${commandLine(config)} consumer create --organisation 1`,
      '',
    );
  }
  return lines.join('\n') + '\n';
}

async function signInLink(app: INestApplicationContext): Promise<string> {
  const person = await app.get(People, { strict: false }).findByEmail(OPERATOR.email);
  const { secret } = await app.get(SignIns, { strict: false }).newLink(person.id, 'sign-in');
  return linkPath(secret);
}

/** Replaces an address that means all interfaces with the local one. */
function reachable(baseUrl: string): string {
  return baseUrl.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}
