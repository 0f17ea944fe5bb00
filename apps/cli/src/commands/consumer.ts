import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Consumer, type Grant, isRatePattern } from '#access';
import { credentialsPath, readCredentials, writeCredentials } from '#runtime';
import { DOMAIN, duration, FEATURE, name, organisationId, repeated } from '../options';
import { iso, printJson, printLine, printTable } from '../print';
import { withConsumers } from '../services';

interface CreateOptions {
  organisation?: number;
  grant?: { organisation: number; access: Grant['access'] }[];
  domain?: string[];
  label?: string;
  legacySignatures?: true;
  feature?: string[];
  rateLimit?: [pattern: string, limit: number][];
  json?: true;
}

export function add(program: Command): void {
  const consumer = program.command('consumer');

  consumer
    .command('create')
    .description('Creates a consumer and prints its key and its secret; the secret is not shown again.')
    .option('--organisation <id>', 'its primary organisation, which it may write to', organisationId)
    .option(
      '--grant <id:access>',
      'a further organisation and what may be done there, as 2:read or 2:write; repeatable',
      repeated(grant),
    )
    .option(
      '--domain <host>',
      'a domain that it may sign with: a host, *.example.org, or * for any; repeatable (default: localhost)',
      repeated(domain),
    )
    .option('--label <text>', 'name of the consumer, for people', name)
    .option('--legacy-signatures', 'accept the signatures of client libraries older than mid-2023')
    .option('--feature <name>', 'a feature to switch on, such as offlinepackage; repeatable', repeated(feature))
    .option(
      '--rate-limit <pattern=number>',
      "maximum number of requests in 5 seconds, such as 'set itembank/*=100'; repeatable",
      repeated(rateLimit),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  itembank consumer create --organisation 1 --domain example.org --label 'Authoring site'
  itembank consumer create --organisation 1 --grant 2:read --rate-limit 'set itembank/*=100' --json

A --grant for the primary organisation says what may be done there: --organisation 1 --grant 1:read.
A pattern is an action and a path, as 'get itembank/items'; the path may end in /*, both may be *.`,
    )
    .action(async (options: CreateOptions) => {
      const wanted = {
        label: options.label ?? '',
        domains: options.domain ?? ['localhost'],
        features: options.feature ?? [],
        rateLimits: Object.fromEntries(options.rateLimit ?? []),
        legacySignatures: options.legacySignatures ?? false,
        grants: grantsOf(options),
      };
      const { key, secret } = await withConsumers((consumers) => consumers.create(wanted));
      if (options.json) printJson({ key, secret, ...view({ status: 'active', ...wanted }) });
      else printSecret('The consumer is created.', key, secret);
    });

  consumer
    .command('list')
    .description('Lists all consumers, without their secrets.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank consumer list')
    .action(async ({ json }: { json?: true }) => {
      const consumers = await withConsumers((all) => all.list());
      if (json) printJson(consumers.map((each) => ({ key: each.key, ...view(each) })));
      else
        printTable(
          ['KEY', 'STATUS', 'ORGANISATIONS', 'DOMAINS', 'LABEL'],
          consumers.map(({ key, status, grants, domains, label }) => [
            key,
            status,
            grants
              .map(({ organisation, access, primary }) => `${organisation}:${access}${primary ? ' (primary)' : ''}`)
              .join(', '),
            domains.join(', '),
            label,
          ]),
        );
    });

  for (const [command, status, description] of [
    ['disable', 'disabled', 'Refuses the calls of a consumer.'],
    ['enable', 'active', 'Accepts the calls of a disabled consumer again.'],
  ] as const)
    consumer
      .command(command)
      .description(description)
      .argument('<key>', 'key of the consumer')
      .addHelpText('after', `\nExample:\n  itembank consumer ${command} AbCdEfGhIjKlMnOp`)
      .action(async (key: string) => {
        await withConsumers((consumers) => consumers.setStatus(key, status));
        printLine(`Consumer ${key} is ${status}. This takes effect within seconds.`);
      });

  consumer
    .command('rotate-secret')
    .description('Gives a consumer a new secret and prints it; it is not shown again.')
    .argument('<key>', 'key of the consumer')
    .addOption(
      new Option('--overlap <time>', 'for how long the old secret stays valid: 90s, 30m, 24h, 7d; 0s ends it at once')
        .argParser(duration)
        .default(duration('24h'), '24h'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank consumer rotate-secret AbCdEfGhIjKlMnOp --overlap 7d')
    .action(async (key: string, { overlap, json }: { overlap: number; json?: true }) => {
      const { secret, dataDir } = await withConsumers(async (consumers, { dataDir }) => ({
        secret: await consumers.rotateSecret(key, overlap),
        dataDir,
      }));
      const until = iso(Date.now() + overlap);
      if (json) printJson({ key, secret, previous_secrets_valid_until: until });
      else printSecret(`The consumer has a new secret; the old one is valid until ${until}.`, key, secret);
      const kept = keepWhereStored(dataDir, key, secret);
      if (kept && !json) printLine(`It is kept in ${kept} as well.`);
    });
}

function grantsOf({ organisation, grant: others = [] }: CreateOptions): Grant[] {
  if (organisation === undefined && others.length === 0)
    throw new Error(
      'Say which organisation the consumer may use: --organisation 1, or --grant 1:read for one without a primary.',
    );
  const access = new Map<number, Grant['access']>();
  if (organisation !== undefined) access.set(organisation, 'write');
  for (const other of others) access.set(other.organisation, other.access);
  return [...access].map(([id, right]) => ({ organisation: id, access: right, primary: id === organisation }));
}

function grant(text: string): { organisation: number; access: Grant['access'] } {
  const [, id, access] = /^(\d+):(read|write)$/.exec(text) ?? [];
  if (id === undefined) throw new InvalidArgumentError('Write a grant as 2:read or 2:write.');
  return { organisation: organisationId(id), access: access as Grant['access'] };
}

function domain(text: string): string {
  if (!DOMAIN.test(text))
    throw new InvalidArgumentError(
      'A domain is a host without scheme, port and path: example.org, *.example.org, or * for any.',
    );
  return text;
}

function feature(text: string): string {
  if (!FEATURE.test(text)) throw new InvalidArgumentError('A feature is a word in small letters: offlinepackage.');
  return text;
}

function rateLimit(text: string): [pattern: string, limit: number] {
  const [, pattern = '', limit] = /^(.+)=(\d{1,9})$/.exec(text) ?? [];
  if (!isRatePattern(pattern))
    throw new InvalidArgumentError(
      "Write a limit as 'set itembank/*=100': action, path and maximum number of requests in 5 seconds.",
    );
  return [pattern, Number(limit)];
}

function view({ label, status, domains, grants, features, rateLimits, legacySignatures }: Omit<Consumer, 'key'>) {
  return {
    label,
    status,
    organisation: grants.find(({ primary }) => primary)?.organisation ?? null,
    grants: grants.map(({ organisation, access }) => ({ organisation, access })),
    domains,
    features,
    legacy_signatures: legacySignatures,
    rate_limits: rateLimits,
  };
}

function printSecret(line: string, key: string, secret: string): void {
  printLine(line);
  printLine('');
  printLine(`  key     ${key}`);
  printLine(`  secret  ${secret}`);
  printLine('');
  printLine('Keep the secret: it is not shown again.');
}

/** Updates the stored credentials of the quick start's own consumer. Returns the path of the file that has them. */
function keepWhereStored(dataDir: string, key: string, secret: string): string | undefined {
  const stored = readCredentials(dataDir);
  if (stored?.key !== key) return undefined;
  writeCredentials(dataDir, { ...stored, secret });
  return credentialsPath(dataDir);
}
