import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The consumer that the first start creates. It is stored in the data folder, and the command line signs with it. */
export interface Credentials {
  key: string;
  secret: string;
  /** Its primary organisation. */
  organisation: number;
  domain: string;
  /** The address at which the service answered when it last started here. */
  url?: string;
  /** The first start did not finish; the next start repeats it. */
  unfinished?: true;
}

export function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}

/** @throws Error for a file with other content. */
export function readCredentials(dataDir: string): Credentials | undefined {
  const path = credentialsPath(dataDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const credentials = parsed(text);
  if (typeof credentials?.key !== 'string' || typeof credentials.secret !== 'string')
    throw new Error(`${path} does not hold credentials ({"key": …, "secret": …}); correct it, or move it away.`);
  return {
    ...credentials,
    organisation: credentials.organisation ?? 1,
    domain: credentials.domain ?? 'localhost',
  } as Credentials;
}

function parsed(text: string): Partial<Credentials> | undefined {
  try {
    return JSON.parse(text) as Partial<Credentials>;
  } catch {
    return undefined;
  }
}

/** Stores the credentials atomically, readable only by the user. */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  mkdirSync(dataDir, { recursive: true });
  const path = credentialsPath(dataDir);
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, JSON.stringify(credentials, null, 2) + '\n', { mode: 0o600 });
  renameSync(fresh, path);
}
