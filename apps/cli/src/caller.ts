import { resolve } from 'node:path';
import { settings } from '#platform/settings';
import { type Credentials, credentialsPath, readCredentials } from '#runtime/credentials';
import { type withConsumers as WithConsumers } from './services';
import { type Caller } from './signed-call';

/** The options of a call: consumer, domain and address. */
interface Wanted {
  key?: string;
  domain?: string;
  url?: string;
}

/**
 * The consumer that signs: the one named by options, or else the environment, or else the stored one of the quick
 * start.
 * @throws Error when there is none.
 */
export async function callerOf({ key, domain, url }: Wanted): Promise<Caller> {
  const { ITEMBANK_KEY, ITEMBANK_SECRET } = process.env;
  const dataDir = dataFolder();
  const stored = readCredentials(dataDir);
  const whereTo = url ?? addressOf(stored);
  if (key !== undefined) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
    const { withConsumers } = require('./services') as { withConsumers: typeof WithConsumers };
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

/**
 * The settings HOST and PORT of the embedded service, as its quick start stored them. Empty if the environment has them or
 * none are stored. Addresses of files begin with them, so commands that write or read files need the same ones.
 */
export function listeningSettings(): Record<string, string> {
  const { HOST, PORT, DATABASE_URL } = process.env;
  if (HOST || (PORT && PORT !== '0') || (DATABASE_URL && !DATABASE_URL.startsWith('file:'))) return {};
  const url = readCredentials(dataFolder())?.url;
  if (url === undefined) return {};
  const { hostname, port } = new URL(url);
  return { HOST: hostname.replace(/^\[|\]$/g, ''), PORT: port || '80' };
}

const dataFolder = (): string => resolve(process.env.DATA_DIR || (settings.properties.DATA_DIR.default as string));

/** A domain that the list allows. */
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
