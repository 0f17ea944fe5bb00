import { Inject, Injectable } from '@nestjs/common';
import { Authors } from '#access';
import {
  checkWidgetReference,
  Fault,
  type JsonObject,
  MANUAL_USER,
  place,
  type Scope,
  type Shelf,
  type Slice,
  UnitOfWork,
} from '#kernel';
import { maxScore } from '#scoring';
import { type TagName, Tags } from '#tagging';
import { renamedData } from '../domain/activity';
import { documentOf, mergeExtras, objectText, prepare, type Prepared } from '../domain/document';
import { checkItemMetadata, DEFAULT_SCORING_TYPE, type WidgetMention, widgetsOf } from '../domain/item';
import { type Kind, type Status, type StoredRecord } from '../domain/record';
import { sanitiseItem } from '../domain/sanitise';
import { activityDocument } from './activities';
import { type CurrentRecord, type HeldRecord, type RecordChange, RecordStore } from './ports/record-store';
import { type RecordQuery, ShelfReader } from './ports/shelf-reader';
import { type Retag, Retagging } from './retagging';
import { refuseRepeated, titleKeyOf, uniqueIds } from './writing';

/** An item as `set` takes it. Absent members are cleared, but for those that reads return only when asked. */
export interface ItemInput {
  reference: string;
  newReference?: string;
  title?: string | null;
  description?: string | null;
  note?: string | null;
  source?: string | null;
  status?: Status;
  definition: JsonObject;
  /** References of the questions; absent: those of the definition. */
  questions?: string[];
  features?: string[];
  metadata?: JsonObject | null;
  tags?: TagName[];
  dynamicContentData?: JsonObject | null;
  adaptive?: JsonObject | null;
  workflow?: { reference: string; state: string } | null;
}

export type ItemQuery = Omit<RecordQuery, 'kind' | 'createdBy'> & { createdBy?: readonly string[] };

/** An entry of a set with all that can be made ready before the unit of work. */
interface Ready {
  input: ItemInput;
  shown: WidgetMention[];
  scoringType: string;
  members: Record<'title' | 'description' | 'note' | 'source' | 'definition' | 'metadata', Prepared>;
  extras: Record<'dynamic_content_data' | 'adaptive', Prepared | null | undefined>;
}

/** Most activities that follow the rename of items in one request (decision 15). */
const FOLLOWERS = 1000;

@Injectable()
export class Items {
  constructor(
    @Inject(RecordStore) private readonly records: RecordStore,
    @Inject(ShelfReader) private readonly reader: ShelfReader,
    @Inject(Tags) private readonly tags: Tags,
    @Inject(Authors) private readonly authors: Authors,
    @Inject(UnitOfWork) private readonly work: UnitOfWork,
    @Inject(Retagging) private readonly retagging: Retagging,
  ) {}

  async find(shelf: Shelf, { createdBy, ...query }: ItemQuery): Promise<Slice<StoredRecord>> {
    const authors = createdBy?.flatMap((id) => (id === MANUAL_USER ? [id, null] : [id]));
    return this.reader.find(shelf, { ...query, kind: 'item', createdBy: authors });
  }

  /** The highest score of each item: the sum of what its questions can give, as they are now. By reference. */
  async maxScores(shelf: Shelf, references: readonly string[]): Promise<Map<string, number>> {
    const scores = new Map(references.map((reference) => [reference, 0]));
    let after: RecordQuery['after'];
    do {
      const slice = await this.reader.findHeld(
        shelf,
        { kind: 'question', sort: { field: 'created', ascending: true }, limit: 1000, after },
        references,
      );
      for (const { holder, record } of slice.entries) {
        const { type, data } = JSON.parse(record.body) as { type: string; data: JsonObject };
        scores.set(holder, scores.get(holder)! + maxScore({ ...data, type }));
      }
      after = slice.after;
    } while (after);
    return scores;
  }

  /** Creates or replaces the items, all or none. Returns how much markup was removed. */
  async set(inputs: readonly ItemInput[], scope: Scope): Promise<{ sanitised: number }> {
    refuseRepeated(
      inputs.flatMap(({ reference, newReference }, index) => [
        { reference, at: `/items/${index}/reference` },
        ...(newReference === undefined || newReference === reference
          ? []
          : [{ reference: newReference, at: `/items/${index}/new_reference` }]),
      ]),
    );
    let sanitised = 0;
    const ready = inputs.map((input, index) => {
      const { data, removed } = sanitiseItem({
        description: input.description ?? '',
        definition: input.definition,
        metadata: input.metadata ?? null,
        dynamic_content_data: input.dynamicContentData ?? null,
      });
      sanitised += removed;
      const clean = removed === 0 ? input : { ...input, ...cleanMembers(data, input) };
      return this.ready(clean, `/items/${index}`);
    });
    const tags = inputs.flatMap(({ tags = [] }) => tags);
    const known = await this.tags.lookUp(scope.shelf.organisation, tags);
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const tagIds = await this.tags.ensure(tags, known, scope);
      const mentioned = new Set(
        ready.flatMap(({ input, shown }) => [
          ...shown.map(({ reference }) => reference),
          ...(input.questions ?? []),
          ...(input.features ?? []),
        ]),
      );
      const widgets = await this.records.hold(scope.shelf.organisation, 'widget', [...mentioned].sort());
      const current = await this.records.lock(
        scope.shelf.organisation,
        'item',
        ready
          .flatMap(({ input: { reference, newReference } }) => (newReference ? [reference, newReference] : [reference]))
          .sort(),
      );
      const lists = ready.map(({ input }) => uniqueIds(input.tags ?? [], tagIds));
      const sets = await this.tags.sets(lists, scope, current.values());
      const changes = ready.map((entry, index) =>
        this.change(entry, `/items/${index}`, { current, widgets, tagIds: lists[index]!, tagSetId: sets[index]! }),
      );
      await this.records.save(changes, scope);
      await this.followRenames(changes, scope);
    });
    return { sanitised };
  }

  /** Replaces or adds to the tags of the items, all or none. */
  async retag(entries: readonly Retag[], how: 'replace' | 'append', scope: Scope): Promise<void> {
    await this.retagging.retag('item', entries, how, scope);
  }

  private ready(input: ItemInput, at: string): Ready {
    const shown = widgetsOf(input.definition, `${at}/definition`);
    for (const mention of shown) checkWidgetReference(mention.reference, mention.at);
    const { metadata, scoringType } = input.metadata
      ? checkItemMetadata(input.metadata, `${at}/metadata`)
      : { metadata: null, scoringType: DEFAULT_SCORING_TYPE };
    if (input.workflow)
      throw new Fault(
        'reference-unknown',
        `There is no workflow ${JSON.stringify(input.workflow.reference)}.`,
        `${at}/authoring_workflow/reference`,
      );
    return {
      input,
      shown,
      scoringType,
      members: {
        title: prepare(input.title ?? null),
        description: prepare(input.description ?? ''),
        note: prepare(input.note ?? null),
        source: prepare(input.source ?? null),
        definition: prepare(input.definition),
        metadata: prepare(metadata),
      },
      extras: {
        dynamic_content_data: input.dynamicContentData && prepare(input.dynamicContentData),
        adaptive: input.adaptive && prepare(input.adaptive),
      },
    };
  }

  private change(
    { input, shown, scoringType, members, extras }: Ready,
    at: string,
    found: {
      current: Map<string, CurrentRecord>;
      widgets: Map<string, HeldRecord>;
      tagIds: string[];
      tagSetId: string | null;
    },
  ): RecordChange {
    const before = found.current.get(input.reference);
    const renamed = input.newReference !== undefined && input.newReference !== input.reference;
    if (renamed && !before)
      throw new Fault(
        'item-unknown',
        `${place(at)}: there is no item ${JSON.stringify(input.reference)} to rename.`,
        `${at}/reference`,
      );
    if (renamed && found.current.has(input.newReference!))
      throw new Fault(
        'duplicate',
        `${place(at)}.new_reference: an item ${JSON.stringify(input.newReference)} exists already.`,
        `${at}/new_reference`,
      );
    const { questions, features, held } = this.widgets({ input, shown }, at, found.widgets);
    const { title, description, note, source, definition, metadata } = members;
    const lists = { questions: prepare(questions), features: prepare(features), metadata };
    // A body that ends as the new one does names the same widgets: what the item holds need not be looked up.
    const sameWidgets = before?.body.endsWith(`,${objectText(lists).slice(1)}`);
    return {
      before,
      kind: 'item',
      reference: input.newReference ?? input.reference,
      titleKey: titleKeyOf(input.title),
      type: scoringType,
      status: input.status ?? 'unpublished',
      document: documentOf(
        {
          title,
          description,
          note,
          source,
          definition,
          ...lists,
        },
        mergeExtras(before?.extras ?? null, extras),
      ),
      tagSetId: found.tagSetId,
      tagIds: found.tagIds,
      holds: sameWidgets ? undefined : held,
    };
  }

  /** The item's questions and features as reads list them. Each widget goes where its kind says. */
  private widgets(
    { input, shown }: Pick<Ready, 'input' | 'shown'>,
    at: string,
    widgets: ReadonlyMap<string, HeldRecord>,
  ) {
    const listed = new Map<string, string>();
    for (const member of ['questions', 'features'] as const)
      for (const [index, reference] of (input[member] ?? []).entries())
        if (!listed.has(reference)) listed.set(reference, `${at}/${member}/${index}`);
    const find = (reference: string, place_: string): HeldRecord => {
      const widget = widgets.get(reference);
      if (!widget)
        throw new Fault(
          'reference-unknown',
          `${place(place_)}: there is no question or feature ${JSON.stringify(reference)}; set it first.`,
          place_,
        );
      return widget;
    };
    const all = new Map<string, HeldRecord>();
    for (const [reference, listedAt] of listed) all.set(reference, find(reference, listedAt));
    for (const { reference, at: shownAt } of shown) {
      const widget = find(reference, shownAt);
      const list = widget.kind === 'question' ? 'questions' : 'features';
      if (input[list] && !listed.has(reference))
        throw new Fault(
          'value',
          `${place(shownAt)}: ${JSON.stringify(reference)} is a ${widget.kind} that the item's ${list} do not list; add it there, or leave ${list} out.`,
          shownAt,
        );
      all.set(reference, widget);
    }
    const entries = [...all];
    const ofKind = (kind: Kind) =>
      entries.filter(([, widget]) => widget.kind === kind).map(([reference, { type }]) => ({ reference, type }));
    return { questions: ofKind('question'), features: ofKind('feature'), held: entries.map(([, { id }]) => id) };
  }

  /** Activities of the bank name renamed items by their new references, in the same unit of work (decision 15). */
  private async followRenames(changes: readonly RecordChange[], scope: Scope): Promise<void> {
    const renamed = changes.filter(({ before, reference }) => before && before.reference !== reference);
    if (renamed.length === 0) return;
    const organisation = scope.shelf.organisation;
    const ids = renamed.map(({ before }) => before!.id);
    const count = await this.records.countHolders(organisation, ids);
    if (count > FOLLOWERS)
      throw new Fault(
        'conflict',
        `${count} activities hold the items to be renamed; at most ${FOLLOWERS} can follow in one request. Rename fewer items at a time, or take the items out of activities first.`,
      );
    const names = new Map(renamed.map(({ before, reference }) => [before!.reference, reference]));
    const holders = await this.records.lockHolders(organisation, ids, FOLLOWERS);
    await this.records.save(
      holders.map((holder): RecordChange => {
        const body = JSON.parse(holder.body) as JsonObject;
        const data = renamedData(body.data as JsonObject, organisation, names);
        return {
          ...holder,
          before: holder,
          document: activityDocument({ ...body, data }, holder.extras, organisation),
        };
      }),
      scope,
    );
  }
}

/** The members of an input that the sanitiser changed. */
function cleanMembers(data: JsonObject, input: ItemInput): Partial<ItemInput> {
  return {
    description: input.description === undefined ? undefined : (data.description as string),
    definition: data.definition as JsonObject,
    metadata: data.metadata as JsonObject | null,
    dynamicContentData: input.dynamicContentData && (data.dynamic_content_data as JsonObject),
  };
}
