import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import {
  checkRevisions,
  Fault,
  Faults,
  type JsonObject,
  type JsonText,
  place,
  refuseRepeated,
  type Scope,
} from '#kernel';
import { copiedData, itemsIn, unlistedItems } from '../domain/activity';
import { type Document } from '../domain/document';
import { activityDocument } from './activities';
import { type Duplicate, Duplication, type DuplicateOptions } from './duplication';
import { RecordStore, type WholeRecord } from './ports/record-store';
import { ShelfReader } from './ports/shelf-reader';

/** The task of the job. It contains the new references, so that every attempt makes the same copies. */
interface Task {
  activities: { reference: string; copy: string }[];
  sharedPassages: boolean;
  /** Copied from the scope of the call. */
  cannotPublish?: true;
}

/** The progress of the job. */
interface State {
  /** The number of copied activities. */
  activities: number;
  /** References of copied items, by the references of their sources. */
  items: Record<string, string>;
}

/** Items copied in one batch. */
const BATCH_SIZE = 50;

/** A job that copies activities with their items and the questions and features of these. */
@Injectable()
export class ActivityDuplication extends JobHandler {
  override readonly type = 'duplicate-activities';

  constructor(
    private readonly jobs: Jobs,
    private readonly records: RecordStore,
    private readonly reader: ShelfReader,
    private readonly duplication: Duplication,
    private readonly authors: Authors,
  ) {
    super();
  }

  /**
   * Starts the job and returns its reference.
   * @throws Fault for activities that do not exist, and for references that are taken.
   */
  async start(entries: readonly Duplicate[], { sharedPassages }: DuplicateOptions, scope: Scope): Promise<string> {
    const at = (index: number) => `/activities/${index}`;
    refuseRepeated(entries.map(({ reference }, index) => ({ reference, at: `${at(index)}/reference` })));
    const wanted = entries.flatMap(({ newReference: reference }, index) =>
      reference === undefined ? [] : [{ reference, at: `${at(index)}/new_reference` }],
    );
    refuseRepeated(wanted);
    const references = [...new Set([...entries, ...wanted].map(({ reference }) => reference))];
    const { entries: found } = await this.reader.find(scope.shelf, {
      kind: 'activity',
      references,
      sort: { field: 'created', ascending: true },
      limit: references.length,
    });
    const existing = new Map(found.map((record) => [record.reference, record]));
    const faults = new Faults();
    for (const [index, { reference, newReference }] of entries.entries()) {
      if (!existing.has(reference)) faults.addAll(unknown(reference, `${at(index)}/reference`).details);
      if (newReference !== undefined && existing.has(newReference))
        faults.addAll(taken(newReference, `${at(index)}/new_reference`).details);
    }
    faults.throwAny();
    checkRevisions(
      entries.map(({ reference, ifRevision }, index) => ({ reference, ifRevision, at: at(index) })),
      existing,
    );
    const task: Task = {
      activities: entries.map(({ reference, newReference }) => ({ reference, copy: newReference ?? randomUUID() })),
      sharedPassages,
      cannotPublish: scope.cannotPublish,
    };
    return this.jobs.start({ type: this.type, lane: 'bulk', input: JSON.stringify(task) }, scope);
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const { activities, sharedPassages, cannotPublish } = job.input as Task;
    const state = () => job.state ?? { activities: 0, items: {} };
    while (state().activities < activities.length)
      await job.batch(async () => {
        const scope = { ...job.scope, cannotPublish };
        await this.authors.ensure(scope);
        const { activities: done, items } = state();
        const { reference, copy } = activities[done]!;
        const [source, own] = await this.source(reference, copy, scope);
        const left = own.filter((item) => !Object.hasOwn(items, item));
        if (left.length === 0) {
          await this.copy(source, copy, own, items, scope);
          return { state: { activities: done + 1, items }, progress: { done: done + 1, total: activities.length } };
        }
        const copies = await this.duplication.items(
          left.slice(0, BATCH_SIZE).map((item) => ({ reference: item })),
          { sharedPassages },
          scope,
        );
        const more = Object.fromEntries([...copies].map(([item, made]) => [item, made.reference]));
        return {
          state: { activities: done, items: { ...items, ...more } },
          progress: { done, total: activities.length },
        };
      });
    return JSON.stringify({
      activities: activities.map(({ reference, copy }) => ({ reference, new_reference: copy })),
      items: Object.entries(state().items).map(([reference, copy]) => ({ reference, new_reference: copy })),
    });
  }

  /** The present activity, and the items of the same bank that it names. */
  private async source(
    reference: string,
    copy: string,
    { shelf: { organisation } }: Scope,
  ): Promise<[WholeRecord, string[]]> {
    const found = await this.records.share(organisation, 'activity', [reference, copy].sort());
    if (found.has(copy)) throw taken(copy);
    const source = found.get(reference);
    if (!source) throw unknown(reference);
    const items = itemsIn(source.body, organisation);
    const listed = items.filter((item) => item.organisation === organisation).map((item) => item.reference);
    const { data } = JSON.parse(source.body) as { data: JsonObject };
    const existing = await this.records.hold(organisation, 'item', unlistedItems(data, items).sort());
    return [source, [...listed, ...existing.keys()]];
  }

  private async copy(
    source: WholeRecord,
    reference: string,
    own: readonly string[],
    items: Readonly<Record<string, string>>,
    scope: Scope,
  ): Promise<void> {
    const { organisation } = scope.shelf;
    const copies = await this.records.hold(organisation, 'item', own.map((item) => items[item]!).sort());
    const names = new Map(own.map((item) => [item, { reference: items[item]!, id: copies.get(items[item]!)!.id }]));
    await this.records.save(
      [
        {
          kind: 'activity',
          reference,
          titleKey: source.titleKey,
          type: null,
          status: source.status,
          document: copiedDocument(source, names, organisation),
          tagSetId: source.tagSetId,
          tagIds: source.tagIds,
          holds: own.map((item) => names.get(item)!.id),
          origin: { id: source.id, at: source.updatedAt },
        },
      ],
      scope,
    );
  }
}

function copiedDocument(
  source: WholeRecord,
  names: ReadonlyMap<string, { reference: string; id: string }>,
  organisation: number,
): Document {
  const body = JSON.parse(source.body) as JsonObject & { data: JsonObject };
  const data = copiedData(body.data, organisation, names);
  return activityDocument({ ...body, data }, source.extras, organisation);
}

function unknown(reference: string, at?: string): Fault {
  const where = at === undefined ? '' : `${place(at)}: `;
  return new Fault('reference-unknown', `${where}there is no activity ${JSON.stringify(reference)} to copy.`, at);
}

function taken(reference: string, at?: string): Fault {
  const where = at === undefined ? '' : `${place(at)}: `;
  return new Fault('duplicate', `${where}an activity ${JSON.stringify(reference)} exists already.`, at);
}
