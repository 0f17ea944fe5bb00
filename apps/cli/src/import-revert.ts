import { setTimeout as sleep } from 'node:timers/promises';
import { type INestApplicationContext } from '@nestjs/common';
import { type Command } from 'commander';
import { Imports, InterchangeModule, REVERT_IMPORT } from '#interchange';
import { Jobs } from '#jobs';
import { Clock, type Scope } from '#kernel';
import { plain, printFailure, printJson, printLine } from './print';
import { ProgressDisplay } from './progress';
import { requireOrganisation, withServices } from './services';

/** The interval between reads of the job. */
const INTERVAL_MS = 500;
/** After this many reads of a job that nothing has begun, the command leaves it to the queue. */
const MAX_QUEUED_READS = 40;

export function addRevert(program: Command): void {
  program
    .command('revert')
    .description('Reverts an import by a job of the service.')
    .argument('<reference>', 'reference of the import, as the import printed it')
    .addHelpText(
      'after',
      `
Replaced records get their former content; new items and activities are archived. Questions, files,
tags, workflows and pools stay. If a record was changed since, nothing is reverted.

Example:
  itembank import revert import-01JZX3M5V2Q4T6W8Y0A1B2C3D4 --organisation 1
  itembank import revert import-01JZX3M5V2Q4T6W8Y0A1B2C3D4 --json`,
    )
    .action(async (reference: string, _options: object, command: Command) => {
      const { organisation, json = false } = command.optsWithGlobals<{ organisation: number; json?: boolean }>();
      try {
        await withServices((services) => revert(services, reference.replace(/^import-/, ''), organisation, json), {
          contexts: () => [InterchangeModule],
        });
      } catch (error) {
        if (json) printFailure(error as Error);
        throw error;
      }
    });
}

async function revert(
  services: INestApplicationContext,
  reference: string,
  organisation: number,
  asJson: boolean,
): Promise<void> {
  await requireOrganisation(services, organisation);
  const scope: Scope = {
    shelf: { organisation },
    author: { id: 'command-line', firstname: 'Command line' },
    operation: REVERT_IMPORT,
    readable: new Set([organisation]),
    now: services.get(Clock, { strict: false }).now(),
  };
  const job = await services.get(Imports, { strict: false }).revert(reference, scope);
  if (!asJson) printLine(`Job: ${job}`);
  const jobs = services.get(Jobs, { strict: false });
  const display = new ProgressDisplay(process.stderr);
  let hasBegun = false;
  for (let reads = 1; ; reads++) {
    const [found] = (await jobs.find([organisation], { references: [job], limit: 1 })).entries;
    if (!found) throw new Error(`There is no job ${job} any more.`);
    if (process.stderr.isTTY) display.show(found);
    if (found.completedAt !== null) {
      display.end();
      if (found.status === 'halted') throw new Error(`The revert has stopped: ${plain(found.error?.message ?? '')}`);
      if (asJson) return printJson({ job, ...(JSON.parse(found.results ?? '{}') as object) });
      const { restored, archived, kept, changed } = JSON.parse(found.results ?? '{}') as Record<string, number>;
      const others = changed === 0 ? '' : ` ${changed} changed meanwhile, and stay too.`;
      printLine(
        `Reverted: ${restored} replaced records restored, ${archived} new items and activities archived. ` +
          `${kept} new questions, features and files stay.${others}`,
      );
      return;
    }
    hasBegun ||= found.status !== 'queued';
    if (!hasBegun && reads === MAX_QUEUED_READS)
      throw new Error(
        `Nothing has begun the job yet. Start a service or a worker, which then reverts the import; ` +
          `itembank jobs watch ${job} shows when it is done.`,
      );
    await sleep(INTERVAL_MS);
  }
}
