import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import {
  authorOfImport,
  type DirectImport,
  type Entry,
  ImportAssets,
  type ImportedEntry,
  Importing,
  InterchangeModule,
  RecordedImports,
  type Written,
} from '#interchange';
import { newId, type Scope } from '#kernel';
import { LearnerErasure, LearnersModule } from '#learners';
import { Config } from '#platform';
import { SessionsModule, TakenSessions } from '#sessions';
import { listeningSettings } from '../caller';
import { type ImportReport, JsonImportReport, TextImportReport } from '../import-report';
import { address, organisationId } from '../options';
import { type PulledPage, RemoteBank } from '../pull/remote-bank';
import { type Progress, PullState } from '../pull/pull-state';
import { RemoteCalls } from '../pull/remote-calls';
import { RemoteFiles } from '../pull/remote-files';
import { RemoteSessions } from '../pull/remote-sessions';
import { SessionKeeping } from '../pull/session-keeping';
import { ProgressDisplay } from '../progress';
import { output } from '../print';
import { requireOrganisation, withServices } from '../services';

const FORMAT = 'itembank';
const RULES = ['replace', 'skip', 'fail'] as const;

interface Options {
  key: string;
  secretFile?: string;
  domain: string;
  organisation: number;
  fromOrganisation?: number;
  filesFrom?: string[];
  onCollision: (typeof RULES)[number];
  dryRun?: boolean;
  all?: boolean;
  sessions?: boolean;
  sessionMetadata?: string[];
  json?: boolean;
}

export function add(program: Command): void {
  program
    .command('pull')
    .argument('<url>', 'address of the other server, such as https://data.example.com', address)
    .requiredOption('--key <key>', 'key of a consumer of the other server; the right to read suffices')
    .option('--secret-file <path>', 'file with its secret (default: the variable ITEMBANK_PULL_SECRET)')
    .option('--domain <host>', 'domain to sign with', 'localhost')
    .requiredOption('--organisation <id>', 'organisation here that gets the content', organisationId)
    .option(
      '--from-organisation <id>',
      'bank of the other server (default: the primary one of the key)',
      organisationId,
    )
    .option(
      '--files-from <address...>',
      'where the files of the other bank are, such as https://files.example.com (default: on the other server)',
    )
    .addOption(
      new Option('--on-collision <rule>', 'what to do when a reference exists here with other content')
        .choices(RULES)
        .default('replace'),
    )
    .option('--dry-run', 'store nothing, and print what would be stored')
    .option('--all', 'read everything again, not only what changed since the last pull')
    .option('--sessions', 'copy the sessions of learners too, with responses, scores and marks')
    .option('--session-metadata <name...>', 'with --sessions: further metadata to copy; the usual ones always come')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(run);
}

const HELP = `
Copies tags, hierarchies, workflows, items with their questions, features and files, activities and
pools. It only reads from the other server. After an interruption, the same command continues; later,
it brings what has changed since. Pools are filled anew, from the items here.

With --sessions, it copies the sessions of learners after the bank. Scores stay as they are. Sessions
that change meanwhile come with the next pull. Learners who were erased here do not come back.

Examples:
  export ITEMBANK_PULL_SECRET=$(cat secret)
  itembank pull https://data.example.com --key abc123 --organisation 1
  itembank pull https://data.example.com --key abc123 --organisation 1 --dry-run --json
  itembank pull https://data.example.com --key abc123 --organisation 1 --sessions`;

/** Seconds by which a pull reads further back, because a server may commit a change late. */
const OVERLAP_S = 300;

function secretOf({ secretFile }: Options): string {
  const secret = secretFile === undefined ? process.env.ITEMBANK_PULL_SECRET : readFileSync(secretFile, 'utf8').trim();
  if (!secret)
    throw new Error('Put the secret of the key into the variable ITEMBANK_PULL_SECRET, or name a --secret-file.');
  return secret;
}

async function run(url: string, options: Options): Promise<void> {
  output.isOptional = !options.dryRun;
  const report = options.json ? new JsonImportReport() : new TextImportReport();
  try {
    await pullFrom(url, options, report);
  } catch (error) {
    report.fail(error as Error);
    process.exitCode = 1;
  }
}

async function pullFrom(url: string, options: Options, report: ImportReport): Promise<void> {
  if (options.sessionMetadata && !options.sessions) throw new Error('--session-metadata needs --sessions.');
  const caller = { url, key: options.key, secret: secretOf(options), domain: options.domain };
  const calls = new RemoteCalls(caller);
  const files = new RemoteFiles(calls, options.filesFrom ?? [new URL(url).origin]);
  const bank = new RemoteBank(calls, files, options.fromOrganisation);
  const sessions = options.sessions
    ? new RemoteSessions(calls, options.fromOrganisation, options.sessionMetadata ?? [])
    : undefined;
  const contexts = () => [InterchangeModule, ...(sessions ? [LearnersModule, SessionsModule] : [])];
  await withServices((services) => pull(services, url, options, { bank, files, sessions }, report), {
    contexts,
    settings: listeningSettings(),
  });
}

interface Other {
  bank: RemoteBank;
  files: RemoteFiles;
  /** Absent: no sessions are pulled. */
  sessions: RemoteSessions | undefined;
}

async function pull(
  services: INestApplicationContext,
  url: string,
  options: Options,
  { bank, files, sessions }: Other,
  report: ImportReport,
): Promise<void> {
  const { key, organisation, fromOrganisation = 0, dryRun = false, all = false, onCollision } = options;
  await requireOrganisation(services, organisation);
  const { dataDir } = services.get(Config, { strict: false });
  const stored = PullState.of(dataDir, [url, key, fromOrganisation, organisation]);
  const progress = (!all && stored.state.progress) || (await begin(bank, all ? undefined : stored.state));
  const scope: Omit<Scope, 'now'> = {
    shelf: { organisation },
    author: { id: authorOfImport(progress.import), firstname: 'Import', lastname: new URL(url).host.slice(0, 50) },
    operation: 'import',
    readable: new Set([organisation]),
  };
  report.begin({ import: dryRun ? null : authorOfImport(progress.import), format: FORMAT });
  const display = new ProgressDisplay(process.stderr);
  let count = 0;
  const add = (entry: ImportedEntry) => {
    report.add(entry);
    count++;
    if (process.stderr.isTTY) display.show({ status: 'read', progress: { done: count, total: null } });
  };
  const proceed = () => {
    if (!dryRun) stored.proceed(progress);
  };
  const plans: string[] = [];
  const planned = new Set<string>();
  if (progress.part !== 'sessions') {
    const storedEntries = new StoredEntries(progress);
    const entries = storedEntries.entries(bank.pages(progress, progress.since, progress.again));
    const recorded = services.get(RecordedImports, { strict: false });
    const direct: DirectImport = { organisation, id: progress.import, name: url, format: FORMAT, onCollision };
    const run = (work: () => Promise<unknown>) => recorded.run(direct, work);
    const settings = { onCollision, apply: !dryRun, missing: progress.missing, isSameBank: true, run };
    const written = services.get(Importing, { strict: false }).run(files, entries, settings, scope);
    for (let next = await written.next(); ; next = await written.next()) {
      if (next.done) {
        plans.push(next.value);
        break;
      }
      add(next.value);
      const { record, result, reference } = next.value;
      if (dryRun && record?.kind === 'item' && result === 'created') planned.add(reference);
      if (isMissing(next.value)) progress.missing.push(next.value.reference);
      if (isIncomplete(next.value)) addIncomplete(progress, next.value);
      if (storedEntries.countStored()) proceed();
    }
    if (!dryRun) await recorded.end(direct, plans[0]!, report.totals);
  }
  if (sessions) {
    if (progress.part !== 'sessions') Object.assign(progress, { part: 'sessions', next: undefined });
    proceed();
    const learners = services.get(LearnerErasure, { strict: false });
    const erased = (users: readonly string[]) => learners.erasedAmong(users, organisation);
    const keeping = new SessionKeeping(
      services.get(TakenSessions, { strict: false }),
      services.get(ImportAssets, { strict: false }),
      files,
      { onCollision, apply: !dryRun, planned, erased },
      scope,
    );
    // A pull that reads the whole bank reads all sessions.
    const since = progress.since === undefined ? undefined : stored.state.sessions;
    for await (const page of sessions.pages(progress.next, { since, until: progress.began + OVERLAP_S })) {
      for (const entry of await keeping.keep(page.sessions)) add(entry);
      progress.next = page.next ?? progress.next;
      proceed();
    }
    plans.push(keeping.plan);
  }
  if (!dryRun) stored.finish(progress, sessions !== undefined);
  display.end();
  const plan = plans.length === 1 ? plans[0]! : createHash('sha256').update(plans.join()).digest('hex');
  report.end(plan, { again: 'the same command without --dry-run', mayBeEmpty: true });
}

/** Whether the bank has no item of this reference after the import of the entry. */
const isMissing = ({ kind = 'item', reference, result, notes }: Written): boolean =>
  result === 'refused' &&
  kind === 'item' &&
  !notes.some(({ code, was }) => code === 'entry-exists' && was === reference);

/** Whether the bank has the record without some of its items, or refused it for one of them. */
const isIncomplete = ({ record, result, notes }: Written): boolean =>
  notes.some(({ code }) => code === 'item-missing') ||
  (result === 'refused' && record !== null && !notes.some(({ code }) => code === 'entry-exists'));

function addIncomplete(progress: Progress, { kind, reference }: Written): void {
  progress.incomplete ??= { activities: [], pools: [] };
  if (kind === 'activity') progress.incomplete.activities.push(reference);
  if (kind === 'pool') progress.incomplete.pools.push(reference);
}

async function begin(
  bank: RemoteBank,
  { since, incomplete: again }: Pick<PullState['state'], 'since' | 'incomplete'> = {},
): Promise<Progress> {
  const began = (await bank.now()) - OVERLAP_S;
  return { import: newId(Date.now()), began, since, part: 'tags', missing: [], again };
}

/** Detects when all entries of a page are stored. */
class StoredEntries {
  private count = 0;
  private given = 0;
  /** The pages that were read but not fully stored, each with the number of entries up to its end. */
  private readonly ends: { count: number; then: PulledPage['then'] }[] = [];

  constructor(private readonly progress: Progress) {}

  async *entries(pages: AsyncIterable<PulledPage>): AsyncGenerator<Entry> {
    for await (const { entries, then } of pages) {
      yield* entries;
      this.given += entries.length;
      this.ends.push({ count: this.given, then });
    }
  }

  /** Counts one more stored entry. Returns whether it completed a page, and then updates the progress. */
  countStored(): boolean {
    this.count++;
    let isNew = false;
    while (this.ends[0] && this.ends[0].count <= this.count) {
      const { then } = this.ends.shift()!;
      if (then) Object.assign(this.progress, { next: undefined }, then);
      isNew = true;
    }
    return isNew;
  }
}
