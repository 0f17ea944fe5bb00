import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { Activities, Items, ShelfReader } from '#content';
import { Exporting, InterchangeModule, type PackageFile, packageOf, WRITERS } from '#interchange';
import { LongReads } from '#platform';
import { listeningSettings } from '../caller';
import { type ExportReport, JsonExportReport, TextExportReport } from '../export-report';
import { organisationId, repeated } from '../options';
import { output } from '../print';
import { requireOrganisation, STANDARD_ERROR, withServices } from '../services';

interface Options {
  organisation: number;
  format: string;
  items?: string[];
  activities?: string[];
  json?: boolean;
}

export function add(program: Command): void {
  program
    .command('export')
    .argument('<path>', 'a zip file, if it ends with .zip, otherwise a folder; either may not exist yet')
    .option('--organisation <id>', 'organisation of the item bank', organisationId, 1)
    .addOption(
      new Option('--format <name>', 'format of the package').choices(WRITERS.map(({ name }) => name)).default('ndjson'),
    )
    .option('--item <reference>', 'this item, with its questions; may be repeated', repeated(String))
    .option('--activity <reference>', 'this activity; may be repeated', repeated(String))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Without --item and --activity, the whole bank is written, as it is when the command begins.

Examples:
  itembank export bank.zip
  itembank export bank.zip --format qti
  itembank export moodle --format moodle-xml
  itembank export sheet --format csv
  itembank export some --item demo-math-primes --item demo-math-fractions`,
    )
    .action((path: string, { item, activity, ...options }: Options & { item?: string[]; activity?: string[] }) =>
      run(path, { ...options, items: item, activities: activity }),
    );
}

async function run(path: string, options: Options): Promise<void> {
  // A reader who has seen enough notes must not end the export.
  output.isOptional = true;
  const report = options.json ? new JsonExportReport(options.format) : new TextExportReport();
  try {
    if (existsSync(path)) throw new Error(`${path} exists already. Name a file or a folder that does not exist.`);
    await withServices((services) => exportTo(services, path, options, report), {
      contexts: () => [InterchangeModule],
      settings: listeningSettings(),
    });
  } catch (error) {
    report.fail(error as Error);
    throw error;
  }
}

async function exportTo(
  services: INestApplicationContext,
  path: string,
  options: Options,
  report: ExportReport,
): Promise<void> {
  const { organisation, items, activities } = options;
  await requireOrganisation(services, organisation);
  const format = WRITERS.find(({ name }) => name === options.format)!;
  const now = Date.now();
  const shelf = {
    organisation,
    asOf: await services.get(ShelfReader, { strict: false }).presentMoment([organisation], now),
  };
  const [stored, tests] = [services.get(Items, { strict: false }), services.get(Activities, { strict: false })];
  await expectAll('item', items ?? [], organisation, (query) => stored.find(shelf, query));
  await expectAll('activity', activities ?? [], organisation, (query) => tests.find(shelf, query));
  const files = services
    .get(Exporting, { strict: false })
    .files(format, shelf, { items, activities }, (note) => report.add(note));
  const count = await services
    .get(LongReads, { strict: false })
    .run(() => writePackage(path, files, now), STANDARD_ERROR);
  report.end({ path, files: count });
}

const BATCH_SIZE = 50;

interface NamedQuery {
  references: readonly string[];
  sort: { field: 'created'; ascending: true };
  limit: number;
}

/** @throws if the bank does not have one of the named records. */
async function expectAll(
  kind: string,
  references: readonly string[],
  organisation: number,
  find: (query: NamedQuery) => Promise<{ entries: readonly { reference: string }[] }>,
): Promise<void> {
  for (let at = 0; at < references.length; at += BATCH_SIZE) {
    const named = references.slice(at, at + BATCH_SIZE);
    const { entries } = await find({
      references: named,
      sort: { field: 'created', ascending: true },
      limit: BATCH_SIZE,
    });
    const missing = named.find((reference) => !entries.some((entry) => entry.reference === reference));
    if (missing !== undefined) throw new Error(`Organisation ${organisation} has no ${kind} ${missing}.`);
  }
}

/** Names the package as asked only once it is complete. */
async function writePackage(path: string, files: AsyncIterable<PackageFile>, now: number): Promise<number> {
  const unfinished = `${path}.part`;
  if (existsSync(unfinished))
    throw new Error(`${unfinished} is left of an export that was interrupted. Remove it first.`);
  try {
    const count = await (path.endsWith('.zip') ? writeZip(unfinished, files, now) : writeFolder(unfinished, files));
    await rename(unfinished, path);
    return count;
  } catch (error) {
    // Removing fails where writing failed, for example without the right to write.
    await rm(unfinished, { force: true, recursive: true }).catch(() => undefined);
    throw error;
  }
}

async function writeZip(path: string, files: AsyncIterable<PackageFile>, now: number): Promise<number> {
  let count = 0;
  const zip = packageOf(files, now, () => void count++);
  await pipeline(zip, createWriteStream(path));
  return count;
}

async function writeFolder(path: string, files: AsyncIterable<PackageFile>): Promise<number> {
  await mkdir(path);
  let count = 0;
  for await (const { path: name, content } of files) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await pipeline(Readable.from(content), createWriteStream(join(path, name)));
    count++;
  }
  return count;
}
