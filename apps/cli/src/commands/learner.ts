import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Type } from '@nestjs/common';
import { type Command } from 'commander';
import {
  type ErasureReport,
  erasureView,
  type ExportLine,
  LearnerErasure,
  LearnerExport,
  LearnersModule,
} from '#learners';
import { organisationId } from '../options';
import { printJson, printLine } from '../print';
import { requireOrganisation, withServices } from '../services';

/** Data that this erasure does not reach. */
const OUTSIDE = [
  'events that receivers already have (webhooks, Redis streams); the event learner-erased tells them the SHA-256 of the user_id',
  'files that answers link to, such as recordings; they are where the player stored them',
  'logs, which name no learner but may hold ids of sessions in addresses, and back-ups and binary logs of the database',
  'authors (meta.user), who are staff',
];

interface ErasureOptions {
  organisation: number;
  dryRun?: boolean;
  json?: true;
}

export function add(program: Command): void {
  const learner = program.command('learner');

  learner
    .command('erase')
    .description('Removes a learner everywhere; anonymous item statistics stay. Run it again after an interruption.')
    .argument('<user>', 'the user_id, exactly as it was sent')
    .requiredOption('--organisation <id>', 'organisation that holds the learner', organisationId)
    .option('--dry-run', 'change nothing, and print what would happen')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  itembank learner erase 5e3a0d2c-1b7f-4d39-9c52 --organisation 1 --dry-run
  itembank learner erase 5e3a0d2c-1b7f-4d39-9c52 --organisation 1

Only a back-up restores erased data. First make sure that the learner submits nothing more.`,
    )
    .action(async (user: string, { organisation, dryRun = false, json }: ErasureOptions) => {
      const report = await withLearners(organisation, LearnerErasure, (erasure) =>
        erasure.erase(user, organisation, { dryRun }),
      );
      if (json) printJson(view(report));
      else for (const line of sentences(report)) printLine(line);
    });

  learner
    .command('export')
    .description('Exports all data of a learner, one JSON object per line.')
    .argument('<user>', 'the user_id, exactly as it was sent')
    .requiredOption('--organisation <id>', 'organisation that holds the learner', organisationId)
    .option('--out <file>', 'write to this file, which nobody else may read; otherwise to standard output')
    .addHelpText(
      'after',
      '\nExample:\n  itembank learner export 5e3a0d2c-1b7f-4d39-9c52 --organisation 1 --out learner.ndjson',
    )
    .action(async (user: string, { organisation, out }: { organisation: number; out?: string }) => {
      const count = await withLearners(organisation, LearnerExport, async (all) => {
        const lines = all.lines(user, organisation);
        return out === undefined ? print(lines) : writeFile(out, lines);
      });
      if (out !== undefined) printLine(count === 1 ? '1 record was written.' : `${count} records were written.`);
    });
}

function withLearners<S, T>(organisation: number, service: Type<S>, work: (service: S) => Promise<T>): Promise<T> {
  return withServices(
    async (services) => {
      await requireOrganisation(services, organisation);
      return work(services.get(service, { strict: false }));
    },
    { contexts: () => [LearnersModule] },
  );
}

async function print(lines: AsyncIterable<ExportLine>): Promise<number> {
  let count = 0;
  for await (const line of lines) {
    count++;
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
  }
  return count;
}

/** Writes a file atomically. */
async function writeFile(path: string, lines: AsyncIterable<ExportLine>): Promise<number> {
  let count = 0;
  const texts = async function* () {
    for await (const line of lines) {
      count++;
      yield `${JSON.stringify(line)}\n`;
    }
  };
  const partial = `${path}.partial`;
  try {
    await rm(partial, { force: true });
    await pipeline(Readable.from(texts()), createWriteStream(partial, { flags: 'wx', mode: 0o600 }));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Error(`${path} cannot be written (${code}); name a file in an existing, writable folder with --out.`);
  }
  return count;
}

const view = (report: ErasureReport) => ({
  ...erasureView(report),
  organisation: report.organisation,
  dry_run: report.dryRun,
  outside: OUTSIDE,
});

function sentences(report: ErasureReport): string[] {
  const { sessions, events, jobs, files } = report;
  if (!report.found) return [`Nothing is stored about this learner (SHA-256 ${report.learner}).`];
  return [
    `${report.dryRun ? 'Would be erased' : 'Erased'}: the learner with the SHA-256 ${report.learner}`,
    `  sessions            ${sessions.removed} removed, ${sessions.anonymised} kept anonymously for statistics`,
    `  tests begun         ${report.attempts} removed`,
    `  score changes       ${report.scoreChanges} removed`,
    `  tags of sessions    ${report.tags} removed`,
    `  marks of rounds     ${report.marks} removed`,
    `  rescored sessions   ${report.rescoredSessions} emptied`,
    `  audit entries       ${report.auditEntries} emptied`,
    `  events              ${events.removed} removed, ${events.emptied} emptied, ${events.deliveries} deliveries removed`,
    `  jobs                ${jobs.changed} changed, ${jobs.putBack} begin again`,
    `  kept answers        ${report.keptAnswers} changed or removed`,
    `  files               ${files.length} removed${files.map((id) => `\n    ${id}`).join('')}`,
    ...(report.meanwhile > 0
      ? [
          `  ${report.meanwhile} of the sessions arrived meanwhile: make sure that the learner submits nothing more, and run it again`,
        ]
      : []),
    ...(report.isAuthor ? ['  an author has the same id, and stays'] : []),
    'Outside the reach of this command:',
    ...OUTSIDE.map((each) => `  ${each}`),
  ];
}
