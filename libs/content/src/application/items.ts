import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import {
  checkRevisions,
  checkWidgetReference,
  Fault,
  Faults,
  foldCase,
  type JsonObject,
  MANUAL_USER,
  newId,
  place,
  refuseRepeated,
  type Scope,
  type Shelf,
  type Slice,
  UnitOfWork,
} from '#kernel';
import { mapYielding } from '#platform';
import { maxScore } from '#scoring';
import { type TagName, Tags } from '#tagging';
import { type ItemWorkflow, type WorkflowFilter, Workflows } from '#workflows';
import { renamedData } from '../domain/activity';
import { documentOf, mergeExtras, prepare, type Prepared } from '../domain/document';
import {
  checkDefinition,
  checkItemMetadata,
  DEFAULT_SCORING_TYPE,
  type WidgetMention,
  widgetsOf,
} from '../domain/item';
import { itemWidgets, layoutWarnings } from '../domain/item-widgets';
import { NO_ADAPTIVE, type Status, type StoredRecord } from '../domain/record';
import { type Removed, removedFrom, sanitiseItem } from '../domain/sanitise';
import { workflowStateAfter, statusAfter } from '../domain/workflow-state';
import { MAX_WARNINGS, type Warning } from '../domain/warning';
import { activityDocument } from './activities';
import { type CurrentRecord, type HeldRecord, type Origin, type RecordChange, RecordStore } from './ports/record-store';
import { type RecordQuery, ShelfReader } from './ports/shelf-reader';
import { type Retag, Retagging } from './retagging';
import { type Effect, effectsOf, type SetOptions, titleKeyOf, uniqueIds } from './writing';

/** An item as `set` takes it. Absent members are cleared, except those that reads return only on request. */
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
  ifRevision?: number;
  /** Set when the content is that of an old revision. */
  origin?: Origin;
}

export type ItemQuery = Omit<RecordQuery, 'kind' | 'createdBy' | 'workflow'> & {
  createdBy?: readonly string[];
  workflow?: WorkflowFilter;
};

/** An entry of a set, prepared before the unit of work. */
interface Ready {
  input: ItemInput;
  shown: WidgetMention[];
  scoringType: string;
  members: Record<'title' | 'description' | 'note' | 'source' | 'definition' | 'metadata', Prepared>;
  extras: Record<'dynamic_content_data' | 'adaptive', Prepared | null | undefined>;
}

/** The largest number of activities that one request updates for renamed items (decision 10). */
const FOLLOWERS = 1000;

@Injectable()
export class Items {
  constructor(
    private readonly records: RecordStore,
    private readonly reader: ShelfReader,
    private readonly tags: Tags,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
    private readonly retagging: Retagging,
    private readonly workflows: Workflows,
  ) {}

  async find(shelf: Shelf, { createdBy, workflow, ...query }: ItemQuery): Promise<Slice<StoredRecord>> {
    const authors = createdBy?.flatMap((id) => (id === MANUAL_USER ? [id, null] : [id]));
    return this.reader.find(shelf, {
      ...query,
      kind: 'item',
      createdBy: authors,
      workflow: workflow && (await this.workflows.wanted(shelf.organisation, workflow)),
    });
  }

  /** The maximum score of each item by reference: the sum of the present maximum scores of its questions. */
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

  /** Creates or replaces the items, all or none. Returns the removed markup and at most 50 warnings. */
  async set(
    inputs: readonly ItemInput[],
    scope: Scope,
    options: SetOptions = {},
  ): Promise<{ sanitised: Removed; warnings: Warning[]; effects: Effect[] }> {
    refuseRepeated(
      inputs.flatMap(({ reference, newReference }, index) => [
        { reference, at: `/items/${index}/reference` },
        ...(newReference === undefined || newReference === reference
          ? []
          : [{ reference: newReference, at: `/items/${index}/new_reference` }]),
      ]),
    );
    const sanitised: Removed[] = [];
    let warnings: Warning[] = [];
    let effects: Effect[] = [];
    const faults = new Faults();
    const readyOrNot = await mapYielding(inputs, (input, index) => {
      const at = `/items/${index}`;
      const members = {
        definition: input.definition,
        metadata: input.metadata ?? null,
        dynamic_content_data: input.dynamicContentData ?? null,
      };
      const { data, removed, places } = sanitiseItem(members, at);
      sanitised.push({ removed, places });
      const clean = removed === 0 ? input : { ...input, ...cleanMembers(data, input) };
      return faults.collect(() => this.ready(clean, at));
    });
    faults.throwAny();
    const ready = readyOrNot.map((entry) => entry!);
    const tags = inputs.flatMap(({ tags = [] }) => tags);
    const known = await this.tags.lookUp(scope.shelf.organisation, tags);
    const workflows = inputs.flatMap(({ workflow }) => (workflow ? [workflow.reference] : []));
    const movesEnforced =
      !options.asTheyStood && workflows.length > 0 && (await this.workflows.movesEnforced(scope.shelf.organisation));
    const asTheyStood = options.asTheyStood === true;
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const tagIds = await this.tags.ensure(tags, known, scope);
      const held = await this.workflows.hold(scope.shelf.organisation, workflows);
      const mentioned = new Set(
        ready.flatMap(({ input, shown }) => [
          ...shown.map(({ reference }) => reference),
          ...(input.questions ?? []),
          ...(input.features ?? []),
        ]),
      );
      const widgets = await this.records.hold(scope.shelf.organisation, 'widget', [...mentioned].sort());
      for (const reference of mentioned) {
        const kind = widgets.has(reference) ? undefined : options.planned?.kindOfWidget(reference);
        if (kind) widgets.set(reference, { id: newId(scope.now), kind, type: null, updatedAt: scope.now });
      }
      const current = await this.records.lock(
        scope.shelf.organisation,
        'item',
        ready
          .flatMap(({ input: { reference, newReference } }) => (newReference ? [reference, newReference] : [reference]))
          .sort(),
      );
      checkRevisions(
        inputs.map(({ reference, ifRevision }, index) => ({ reference, ifRevision, at: `/items/${index}` })),
        current,
      );
      const lists = ready.map(({ input }) => uniqueIds(input.tags ?? [], tagIds));
      const sets = await this.tags.sets(lists, scope, current.values());
      const unfit = new Faults();
      const changes = ready.flatMap((entry, index) => {
        const found = { current, widgets, workflows: held, movesEnforced, asTheyStood };
        const set = { tagIds: lists[index]!, tagSetId: sets[index]! };
        return unfit.collect(() => this.change(entry, `/items/${index}`, { ...found, ...set })) ?? [];
      });
      unfit.throwAny();
      if (!options.withoutWarnings)
        warnings = ready.flatMap(({ input, shown }, index) => layoutWarnings(input, shown, widgets, `/items/${index}`));
      const { changed, ...found } = effectsOf(changes, options);
      ({ effects } = found);
      await this.records.save(changed, scope);
      await this.followRenames(changed, scope);
    });
    return { sanitised: removedFrom(sanitised), warnings: warnings.slice(0, MAX_WARNINGS), effects };
  }

  /** Replaces or extends the tags of the items, all or none. */
  async retag(
    entries: readonly Retag[],
    how: 'replace' | 'append',
    scope: Scope,
    options: SetOptions = {},
  ): Promise<Effect[]> {
    return this.retagging.retag('item', entries, how, scope, options);
  }

  private ready(input: ItemInput, at: string): Ready {
    const faults = new Faults();
    faults.collect(() => checkDefinition(input.definition, `${at}/definition`));
    const shown = faults.collect(() => widgetsOf(input.definition, `${at}/definition`));
    for (const mention of shown ?? []) faults.collect(() => checkWidgetReference(mention.reference, mention.at));
    const { metadata, scoringType } = (input.metadata
      ? faults.collect(() => checkItemMetadata(input.metadata!, `${at}/metadata`))
      : undefined) ?? { metadata: null, scoringType: DEFAULT_SCORING_TYPE };
    faults.throwAny();
    return {
      input,
      shown: shown!,
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
        adaptive: input.adaptive && prepare({ ...NO_ADAPTIVE, ...input.adaptive }),
      },
    };
  }

  private change(
    { input, shown, scoringType, members, extras }: Ready,
    at: string,
    found: {
      current: Map<string, CurrentRecord>;
      widgets: Map<string, HeldRecord>;
      workflows: Map<string, ItemWorkflow>;
      movesEnforced: boolean;
      asTheyStood: boolean;
      tagIds: string[];
      tagSetId: string | null;
    },
  ): RecordChange {
    const before = found.current.get(input.reference);
    const renamed = input.newReference !== undefined && input.newReference !== input.reference;
    const faults = new Faults();
    if (renamed && !before)
      faults.add(
        'item-unknown',
        `${place(at)}: there is no item ${JSON.stringify(input.reference)} to rename.`,
        `${at}/reference`,
      );
    if (renamed && found.current.has(input.newReference!))
      faults.add(
        'duplicate',
        `${place(at)}.new_reference: an item ${JSON.stringify(input.newReference)} exists already.`,
        `${at}/new_reference`,
      );
    const listed = faults.collect(() => itemWidgets({ ...input, shown }, found.widgets, at));
    const workflow = input.workflow ? found.workflows.get(foldCase(input.workflow.reference)) : undefined;
    const workflowPlace = faults.collect(() =>
      workflowStateAfter(input.workflow, workflow, before, found, `${at}/authoring_workflow`),
    );
    faults.throwAny();
    const { questions, features, held } = listed!;
    const { title, description, note, source, definition, metadata } = members;
    const lists = { questions: prepare(questions), features: prepare(features), metadata };
    return {
      before,
      kind: 'item',
      reference: input.newReference ?? input.reference,
      titleKey: titleKeyOf(input.title),
      type: scoringType,
      status:
        found.asTheyStood && input.status ? input.status : statusAfter(input.status, workflowPlace, workflow, before),
      workflow: workflowPlace,
      document: documentOf(
        { title, description, note, source, definition, ...lists },
        mergeExtras(before?.extras ?? null, extras),
      ),
      tagSetId: found.tagSetId,
      tagIds: found.tagIds,
      origin: input.origin,
      holds: held,
    };
  }

  /** Updates the names of renamed items in the bank's activities, in the same unit of work (decision 10). */
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
    definition: data.definition as JsonObject,
    metadata: data.metadata as JsonObject | null,
    dynamicContentData: input.dynamicContentData && (data.dynamic_content_data as JsonObject),
  };
}
