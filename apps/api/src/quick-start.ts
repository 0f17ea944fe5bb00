import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, settings } from '#platform';
import { credentialsPath } from '#runtime/credentials';

/** The instructions for trying the service on its own machine. */
interface QuickStart {
  /** Path of the file. */
  credentials: string;
  /** A first call, for a shell in the source folder. */
  command: string;
}

const LOOPBACK = /^(localhost|127\..*|::1)$/;

/** Absent where others can reach the service, or with a database server, so that they learn no path of this machine. */
export function quickStartOf(config: Config): QuickStart | undefined {
  const credentials = credentialsPath(config.dataDir);
  if (!config.embedded || !LOOPBACK.test(config.host) || !existsSync(credentials)) return undefined;
  return { credentials, command: firstCall(config) };
}

export const firstCall = (config: Config): string => `${commandLine(config)} call itembank/items '{"limit":2}'`;

/** The command line with the settings to find the same data folder. */
export function commandLine({ dataDir }: Config): string {
  const usual = dataDir === resolve(settings.properties.DATA_DIR.default as string);
  return `${usual ? '' : `DATA_DIR=${quoted(dataDir)} `}npm run -s itembank --`;
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
