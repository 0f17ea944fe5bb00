import { type Static, Type } from '@sinclair/typebox';

/** Every setting. They are read from the environment once, at start. `docs/configuration.md` is derived from them. */
export const settings = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address on which the API listens.' }),
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port on which the API listens; 0 takes a free one.',
  }),
  TRUSTED_PROXIES: Type.Optional(
    Type.String({
      description:
        'Addresses and ranges of the reverse proxies in front of the API, separated by commas: `loopback, 10.1.0.0/16`. Limits per address of pages then count the address that these proxies give in `X-Forwarded-For`. Default: the address of the connection.',
    }),
  ),
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#\\s]+/?$',
      description:
        'Address at which browsers reach this service: `https://bank.example.org`. Links for people begin with it, and OpenID Connect leads back to it. Default: the address on which the service listens.',
    }),
  ),
  OPENID_ISSUER: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s?#]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?(/[^\\s?#]*)?)$',
      description:
        'Provider of OpenID Connect with which people sign in to the console: `https://login.example.org`; `http:` only on this machine. Needs `PUBLIC_URL`, `OPENID_CLIENT_ID` and `OPENID_CLIENT_SECRET`. The provider must allow `/console/openid/callback` below `PUBLIC_URL` as a redirect.',
    }),
  ),
  OPENID_CLIENT_ID: Type.Optional(Type.String({ description: 'Name of this service at the provider.' })),
  OPENID_CLIENT_SECRET: Type.Optional(Type.String({ description: 'Secret of this service at the provider.' })),
  OPENID_RULES: Type.String({
    default: '[]',
    description:
      'Rules for who gets an account at the first sign-in, and with which roles, as a JSON list: `[{"domain":"example.org","organisation":1,"roles":["viewer"]},{"claim":"groups","value":"authors","organisation":1,"roles":["author"]}]`. A person whom no rule fits gets no account.',
  }),
  DATA_DIR: Type.String({
    default: '.data',
    description:
      'Folder of the embedded database, the assets, the credentials of the quick start and the key made there.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^(file:.+|mysql://[^/]+/[^/?]+)',
      description:
        'Database, chosen by its scheme: `mysql://USER:PASSWORD@HOST:PORT/NAME` (MySQL 8.4 or later, MariaDB 10.11 or later) or `file:PATH` (SQLite). Default: `itembank.sqlite` in `DATA_DIR`.',
    }),
  ),
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      pattern: '^mysql://[^/]+/[^/?]+',
      description:
        'Replica of the database, as `mysql://USER:PASSWORD@HOST:PORT/NAME`, for reads that take long: datasets, exports and `verify`. Both servers need GTIDs ([scaling.md](scaling.md#read-replicas)). Default: these reads go to `DATABASE_URL` too.',
    }),
  ),
  QUEUE_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://.+',
      description:
        'Redis, as `redis://…` or `rediss://…`, for an API and workers in processes of their own: it carries the queue of jobs, and counts calls for the rate limits that several API processes share. With `?prefix=NAME` several installations can share a server. Default: the process that answers also runs the jobs.',
    }),
  ),
  JOB_CONCURRENCY: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 100,
    description: 'Number of short jobs, and of long jobs, that one process runs at a time.',
  }),
  JOB_RETENTION_DAYS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 36500,
    description: 'Days after which a job that has ended is removed, with its results.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 36500,
    description: 'Days after which a delivered event is removed, together with the log of its delivery.',
  }),
  EVENT_RETRY_HOURS: Type.Integer({
    default: 72,
    minimum: 0,
    maximum: 8760,
    description: 'Hours for which a failing delivery of an event is retried before it is given up.',
  }),
  WEBHOOK_ALLOWED_HOSTS: Type.Optional(
    Type.String({
      description:
        'Private hosts, addresses and address ranges that webhooks may call, separated by commas: `receiver.internal, 10.1.0.0/16`.',
    }),
  ),
  WEBHOOK_ALLOW_HTTP: Type.Boolean({
    default: false,
    description: 'Whether webhooks may have addresses that begin with `http:`; otherwise only `https:`.',
  }),
  STREAMS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://.+',
      description:
        'Redis on which the streams of events lie, as `redis://…` or `rediss://…`. Default: that of `QUEUE_URL`.',
    }),
  ),
  ITEM_UPDATE_LIMIT: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Requests to rescore an item of sessions that each consumer may make in 5 seconds. More than one is for tests and measurements.',
  }),
  DATABASE_CONNECTIONS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description: 'Maximum number of connections from one process to a database server.',
  }),
  START_WAIT_SECONDS: Type.Integer({
    default: 60,
    minimum: 0,
    maximum: 3600,
    description:
      'How long API, worker and `migrate` wait at their start for a required server that cannot be reached yet: the database, and for a worker Redis.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 300,
    description:
      'How long the API goes on answering after SIGTERM while `/health/ready` reports that it stops. Choose longer than the proxy in front takes to notice: 5 for a check every 2 seconds. SIGINT and a second signal end the wait.',
  }),
  SECRETS_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      description:
        'Key under which consumer secrets are stored, and paging tokens and upload addresses are signed: 64 hexadecimal digits, the same for all processes. Required with `mysql:`; with `file:` one is made in `DATA_DIR` with mode 0600.',
    }),
  ),
  CONSOLE: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'Whether people can sign in to the console, at `/console/`.',
  }),
  MAX_BODY_BYTES: Type.Integer({
    default: 20 * 1024 * 1024,
    minimum: 1024,
    maximum: 1024 * 1024 * 1024,
    description: 'Largest request body in bytes; a larger one is answered with 413.',
  }),
  ASSETS_URL: Type.Optional(
    Type.String({
      pattern: '^(file:.+|s3://[^/?#]+(/[^?#]*)?(\\?[^#]*)?)$',
      description:
        'Where files lie, assets and what jobs make, chosen by its scheme: `s3://BUCKET/PREFIX?region=REGION` (with `endpoint=URL` and `path_style=true` for servers other than that of AWS; credentials as the AWS SDK finds them) or `file:PATH` (a folder, which all processes must share). Default: `assets` in `DATA_DIR`.',
    }),
  ),
  ASSETS_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^(https?:)?//[^/?#\\s]+(/[^?#\\s]*)?$',
      description:
        'Beginning of the public addresses of assets: `https://HOST/PATH`, or `//HOST/PATH`, which means https. For a folder it must lead to `/assets` of this service; default: that address itself, on HOST and PORT. For a bucket it must lead to what lies under `PREFIX/public`; default: the address of the bucket.',
    }),
  ),
  MAX_ASSET_BYTES: Type.Integer({
    default: 100 * 1024 * 1024,
    minimum: 1024,
    description: 'Largest asset in bytes that a folder accepts; a larger one is answered with 413.',
  }),
  SIGNATURE_MAX_AGE_SECONDS: Type.Integer({
    default: 7 * 24 * 3600,
    minimum: 60,
    description: 'How long a signature without `expires` is valid after its timestamp.',
  }),
  SIGNATURE_MAX_AHEAD_SECONDS: Type.Integer({
    default: 15 * 60,
    minimum: 0,
    description: "How far a signature's timestamp may lie in the future.",
  }),
  OPERATIONS_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address on which the port for operators listens. This port checks no signatures, so the public must never reach it.',
  }),
  OPERATIONS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'Port of API and worker for operators, with `/metrics` for Prometheus and `/health`; 0 takes a free one. Default: none, and nothing is measured.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$',
      description:
        'Collector of OpenTelemetry that traces are sent to, over OTLP/HTTP as JSON: `http://HOST:4318`. The further standard variables count too, see metrics.md. Default: nothing is traced.',
    }),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$',
      description:
        'Complete address for traces; it overrides `OTEL_EXPORTER_OTLP_ENDPOINT`: `http://HOST:4318/v1/traces`.',
    }),
  ),
  OTEL_SERVICE_NAME: Type.String({
    default: 'itembank',
    description: 'Name under which traces show the program: one for the API and another for workers.',
  }),
  OTEL_TRACES_SAMPLER: Type.Union(
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ].map((sampler) => Type.Literal(sampler)),
    { default: 'parentbased_always_on', description: 'Which requests are traced.' },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'Share of requests that are traced, of a sampler with `traceidratio`.',
  }),
  OTEL_SDK_DISABLED: Type.Boolean({ default: false, description: 'Nothing is traced, whatever else is set.' }),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severe log lines that are written.' },
  ),
});

export type Settings = Static<typeof settings>;
