import { Injectable } from '@nestjs/common';
import { type FiledResults, JobHandler, Jobs, type RunningJob, untilCommitted } from '#jobs';
import { Clock, Fault, type FaultDetail, inParts, place, type Scope, throwAny } from '#kernel';
import { Files, zipOf } from '#platform';
import { itemsIn, type NamedItem } from '../domain/activity';
import { BATCH_SIZE, PackageContents } from './package-contents';
import { PackageParts } from './package-parts';
import { type PackageReport, writePackage } from './package-writing';
import { ShelfReader } from './ports/shelf-reader';

/** An item that the request names itself, and not by an activity. */
interface PackagedItem {
  reference: string;
  /** Absent: the organisation that requests the package. */
  organisation?: number;
  /** JSON pointer to its reference in the request. */
  at: string;
}

interface PackageRequest {
  activities: readonly string[];
  items: readonly PackagedItem[];
  /** The path of the package for the pages that use it. */
  baseDirectory: string;
}

/** The task of the job. */
interface Task {
  activities: string[];
  items: NamedItem[];
  baseDirectory: string;
  /** The time of the request. Every attempt packs the content of this moment. */
  asOf: number;
  readable: number[];
}

/** The largest number of skipped records in the results. The manifest lists all of them. */
const MAX_SHOWN = 50;

/** A job that packs activities and items, with everything that they use, for offline use. */
@Injectable()
export class OfflinePackages extends JobHandler {
  override readonly type = 'offline-package';

  constructor(
    private readonly jobs: Jobs,
    private readonly reader: ShelfReader,
    private readonly files: Files,
    private readonly clock: Clock,
    private readonly parts: PackageParts,
  ) {
    super();
  }

  /**
   * Starts the job and returns its reference.
   * @throws Fault 20000 when the request names nothing, 30001 for a record that does not exist, 40003 for an item of a
   *   bank that the caller may not read, named by the request or by an activity.
   */
  async start({ activities, items, baseDirectory }: PackageRequest, scope: Scope): Promise<string> {
    const { organisation } = scope.shelf;
    if (activities.length + items.length === 0)
      throw new Fault(
        'missing',
        'A package must have content: name activities in activity_references, or items in items.',
        '/activity_references',
      );
    const faults = [...(await this.unreadable(activities, items, scope)), ...(await this.unknown(items, scope))];
    throwAny(faults);
    const named = new Map<string, NamedItem>();
    for (const { reference, organisation: other = organisation } of items)
      named.set(`${other} ${reference}`, { organisation: other, reference });
    const input: Task = {
      activities: [...new Set(activities)],
      items: [...named.values()],
      baseDirectory,
      asOf: await this.reader.presentMoment([...scope.readable], scope.now),
      readable: [...scope.readable],
    };
    return this.jobs.start({ type: this.type, lane: 'bulk', input: JSON.stringify(input) }, scope);
  }

  override async run(job: RunningJob): Promise<FiledResults> {
    const { asOf, baseDirectory, ...wanted } = job.input as Task;
    await untilCommitted(this.clock, asOf, job.signal);
    const contents = await PackageContents.choose(this.reader, { ...wanted, organisation: job.organisation, asOf });
    const publicBase = (await this.files.publicAddress({ area: 'public', owner: 1, key: 'x' })).slice(
      0,
      -'/1/x'.length,
    );
    let report: PackageReport | undefined;
    const zip = zipOf(async (archive) => {
      report = await writePackage(archive, contents, {
        files: this.files,
        publicBase,
        baseDirectory,
        reference: job.id,
        parts: this.parts.all,
        report: (done, total) => job.report({ done, total }),
      });
    }, asOf);
    const file = await job.writeFile(zip, 'application/zip');
    const { counts, skipped, missing } = report!;
    return {
      files: [file],
      members: JSON.stringify({
        as_of: new Date(asOf).toISOString(),
        ...counts,
        skipped: skipped.length,
        skipped_records: skipped.slice(0, MAX_SHOWN),
        missing_assets: missing,
      }),
    };
  }

  /** Finds activities that do not exist, and items in banks that the caller may not read. */
  private async unreadable(
    activities: readonly string[],
    items: readonly PackagedItem[],
    { shelf, readable }: Scope,
  ): Promise<FaultDetail[]> {
    const faults: FaultDetail[] = [];
    const { organisation } = shelf;
    const mayNot = (other: number, at: string, what: string): FaultDetail => ({
      kind: 'no-rights',
      at,
      message: `${place(at)} ${what} of organisation ${other}, which you may not read.`,
    });
    for (const { organisation: other = organisation, at } of items)
      if (!readable.has(other)) faults.push(mayNot(other, at, 'is'));
    const places = new Map(activities.map((reference, index) => [reference, `/activity_references/${index}`]));
    for (const references of inParts([...places.keys()], BATCH_SIZE)) {
      const found = new Map<string, string>();
      const { entries } = await this.reader.find(shelf, {
        kind: 'activity',
        references,
        sort: { field: 'created', ascending: true },
        limit: references.length,
      });
      for (const { reference, body } of entries) found.set(reference, body);
      for (const reference of references) {
        const at = places.get(reference)!;
        const body = found.get(reference);
        if (body === undefined)
          faults.push({
            kind: 'reference-unknown',
            at,
            message: `${place(at)}: there is no activity ${JSON.stringify(reference)} in item bank ${organisation}.`,
          });
        else
          for (const { organisation: other } of itemsIn(body, organisation))
            if (!readable.has(other)) faults.push(mayNot(other, at, 'has items'));
      }
    }
    return faults;
  }

  /** Finds items that do not exist, in banks that the caller may read. */
  private async unknown(items: readonly PackagedItem[], { shelf, readable }: Scope): Promise<FaultDetail[]> {
    const faults: FaultDetail[] = [];
    const organisations = new Set(items.map(({ organisation = shelf.organisation }) => organisation));
    for (const organisation of organisations) {
      if (!readable.has(organisation)) continue;
      const asked = items.filter((item) => (item.organisation ?? shelf.organisation) === organisation);
      for (const part of inParts(asked, BATCH_SIZE)) {
        const references = [...new Set(part.map(({ reference }) => reference))];
        const { entries } = await this.reader.find(
          { organisation },
          { kind: 'item', references, sort: { field: 'created', ascending: true }, limit: references.length },
        );
        const known = new Set(entries.map(({ reference }) => reference));
        for (const { reference, at } of part)
          if (!known.has(reference))
            faults.push({
              kind: 'item-unknown',
              at,
              message: `${place(at)}: there is no item ${JSON.stringify(reference)} in item bank ${organisation}; name another bank with items[].organisation_id.`,
            });
      }
    }
    return faults;
  }
}
