import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** Every setting, read once from the environment at start. `docs/configuration.md` is derived from this. */
export const settings = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address on which the API listens.' }),
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port on which the API listens; 0 takes a free one.',
  }),
  DATA_DIR: Type.String({
    default: '.data',
    description: 'Folder of the embedded database, the credentials of the quick start and the key made there.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^(file:.+|mysql://[^/]+/[^/?]+)',
      description:
        'Database, chosen by its scheme: `mysql://USER:PASSWORD@HOST:PORT/NAME` (MySQL 8.4 or later, MariaDB 10.11 or later) or `file:PATH` (SQLite). Default: `itembank.sqlite` in `DATA_DIR`.',
    }),
  ),
  DATABASE_CONNECTIONS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description: 'Most connections of one process to a database server.',
  }),
  SECRETS_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      description:
        'Key under which consumer secrets are stored and paging tokens are signed: 64 hexadecimal digits, the same for all processes. Required with `mysql:`; with `file:` one is made in `DATA_DIR` with mode 0600.',
    }),
  ),
  MAX_BODY_BYTES: Type.Integer({
    default: 20 * 1024 * 1024,
    minimum: 1024,
    maximum: 1024 * 1024 * 1024,
    description: 'Largest request body in bytes; a larger one is answered with 413.',
  }),
  SIGNATURE_MAX_AGE_SECONDS: Type.Integer({
    default: 7 * 24 * 3600,
    minimum: 60,
    description: 'For how long after its timestamp a signature is valid when it names no `expires`.',
  }),
  SIGNATURE_MAX_AHEAD_SECONDS: Type.Integer({
    default: 15 * 60,
    minimum: 0,
    description: "How far a signature's timestamp may lie in the future.",
  }),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severe log lines that are written.' },
  ),
});

type Settings = Static<typeof settings>;

/** What is wrong with a setting and what would be right. A value that may hold a password is not repeated. */
function complaint(name: keyof Settings, value: string): string {
  const schema: TSchema = settings.properties[name];
  const given = name.endsWith('_URL') || name.endsWith('_KEY') ? '' : `: it is ${JSON.stringify(value)}`;
  const words = (schema.anyOf as { const: string }[] | undefined)?.map((member) => member.const).join(', ');
  const numbers = schema.type === 'integer' && `a whole number from ${schema.minimum} to ${schema.maximum ?? 'any'}`;
  const allowed = words ? `one of ${words}` : numbers || String(schema.description);
  return `${name} is not valid${given}. ${words || numbers ? `It must be ${allowed}.` : allowed}`;
}

/** The settings as the rest of the code takes them: complete and validated. */
export class Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly databaseConnections: number;
  /** 32 bytes. */
  readonly secretsKey: Buffer;
  readonly maxBodyBytes: number;
  readonly signatureMaxAgeMs: number;
  readonly signatureMaxAheadMs: number;
  readonly logLevel: string;

  private constructor(values: Settings) {
    this.host = values.HOST;
    this.port = values.PORT;
    this.dataDir = resolve(values.DATA_DIR);
    this.databaseUrl = values.DATABASE_URL ?? `file:${join(this.dataDir, 'itembank.sqlite')}`;
    this.databaseConnections = values.DATABASE_CONNECTIONS;
    this.secretsKey = values.SECRETS_KEY ? Buffer.from(values.SECRETS_KEY, 'hex') : this.keyOfQuickStart();
    this.maxBodyBytes = values.MAX_BODY_BYTES;
    this.signatureMaxAgeMs = values.SIGNATURE_MAX_AGE_SECONDS * 1000;
    this.signatureMaxAheadMs = values.SIGNATURE_MAX_AHEAD_SECONDS * 1000;
    this.logLevel = values.LOG_LEVEL;
  }

  /** @throws Error that names each setting that is wrong and what it may be. */
  static read(environment: NodeJS.ProcessEnv = process.env): Config {
    const given = Object.fromEntries(
      Object.keys(settings.properties).flatMap((name) =>
        environment[name] === undefined || environment[name] === '' ? [] : [[name, environment[name]]],
      ),
    );
    const values = Value.Convert(settings, Value.Default(settings, given));
    const wrong = [...Value.Errors(settings, values)];
    if (wrong.length > 0) {
      const names = [...new Set(wrong.map(({ path }) => path.slice(1)))];
      throw new Error(names.map((name) => complaint(name as keyof Settings, given[name] ?? '')).join('\n'));
    }
    return new Config(values as Settings);
  }

  /** An embedded database is for one machine: its key lies beside it. */
  get embedded(): boolean {
    return this.databaseUrl.startsWith('file:');
  }

  private keyOfQuickStart(): Buffer {
    if (!this.embedded)
      throw new Error(
        'SECRETS_KEY is required with a database server: set it to 64 hexadecimal digits (openssl rand -hex 32).',
      );
    mkdirSync(this.dataDir, { recursive: true });
    const path = join(this.dataDir, 'secrets.key');
    // Exclusive creation: of two processes that start together one makes the key, the other reads it.
    if (!existsSync(path)) {
      try {
        writeFileSync(path, randomBytes(32).toString('hex') + '\n', { mode: 0o600, flag: 'wx' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    const key = readFileSync(path, 'utf8').trim();
    if (!/^[0-9a-fA-F]{64}$/.test(key)) throw new Error(`${path} must hold 64 hexadecimal digits.`);
    return Buffer.from(key, 'hex');
  }
}
