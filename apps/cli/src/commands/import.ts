import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Consumers } from '#access';
import {
  authorOfImport,
  COLLISION_RULES,
  type CollisionRule,
  type DirectImport,
  type Entry,
  type ImportedEntry,
  Importing,
  type ImportOptions,
  InterchangeModule,
  FORMATS,
  entriesOf,
  formatOf,
  openSource,
  RecordedImports,
  Schemas,
} from '#interchange';
import { newId, type Scope } from '#kernel';
import { Config, Database, migrate } from '#platform';
import { type ImportReport, JsonImportReport, TextImportReport } from '../import-report';
import { addRevert } from '../import-revert';
import { listeningSettings } from '../caller';
import { FollowedPlan } from '../followed-plan';
import { organisationId } from '../options';
import { output, plain } from '../print';
import { ProgressDisplay } from '../progress';
import { requireOrganisation, withServices } from '../services';

interface Options {
  organisation: number;
  format?: string;
  apply?: boolean;
  dryRun?: boolean;
  plan?: string;
  onCollision: CollisionRule;
  json?: boolean;
  schemas?: string;
  publish?: boolean;
}

export function add(program: Command): void {
  const command = program
    .command('import')
    .argument('<path>', 'a file, a package (zip) or a folder')
    .option('--organisation <id>', 'organisation that gets the content', organisationId, 1)
    .addOption(new Option('--format <name>', 'read it as this format').choices(FORMATS.map(({ name }) => name)))
    .option('--apply', 'store the content; without it, nothing is stored, and the plan is printed')
    .addOption(new Option('--dry-run', 'the default: store nothing').conflicts('apply'))
    .option('--plan <hash>', 'with --apply: store nothing unless the plan still has this hash', planHash)
    .addOption(
      new Option('--on-collision <rule>', 'when a reference exists already, with other content')
        .choices(COLLISION_RULES)
        .default('fail'),
    )
    .option('--publish', 'publish the items, unless the source says that they are not')
    .option('--schemas <folder>', 'accept only XML that follows the XML schemas (.xsd) in this folder')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(run);
  addRevert(command);
}

const HELP = `
Prints the result for each question, and the parts of it that are lost. Look at that first, and then add
--apply. The import skips entries that the bank already has with equal content. So after an interruption,
run the same command again, without --plan. New items are unpublished without --publish, so that learners
do not get them.

  --on-collision fail           refuses the entry (the default)
  --on-collision skip           leaves the record of the bank
  --on-collision replace        replaces it; its history keeps the former content
  --on-collision new-reference  adds the entry as REFERENCE-2

Examples:
  itembank import moodle-questions.xml
  itembank import canvas-export.imscc --apply
  itembank import qti-package.zip --apply --on-collision replace --json
  itembank import qti-package.zip --schemas ~/schemas/qti-2.2
  itembank import revert import-01JZX3M5V2Q4T6W8Y0A1B2C3D4

Exits with 0 when something could be read, and with 1 and a code when nothing could.`;

function planHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('A plan is named by 64 hexadecimal digits.');
  return text;
}

async function run(path: string, options: Options): Promise<void> {
  output.isOptional = options.apply ?? false;
  const report = options.json ? new JsonImportReport() : new TextImportReport();
  try {
    if (options.plan !== undefined && !options.apply)
      throw new Error('--plan goes with --apply: it stores the content only if the plan still has this hash.');
    const work = (services: INestApplicationContext) => importInto(services, path, options, report);
    if (!options.apply && isWithoutDatabase()) await withEmptyBank(options.organisation, work);
    else await withServices(work, { contexts, settings: listeningSettings() });
  } catch (error) {
    report.fail(error as Error);
    process.exitCode = 1;
  }
}

const contexts = () => [InterchangeModule];

const isWithoutDatabase = (): boolean => {
  const { embedded, databaseUrl } = Config.read({ ...process.env, LOG_LEVEL: 'silent' });
  return embedded && !existsSync(databaseUrl.slice('file:'.length));
};

/** Runs `work` on a temporary empty bank, so that people can see a plan before they install anything. */
async function withEmptyBank(
  organisation: number,
  work: (services: INestApplicationContext) => Promise<void>,
): Promise<void> {
  process.stderr.write('itembank: There is no database yet; this is the plan for an empty bank.\n');
  removeKilledPlans();
  const folder = mkdtempSync(join(tmpdir(), `itembank-plan-${process.pid}-`));
  try {
    await withServices(
      async (services) => {
        await migrate(services.get(Database, { strict: false }));
        const name = 'Empty bank';
        await services.get(Consumers, { strict: false }).addOrganisation({ id: organisation, name });
        await work(services);
      },
      {
        contexts,
        mayCreate: true,
        anySchema: true,
        settings: { DATA_DIR: folder, DATABASE_URL: `file:${join(folder, 'plan.sqlite')}` },
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the banks of plans whose processes were killed. */
function removeKilledPlans(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^itembank-plan-(\d+)-/.exec(name)?.[1];
    try {
      if (pid !== undefined) process.kill(Number(pid), 0);
    } catch (error) {
      // EPERM: the process runs, and belongs to another user.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH')
        rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}

async function importInto(
  services: INestApplicationContext,
  path: string,
  options: Options,
  report: ImportReport,
): Promise<void> {
  const { organisation, plan } = options;
  const organisations = await requireOrganisation(services, organisation);
  const schemas = options.schemas === undefined ? undefined : await Schemas.in(options.schemas);
  const source = await openSource(path);
  try {
    const format = await formatOf(source, options.format);
    const checked = schemas?.checking(source) ?? source;
    const id = newId(Date.now());
    const name = basename(path);
    const direct: DirectImport = { organisation, id, name, format: format.name, onCollision: options.onCollision };
    const recorded = services.get(RecordedImports, { strict: false });
    const scope: Omit<Scope, 'now'> = {
      shelf: { organisation },
      author: { id: authorOfImport(id), firstname: 'Import', lastname: name.slice(0, 100) },
      operation: 'import',
      readable: new Set(organisations),
    };
    const importing = services.get(Importing, { strict: false });
    const recording = (work: () => Promise<unknown>) => recorded.run(direct, work);
    const entries = (how: Pick<ImportOptions, 'apply' | 'plan' | 'run'>) =>
      importing.run(
        source,
        options.publish ? published(entriesOf(format, checked)) : entriesOf(format, checked),
        { onCollision: options.onCollision, ...how },
        scope,
      );
    const followed =
      options.apply && plan !== undefined ? await FollowedPlan.of(entries({}), plan, recording) : undefined;
    try {
      report.begin({ import: options.apply ? authorOfImport(id) : null, format: format.name });
      const progress = new ProgressDisplay(process.stderr);
      let done = 0;
      const how = { apply: options.apply, plan: followed, run: recording };
      const hash = await toEnd(entries(how), (entry) => {
        report.add(entry);
        if (process.stderr.isTTY) progress.show({ status: 'read', progress: { done: ++done, total: null } });
      });
      progress.end();
      if (options.apply) await recorded.end(direct, hash, report.totals);
      followed?.finish();
      if (!report.hasRead) process.exitCode = 1;
      report.end(hash, { again: storing(path, options, hash) });
    } finally {
      followed?.close();
    }
  } finally {
    await source.close();
  }
}

/** The command that stores the plan. */
function storing(path: string, options: Options, plan: string): string {
  const { organisation, format, onCollision, schemas, publish } = options;
  const words = [
    'itembank',
    'import',
    path,
    ...(organisation === 1 ? [] : ['--organisation', String(organisation)]),
    ...(format === undefined ? [] : ['--format', format]),
    ...(onCollision === 'fail' ? [] : ['--on-collision', onCollision]),
    ...(schemas === undefined ? [] : ['--schemas', schemas]),
    ...(publish ? ['--publish'] : []),
    '--apply',
    '--plan',
    plan,
  ];
  return plain(words.map(quoted).join(' '));
}

/** A word as a shell reads it. */
const quoted = (word: string): string => (/^[\w./:@%+,~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Publishes the items whose source gives no status. */
async function* published(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    const { record } = entry;
    const isOpen = record?.kind === 'item' && record.status === undefined;
    yield isOpen ? { ...entry, record: { ...record, status: 'published' } } : entry;
  }
}

/** Passes on each entry, and returns the hash of the plan. */
async function toEnd(
  entries: AsyncGenerator<ImportedEntry, string>,
  handle: (entry: ImportedEntry) => void,
): Promise<string> {
  for (;;) {
    const next = await entries.next();
    if (next.done) return next.value;
    handle(next.value);
  }
}
