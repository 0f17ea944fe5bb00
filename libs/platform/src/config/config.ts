import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import ipaddr from 'ipaddr.js';
import { withoutEnd } from '#kernel';
import { makeFolder } from '../files/make-folder';
import { settings, type Settings } from './settings';

function tracingOf(values: Settings): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = values;
  const url = traces ?? (collector && `${withoutEnd(collector, '/')}/v1/traces`);
  if (url === undefined || values.OTEL_SDK_DISABLED) return undefined;
  return {
    url,
    serviceName: values.OTEL_SERVICE_NAME,
    sampler: values.OTEL_TRACES_SAMPLER,
    samplerArgument: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function openIdOf(values: Settings): Config['openId'] {
  const { OPENID_ISSUER: issuer, OPENID_CLIENT_ID: clientId, OPENID_CLIENT_SECRET: clientSecret, PUBLIC_URL } = values;
  const rules = values.OPENID_RULES;
  if (issuer === undefined) {
    if (clientId === undefined && clientSecret === undefined && rules === '[]') return undefined;
    throw new Error('OPENID_CLIENT_ID, OPENID_CLIENT_SECRET and OPENID_RULES need OPENID_ISSUER beside them.');
  }
  if (clientId === undefined || clientSecret === undefined || PUBLIC_URL === undefined)
    throw new Error('OPENID_ISSUER needs PUBLIC_URL, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET beside it.');
  return { issuer, clientId, clientSecret, rules };
}

/** Says what is wrong with a setting and what would be right. Does not repeat values that may hold a password. */
function complaint(name: keyof Settings, value: string): string {
  const schema: TSchema = settings.properties[name];
  const given =
    name.endsWith('_URL') || name.endsWith('_KEY') || name.endsWith('_SECRET')
      ? ''
      : `: it is ${JSON.stringify(value)}`;
  const allowed = allowedBy(schema);
  return `${name} is not valid${given}. ${allowed ? `It must be ${allowed}.` : schema.description}`;
}

/** Whether the library would read only the beginning of a number: 1 of `1.5` and of `1e3`. */
function isCutOff(name: string, value: string): boolean {
  const schema: TSchema = settings.properties[name as keyof Settings];
  return schema.type === 'integer' && !/^[-+]?\d+$/.test(value.trim());
}

const SERVERS = ['DATABASE_URL', 'DATABASE_READ_URL', 'QUEUE_URL', 'STREAMS_URL'];
const NO_ADDRESS =
  'is not an address: in its user and password, write / as %2F, # as %23, ? as %3F and % as %25; its port is a number, and so is the database of Redis after it.';

const NO_PARAMETERS =
  'takes no parameters after ?; the connection to a database server has no TLS, so keep it in a private network.';

/** Whether every driver reads the same user, password and server in the address. */
function isAddress(url: string | undefined): boolean {
  if (url === undefined || url.startsWith('file:')) return true;
  try {
    const { protocol, username, password, pathname } = new URL(url);
    decodeURIComponent(`${username}${password}`);
    return !protocol.startsWith('redis') || /^\/?\d*$/.test(pathname);
  } catch {
    return false;
  }
}

/** Whether the address of Redis has a parameter that nothing would use. */
function hasUnknownParameter(url: string | undefined): boolean {
  return url?.startsWith('redis') === true && [...new URL(url).searchParams.keys()].some((name) => name !== 'prefix');
}

/** The allowed values; undefined when only the description tells them. */
function allowedBy({ type, anyOf, minimum, maximum }: TSchema): string | undefined {
  if (anyOf) return `one of ${(anyOf as { const: string }[]).map((member) => member.const).join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type !== 'integer' && type !== 'number') return undefined;
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  return maximum === undefined ? `${kind} of at least ${minimum}` : `${kind} from ${minimum} to ${maximum}`;
}

/** The settings, complete and validated. */
export class Config {
  readonly host: string;
  readonly port: number;
  /** The address at which browsers reach the service, without a slash at the end, if an operator set it. */
  readonly publicUrl: string | undefined;
  /** Absent: nobody signs in through OpenID Connect. `rules`: a JSON text. */
  readonly openId: { issuer: string; clientId: string; clientSecret: string; rules: string } | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Absent: long reads go to the database too. */
  readonly databaseReadUrl: string | undefined;
  /** Absent: jobs run in the API process. */
  readonly queueUrl: string | undefined;
  readonly jobConcurrency: number;
  readonly jobRetentionDays: number;
  readonly eventRetentionDays: number;
  readonly eventRetryHours: number;
  /** Host names, addresses and address ranges. */
  readonly webhookAllowedHosts: readonly string[];
  /** Whether webhooks may use `http:`. */
  readonly webhookPlainHttp: boolean;
  /** Absent: events are not sent to streams. */
  readonly streamsUrl: string | undefined;
  readonly itemUpdateLimit: number;
  readonly databaseConnections: number;
  readonly startWaitMs: number;
  readonly shutdownDelayMs: number;
  /** 32 bytes. */
  readonly secretsKey: Buffer;
  /** Whether people can sign in to the console. */
  readonly console: boolean;
  readonly maxBodyBytes: number;
  readonly assetsUrl: string;
  /** Base of public asset addresses, `https://host/path`, if an operator set one. */
  readonly assetsPublicUrl?: string;
  readonly maxAssetBytes: number;
  /** The port on which the service listens. When `port` is 0, it is known only after the service listens. */
  listeningPort: number;
  /** Addresses and address ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly signatureMaxAgeMs: number;
  readonly signatureMaxAheadMs: number;
  readonly logLevel: string;
  readonly operationsHost: string;
  /** Absent: there is no operations port. */
  readonly operationsPort: number | undefined;
  /** Absent: tracing is off. `url` is the address of the collector. */
  readonly tracing: { url: string; serviceName: string; sampler: string; samplerArgument: number } | undefined;

  private constructor(values: Settings) {
    this.host = values.HOST;
    this.port = values.PORT;
    this.trustedProxies = proxiesIn(values.TRUSTED_PROXIES ?? '');
    this.publicUrl = values.PUBLIC_URL && withoutEnd(values.PUBLIC_URL, '/');
    this.openId = openIdOf(values);
    this.dataDir = resolve(values.DATA_DIR);
    this.databaseUrl = values.DATABASE_URL ?? `file:${join(this.dataDir, 'itembank.sqlite')}`;
    this.databaseReadUrl = values.DATABASE_READ_URL;
    if (this.embedded && this.databaseReadUrl !== undefined)
      throw new Error('DATABASE_READ_URL needs a database server in DATABASE_URL; an embedded file has no replica.');
    this.queueUrl = values.QUEUE_URL;
    this.jobConcurrency = values.JOB_CONCURRENCY;
    this.jobRetentionDays = values.JOB_RETENTION_DAYS;
    this.eventRetentionDays = values.EVENT_RETENTION_DAYS;
    this.eventRetryHours = values.EVENT_RETRY_HOURS;
    this.webhookAllowedHosts = (values.WEBHOOK_ALLOWED_HOSTS ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
    this.webhookPlainHttp = values.WEBHOOK_ALLOW_HTTP;
    this.streamsUrl = values.STREAMS_URL ?? values.QUEUE_URL;
    this.itemUpdateLimit = values.ITEM_UPDATE_LIMIT;
    this.databaseConnections = values.DATABASE_CONNECTIONS;
    this.startWaitMs = values.START_WAIT_SECONDS * 1000;
    this.shutdownDelayMs = values.SHUTDOWN_DELAY_SECONDS * 1000;
    this.secretsKey = values.SECRETS_KEY ? Buffer.from(values.SECRETS_KEY, 'hex') : this.keyOfQuickStart();
    this.console = values.CONSOLE === 'on';
    this.maxBodyBytes = values.MAX_BODY_BYTES;
    this.assetsUrl = values.ASSETS_URL ?? `file:${join(this.dataDir, 'assets')}`;
    this.assetsPublicUrl =
      values.ASSETS_PUBLIC_URL && withoutEnd(values.ASSETS_PUBLIC_URL.replace(/^\/\//, 'https://'), '/');
    this.maxAssetBytes = values.MAX_ASSET_BYTES;
    this.listeningPort = this.port;
    this.signatureMaxAgeMs = values.SIGNATURE_MAX_AGE_SECONDS * 1000;
    this.signatureMaxAheadMs = values.SIGNATURE_MAX_AHEAD_SECONDS * 1000;
    this.logLevel = values.LOG_LEVEL;
    this.operationsHost = values.OPERATIONS_HOST;
    this.operationsPort = values.OPERATIONS_PORT;
    this.tracing = tracingOf(values);
  }

  /** @throws Error that names each wrong setting and its allowed values. */
  static read(environment: NodeJS.ProcessEnv = process.env): Config {
    const given = Object.fromEntries(
      Object.keys(settings.properties).flatMap((name) =>
        environment[name] === undefined || environment[name] === '' ? [] : [[name, environment[name]]],
      ),
    );
    const values = Value.Convert(settings, Value.Default(settings, { ...given }));
    const wrong = [...Value.Errors(settings, values)].map(({ path }) => path.slice(1));
    const names = new Set([...Object.keys(given).filter((name) => isCutOff(name, given[name]!)), ...wrong]);
    const complaints = [...names].map((name) => complaint(name as keyof Settings, given[name] ?? ''));
    for (const name of SERVERS)
      if (!names.has(name) && !isAddress(given[name])) complaints.push(`${name} ${NO_ADDRESS}`);
      else if (/^mysql:.*\?/.test(given[name] ?? '')) complaints.push(`${name} ${NO_PARAMETERS}`);
      else if (hasUnknownParameter(given[name]))
        complaints.push(`${name} takes no parameters after ? but prefix=NAME.`);
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
    return new Config(values as Settings);
  }

  /** Whether the database is embedded. An embedded database serves one machine and keeps its key beside it. */
  get embedded(): boolean {
    return this.databaseUrl.startsWith('file:');
  }

  /** The address of the service as far as it knows: this machine, when it listens on all addresses. */
  get ownUrl(): string {
    const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[this.host] ?? this.host;
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.listeningPort}`;
  }

  private keyOfQuickStart(): Buffer {
    if (!this.embedded)
      throw new Error(
        'SECRETS_KEY is required with a database server: set it to 64 hexadecimal digits (openssl rand -hex 32).',
      );
    makeFolder(this.dataDir);
    const path = join(this.dataDir, 'secrets.key');
    if (!existsSync(path)) makeKey(path);
    const key = readFileSync(path, 'utf8').trim();
    if (!/^[0-9a-fA-F]{64}$/.test(key)) throw new Error(`${path} must hold 64 hexadecimal digits.`);
    return Buffer.from(key, 'hex');
  }
}

/** Creates a key file atomically. When two processes start together, one creates it and the other reads it. */
function makeKey(path: string): void {
  const written = `${path}.${randomUUID()}`;
  try {
    writeFileSync(written, randomBytes(32).toString('hex') + '\n', { mode: 0o600, flag: 'wx' });
    linkSync(written, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

function proxiesIn(text: string): string[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const entry of entries)
    if (!NAMED_RANGES.includes(entry) && !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
      throw new Error(
        `TRUSTED_PROXIES: ${JSON.stringify(entry)} is not an address; give addresses, ranges such as 10.1.0.0/16, or ${NAMED_RANGES.join(', ')}.`,
      );
  return entries;
}
