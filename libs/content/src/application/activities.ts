import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import {
  checkRevisions,
  Faults,
  type JsonObject,
  type JsonText,
  newId,
  place,
  refuseRepeated,
  type Scope,
  type Shelf,
  type Slice,
  UnitOfWork,
} from '#kernel';
import { type TagName, Tags } from '#tagging';
import {
  checkData,
  completedData,
  type ItemMention,
  itemsOf,
  portableData,
  repeatedReferenceWarnings,
  subscoreWarnings,
  unlistedItems,
} from '../domain/activity';
import { type Document, documentOf, mergeExtras, prepare, type Prepared } from '../domain/document';
import { NO_ADAPTIVE, type Status, type StoredRecord } from '../domain/record';
import { MAX_WARNINGS, type Warning } from '../domain/warning';
import { type HeldRecord, type Origin, type RecordChange, RecordStore } from './ports/record-store';
import { type RecordQuery, ShelfReader } from './ports/shelf-reader';
import { type Retag, Retagging } from './retagging';
import { type Effect, effectsOf, type PlannedNames, type SetOptions, titleKeyOf, uniqueIds } from './writing';

/** An activity as `set` takes it. Absent members are cleared, except title and metadata, which stay. */
export interface ActivityInput {
  reference: string;
  title?: string | null;
  description?: string | null;
  status?: Status;
  tags?: TagName[];
  data?: JsonObject;
  baseTemplateId?: string | null;
  adaptive?: JsonObject | null;
  metadata?: JsonObject | null;
  ifRevision?: number;
  /** Set when the content is that of an old revision. */
  origin?: Origin;
}

export type ActivityQuery = Omit<RecordQuery, 'kind'>;

@Injectable()
export class Activities {
  constructor(
    private readonly records: RecordStore,
    private readonly reader: ShelfReader,
    private readonly tags: Tags,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
    private readonly retagging: Retagging,
  ) {}

  async find(shelf: Shelf, query: ActivityQuery): Promise<Slice<StoredRecord>> {
    return this.reader.find(shelf, { ...query, kind: 'activity' });
  }

  /** Creates or replaces the activities, all or none. Returns at most 50 warnings about likely mistakes. */
  async set(
    inputs: readonly ActivityInput[],
    scope: Scope,
    options: SetOptions = {},
  ): Promise<{ warnings: Warning[]; effects: Effect[] }> {
    let effects: Effect[] = [];
    const own = scope.shelf.organisation;
    refuseRepeated(inputs.map(({ reference }, index) => ({ reference, at: `/activities/${index}/reference` })));
    const faults = new Faults();
    const ready = inputs.map((input, index) => {
      const data = input.data ?? {};
      const at = `/activities/${index}/data`;
      faults.collect(() => checkData(data, at));
      const items = faults.collect(() => itemsOf(data, at, own)) ?? [];
      return {
        input,
        data,
        items,
        besides: unlistedItems(data, items),
        warnings: [...repeatedReferenceWarnings(items), ...subscoreWarnings(data, at, items)],
      };
    });
    for (const { items } of ready)
      for (const { organisation = own, at } of items)
        if (!scope.readable.has(organisation))
          faults.add(
            'no-rights',
            `${place(at)} is an item of organisation ${organisation}, which you may not read.`,
            at,
          );
    faults.throwAny();
    const tags = inputs.flatMap((input) => input.tags ?? []);
    const known = await this.tags.lookUp(own, tags);
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const tagIds = await this.tags.ensure(tags, known, scope);
      const items = await this.held(
        ready.flatMap((entry) => entry.items),
        ready.flatMap(({ besides }) => besides),
        scope,
        options.planned,
      );
      const current = await this.records.lock(own, 'activity', inputs.map(({ reference }) => reference).sort());
      checkRevisions(
        inputs.map(({ reference, ifRevision }, index) => ({ reference, ifRevision, at: `/activities/${index}` })),
        current,
      );
      const lists = inputs.map((input) => uniqueIds(input.tags ?? [], tagIds));
      const sets = await this.tags.sets(lists, scope, current.values());
      const changes = ready.map(({ input, data, items: mentions, besides }, index): RecordChange => {
        const before = current.get(input.reference);
        const extras = mergeExtras(before?.extras ?? null, {
          title: input.title === undefined ? undefined : input.title === null ? null : prepare(input.title),
          metadata: input.metadata && prepare(input.metadata),
        });
        const title = extras.title ? (JSON.parse(extras.title.text) as string) : null;
        const stored = completedData(
          data,
          own,
          (organisation, reference) => items.get(organisation)!.get(reference)!.id,
        );
        const listed = mentions.flatMap(({ organisation = own, reference }) =>
          organisation === own ? [reference] : [],
        );
        return {
          before,
          kind: 'activity',
          reference: input.reference,
          titleKey: titleKeyOf(title),
          type: null,
          status: input.status ?? 'published',
          document: documentOf(
            bodyMembers(
              {
                description: input.description ?? '',
                data: stored,
                adaptive: { ...NO_ADAPTIVE, ...input.adaptive },
                ...(input.baseTemplateId ? { base_template_id: input.baseTemplateId } : {}),
              },
              own,
            ),
            extras,
          ),
          tagSetId: sets[index]!,
          tagIds: lists[index]!,
          origin: input.origin,
          holds: [...listed, ...besides].flatMap((reference) => items.get(own)!.get(reference)?.id ?? []),
        };
      });
      const { changed, ...found } = effectsOf(changes, options);
      ({ effects } = found);
      await this.records.save(changed, scope);
    });
    return { warnings: ready.flatMap(({ warnings }) => warnings).slice(0, MAX_WARNINGS), effects };
  }

  /** Replaces or extends the tags of the activities, all or none. */
  async retag(entries: readonly Retag[], how: 'replace' | 'append', scope: Scope): Promise<void> {
    await this.retagging.retag('activity', entries, how, scope);
  }

  /**
   * The items that activities name, by organisation and reference, locked against renames.
   *
   * @param besides references of items of the bank that need not exist.
   * @param planned items of the bank that do not exist yet; they get ids of no record.
   */
  private async held(
    mentions: readonly ItemMention[],
    besides: readonly string[],
    { shelf: { organisation: own }, now }: Scope,
    planned?: PlannedNames,
  ): Promise<Map<number, Map<string, HeldRecord>>> {
    const wanted = new Map<number, Set<string>>([[own, new Set(besides)]]);
    for (const { organisation = own, reference } of mentions)
      wanted.set(organisation, (wanted.get(organisation) ?? new Set()).add(reference));
    const found = new Map<number, Map<string, HeldRecord>>();
    for (const [organisation, references] of [...wanted].sort(([a], [b]) => a - b))
      found.set(organisation, await this.records.hold(organisation, 'item', [...references].sort()));
    const ours = found.get(own)!;
    for (const reference of wanted.get(own)!)
      if (planned?.hasItem(reference) && !ours.has(reference))
        ours.set(reference, { id: newId(now), kind: 'item', type: null, updatedAt: now });
    const faults = new Faults();
    for (const { reference, organisation = own, at } of mentions)
      if (!found.get(organisation)!.has(reference))
        faults.add(
          'item-unknown',
          `${place(at)}: there is no item ${JSON.stringify(reference)} in organisation ${organisation}.`,
          at,
        );
    faults.throwAny();
    return found;
  }
}

/** The document of an activity with these members. Ids differ between installations; the hash leaves them out. */
export function activityDocument(body: JsonObject, extras: JsonText | null, own: number): Document {
  return documentOf(bodyMembers(body, own), mergeExtras(extras, {}));
}

function bodyMembers(body: JsonObject, own: number): Record<string, Prepared> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'data' ? prepare(value, portableData(value as JsonObject, own)) : prepare(value),
    ]),
  );
}
