import { type Command, CommanderError } from 'commander';
import { Consumers } from '#access';
import { DeliveryModule } from '#delivery';
import { InterchangeModule } from '#interchange';
import { MarkingModule } from '#marking';
import { PeopleModule } from '#people';
import { type Finding, LongReads, type Progress, Verifications } from '#platform';
import { ReportingModule } from '#reporting';
import { organisationId } from '../options';
import { plain, printLine } from '../print';
import { requireOrganisation, STANDARD_ERROR, withServices } from '../services';

interface Options {
  organisation?: number;
  json?: true;
}

/** Exit codes: 1 for findings, 2 when the check is incomplete. */
const FOUND = 1;
const NOT_VERIFIED = 2;

const PROGRESS_INTERVAL_MS = 2_000;

/** Thrown when the check is incomplete. The message is for people. */
class NotVerified extends Error {
  readonly exitCode = NOT_VERIFIED;
}

export function add(program: Command): void {
  program
    .command('verify')
    .option('--organisation <id>', 'check only this organisation', organisationId)
    .option('--json', 'print JSON')
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new CommanderError(NOT_VERIFIED, error.code, error.message);
    })
    .addHelpText('after', `${MEANING}\n\nExamples:\n  itembank verify\n  itembank verify --organisation 2 --json`)
    .action(verify);
}

const MEANING = `
Checks documents against their hashes; records against their revisions, tags, widgets and search index; pools
against the hash of their content; sessions against their forms, and their scores against their responses; the
numbers of events, which have no gaps; the states and files of jobs; imports against the revisions that they made.
Reads in parts, changes nothing, and may run while the service works. Prints its progress on standard error.

Prints a line for each finding, and their number:
  organisation ORGANISATION, KIND REFERENCE: what was found; expected: what would be right

With --json: {"findings": [{"organisation", "kind", "reference", "found", "expected"}, …], "rows": the number of
checked rows}.

Exits with 0 without findings, with 1 with findings, and with 2 when the check was incomplete.`;

async function verify({ organisation, json }: Options): Promise<void> {
  const report = json ? new JsonReport() : new LineReport();
  const progressReporter = new ProgressReporter();
  try {
    await withServices(
      async (services) => {
        const consumers = services.get(Consumers, { strict: false });
        if (organisation !== undefined) await requireOrganisation(services, organisation);
        const organisations =
          organisation === undefined ? (await consumers.organisations()).map(({ id }) => id) : [organisation];
        await consumers.checkSecretsKey();
        const verifications = services.get(Verifications, { strict: false });
        await services.get(LongReads, { strict: false }).run(async () => {
          for (const id of organisations)
            for await (const finding of verifications.findings(id, (progress) => progressReporter.report(progress)))
              report.add(finding);
        }, STANDARD_ERROR);
      },
      { contexts: () => [DeliveryModule, InterchangeModule, MarkingModule, PeopleModule, ReportingModule] },
    );
  } catch (error) {
    throw new NotVerified((error as Error).message);
  }
  report.end(progressReporter.rows);
  if (report.count > 0) process.exitCode = FOUND;
}

/** Prints a line for each finished check, and from time to time for one that takes long. */
class ProgressReporter {
  rows = 0;
  private reportedAt = performance.now();

  report({ organisation, check, rows, isDone }: Progress): void {
    if (isDone) this.rows += rows;
    else if (performance.now() - this.reportedAt < PROGRESS_INTERVAL_MS) return;
    this.reportedAt = performance.now();
    if (rows > 0) process.stderr.write(`organisation ${organisation}, ${check}: ${rows} ${isDone ? 'rows' : '…'}\n`);
  }
}

/** Prints findings as they arrive, without storing them. */
abstract class Report {
  count = 0;

  add(finding: Finding): void {
    this.say(finding);
    this.count++;
  }

  protected abstract say(finding: Finding): void;

  abstract end(rows: number): void;
}

class LineReport extends Report {
  protected override say({ organisation, kind, reference, found, expected }: Finding): void {
    printLine(plain(`organisation ${organisation}, ${kind} ${reference}: ${found}; expected: ${expected}`));
  }

  override end(rows: number): void {
    const findings = this.count === 0 ? 'No findings' : `${this.count} finding${this.count === 1 ? '' : 's'}`;
    printLine(`${findings} in ${rows} rows.`);
  }
}

/** One JSON document with one finding per line. */
class JsonReport extends Report {
  protected override say({ organisation, kind, reference, found, expected }: Finding): void {
    const line = JSON.stringify({ organisation, kind, reference, found, expected });
    process.stdout.write(`${this.count > 0 ? ',' : '{"findings": ['}\n  ${line}`);
  }

  override end(rows: number): void {
    printLine(`${this.count > 0 ? '\n]' : '{"findings": []'}, "rows": ${rows}}`);
  }
}
