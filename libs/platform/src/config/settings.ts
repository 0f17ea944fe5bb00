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
        'Addresses and ranges of the reverse proxies in front of the API, separated by commas: `loopback, 10.1.0.0/16`. Limits by network address then use the address that these proxies give in `X-Forwarded-For`. Default: the address of the connection.',
    }),
  ),
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#\\s]+/?$',
      description:
        'Address without a path at which browsers reach this service: `https://bank.example.org`. Links for people begin with it, and OpenID Connect returns to it. Default: the address on which the service listens.',
    }),
  ),
  OPENID_ISSUER: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s?#]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?(/[^\\s?#]*)?)$',
      description:
        'OpenID Connect provider for signing in to the console: `https://login.example.org`; `http:` only on this machine. Needs `PUBLIC_URL`, `OPENID_CLIENT_ID` and `OPENID_CLIENT_SECRET`. The provider must allow `/console/openid/callback` below `PUBLIC_URL` as a redirect.',
    }),
  ),
  OPENID_CLIENT_ID: Type.Optional(Type.String({ description: 'Client id of this service at the provider.' })),
  OPENID_CLIENT_SECRET: Type.Optional(Type.String({ description: 'Client secret of this service at the provider.' })),
  OPENID_RULES: Type.String({
    default: '[]',
    description:
      'Rules that give people an account with roles at their first sign-in, as a JSON list: `[{"domain":"example.org","organisation":1,"roles":["viewer"]},{"claim":"groups","value":"authors","organisation":1,"roles":["author"]}]`. A person whom no rule matches gets no account.',
  }),
  DATA_DIR: Type.String({
    default: '.data',
    description: 'Folder of the embedded database, the assets, and the key and the credentials of the quick start.',
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
        'Replica of the database, `mysql://USER:PASSWORD@HOST:PORT/NAME`, for long reads: datasets, exports and `verify`. Both servers need GTIDs ([scaling.md](scaling.md#read-replicas)). Default: these reads go to `DATABASE_URL` too.',
    }),
  ),
  QUEUE_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://.+',
      description:
        'Redis, `redis://…` or `rediss://…`, for the queue of jobs and the rate limits of several processes. With `?prefix=NAME`, several installations can share a server. Default: none, and the API also runs the jobs.',
    }),
  ),
  JOB_CONCURRENCY: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 100,
    description: 'Short jobs that one process runs at a time; it runs as many long ones beside them.',
  }),
  JOB_RETENTION_DAYS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 36500,
    description: 'Days after which an ended job is removed, with its results.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 36500,
    description: 'Days after which a delivered event or a dead letter is removed, with the log of its deliveries.',
  }),
  EVENT_RETRY_HOURS: Type.Integer({
    default: 72,
    minimum: 0,
    maximum: 8760,
    description: 'Hours for which the service retries a failed delivery of an event.',
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
      description: 'Redis of the streams of events, `redis://…` or `rediss://…`. Default: that of `QUEUE_URL`.',
    }),
  ),
  ITEM_UPDATE_LIMIT: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Calls of `update sessions/item` that each consumer may make in 5 seconds. More than one is for tests and measurements.',
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
      'Seconds that the API, workers and `migrate` wait at their start for an unreachable database, and workers for Redis.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 300,
    description:
      'Seconds that the API continues to answer after SIGTERM, while `/health/ready` answers 503. The proxy must notice within this time: 5 for a check every 2 seconds. SIGINT and a second signal end the wait.',
  }),
  SECRETS_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      description:
        'Key that encrypts the secrets of consumers and webhooks, and signs paging tokens and upload addresses: 64 hexadecimal digits, the same for all processes. Required with `mysql:`. With `file:`, the first start writes one to `DATA_DIR`, with mode 0600.',
    }),
  ),
  CONSOLE: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'Whether the console is at `/console/`.',
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
        'Store of assets and of the files of jobs. `file:PATH` is a folder, which all processes must share. `s3://BUCKET/PREFIX?region=REGION` is a bucket; other servers than AWS need `endpoint=URL` and `path_style=true`, and the AWS SDK finds the credentials. Default: `assets` in `DATA_DIR`.',
    }),
  ),
  ASSETS_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^(https?:)?//[^/?#\\s]+(/[^?#\\s]*)?$',
      description:
        'Beginning of the public addresses of assets: `https://HOST/PATH`, or `//HOST/PATH`, which means https. With a folder, it must lead to `/assets` of this service; default: that address, on HOST and PORT. With a bucket, it must lead to `PREFIX/public`; default: the address of the bucket.',
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
    description:
      'How long a signature without `expires` is valid after its timestamp. It does not limit the permission of a page that takes a test, which ends at the signed `expires`, or 7 days after the timestamp.',
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
        'Port for operators, with `/metrics` for Prometheus and `/health`; 0 takes a free one. Default: none, and nothing is measured.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$',
      description:
        'OpenTelemetry collector for traces, over OTLP/HTTP as JSON: `http://HOST:4318`. [metrics.md](metrics.md#traces) names more variables. Default: none, and nothing is traced.',
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
    description: 'Name of the program in traces. Give the API and the workers different ones.',
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
    { default: 'parentbased_always_on', description: 'Selects the requests that are traced.' },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'Share of requests that a sampler with `traceidratio` traces.',
  }),
  OTEL_SDK_DISABLED: Type.Boolean({ default: false, description: '`true` disables traces.' }),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severe log lines that are written.' },
  ),
});

export type Settings = Static<typeof settings>;
