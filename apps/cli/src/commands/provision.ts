import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command } from 'commander';
import { Config } from '#platform';
import { readCredentials, writeCredentials } from '#runtime';
import { printJson, printLine } from '../print';
import { type Change } from '../provision/change';
import { readDescription } from '../provision/check';
import { lineOf } from '../provision/print-changes';
import { Provisioning } from '../provision/provisioning';
import { readSecrets, WebhookSecrets } from '../provision/secrets';
import { Source } from '../provision/source';
import { withServices } from '../services';

interface Options {
  dryRun?: boolean;
  json?: true;
}

export function add(program: Command): void {
  program
    .command('provision')
    .argument('<file>', 'the description, in YAML or JSON (docs/provisioning.md)')
    .option('--dry-run', 'print what would be changed, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  itembank provision site.yaml --dry-run
  itembank provision site.yaml

Everything that the description leaves out stays as it is. A list in the description replaces the
stored one. The command writes all changes or none. A second run finds nothing to change.`,
    )
    .action(async (file: string, { dryRun = false, json }: Options) => {
      const source = new Source(file, textOf(file));
      const description = readDescription(source);
      const secrets = readSecrets(source, dirname(file));
      const webhookSecrets = new WebhookSecrets(source, dirname(file));
      source.throwIfFaulty();
      await withServices(async (services) => {
        const changes = await new Provisioning(services, webhookSecrets).apply(description, secrets, source, {
          dryRun,
        });
        if (json) printJson({ dry_run: dryRun, changes });
        else print(changes, dryRun);
        if (!dryRun) keepInStep(services.get(Config, { strict: false }).dataDir, secrets);
      });
    });
}

/** Updates the stored secret of the quick start's own consumer, so that it can still call. */
function keepInStep(dataDir: string, secrets: ReadonlyMap<string, readonly string[]>): void {
  const stored = readCredentials(dataDir);
  const [secret, ...others] = (stored && secrets.get(stored.key)) ?? [];
  if (!stored || secret === undefined || [secret, ...others].includes(stored.secret)) return;
  writeCredentials(dataDir, { ...stored, secret });
}

function print(changes: readonly Change[], dryRun: boolean): void {
  for (const change of changes) printLine(lineOf(change));
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  if (changes.length === 0) printLine('Nothing to change.');
  else printLine(dryRun ? `${count} to make; nothing was written.` : `${count} made.`);
}

/** @throws Error for a file that cannot be read or is not text. */
function textOf(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${file} is not text in UTF-8.`, { cause: error });
  }
}
