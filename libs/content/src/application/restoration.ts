import { Injectable } from '@nestjs/common';
import { Faults, type JsonObject, refuseRepeated, type Scope, UnitOfWork } from '#kernel';
import { Workflows } from '#workflows';
import { itemsOf, renamedData, unlistedItems } from '../domain/activity';
import { type Kind } from '../domain/record';
import { type Removed, removedFrom } from '../domain/sanitise';
import { statusFor } from '../domain/workflow-state';
import { Activities, type ActivityInput } from './activities';
import { History } from './history';
import { type ItemInput, Items } from './items';
import { HistoryReader, type Revision } from './ports/history-reader';
import { type WidgetInput, Widgets } from './widgets';

/** A record and the revision to restore. */
export interface Restored {
  /** The record's present reference. */
  reference: string;
  /** The start of the old revision. */
  revision: number;
  ifRevision?: number;
}

/** The revisions to restore, by kind. */
type Restorations = Partial<Record<Kind, readonly Restored[]>>;

/** The member of a request that lists entries of the kind. */
const LISTS: Record<Kind, string> = {
  question: 'questions',
  feature: 'features',
  item: 'items',
  activity: 'activities',
};

/** Held records come before their holders. */
const IN_ORDER: Kind[] = ['question', 'feature', 'item', 'activity'];

/** Makes old revisions current again. It uses `set`, so all rules of a set apply. */
@Injectable()
export class Restoration {
  constructor(
    private readonly reader: HistoryReader,
    private readonly history: History,
    private readonly items: Items,
    private readonly widgets: Widgets,
    private readonly activities: Activities,
    private readonly workflows: Workflows,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Restores all entries or none. Each becomes a new revision under the record's present reference.
   * @throws Fault for records and revisions that do not exist, and the faults of `set`.
   */
  async restore(wanted: Restorations, scope: Scope): Promise<{ sanitised: Removed }> {
    for (const kind of IN_ORDER)
      refuseRepeated(
        (wanted[kind] ?? []).map(({ reference }, index) => ({ reference, at: `/${LISTS[kind]}/${index}/reference` })),
      );
    return this.work.run(async () => {
      const sanitised: Removed[] = [];
      for (const kind of IN_ORDER) {
        const entries = wanted[kind] ?? [];
        if (entries.length > 0) sanitised.push(await this.restoreKind(kind, entries, scope));
      }
      return { sanitised: removedFrom(sanitised) };
    });
  }

  private async restoreKind(kind: Kind, entries: readonly Restored[], scope: Scope): Promise<Removed> {
    const organisation = scope.shelf.organisation;
    const found = await this.reader.whole(
      organisation,
      kind,
      entries.map(({ reference, revision }) => ({ reference, beganAt: revision })),
    );
    const byReference = new Map(found.map((revision) => [revision.presentReference, revision]));
    const faults = new Faults();
    const revisions: Revision[] = [];
    const common: { reference: string; ifRevision: number; origin: { id: string; at: number } }[] = [];
    for (const [index, { reference, revision, ifRevision }] of entries.entries()) {
      const old = byReference.get(reference);
      const at = `/${LISTS[kind]}/${index}`;
      if (!old) {
        const places = [`${at}/revision`, `${at}/reference`] as const;
        faults.addAll((await this.history.unknown(organisation, kind, reference, revision, ...places)).details);
        continue;
      }
      revisions.push(old);
      // The revision condition protects changes and renames that others make from now on.
      common.push({ reference, ifRevision: ifRevision ?? old.present, origin: { id: old.recordId, at: old.beganAt } });
    }
    faults.throwAny();
    if (kind === 'item')
      return (await this.items.set(await this.itemInputs(revisions, common, scope), scope)).sanitised;
    if (kind === 'activity') {
      await this.activities.set(await this.activityInputs(organisation, revisions, common), scope);
      return removedFrom([]);
    }
    const inputs = revisions.map(({ body }, index): WidgetInput => {
      const { type, data, metadata } = JSON.parse(body) as Pick<WidgetInput, 'type' | 'data' | 'metadata'>;
      return { ...common[index]!, type, data, metadata };
    });
    return (await this.widgets.set(kind, inputs, scope)).sanitised;
  }

  private async itemInputs(
    revisions: readonly Revision[],
    common: readonly Pick<ItemInput, 'reference' | 'ifRevision' | 'origin'>[],
    scope: Scope,
  ): Promise<ItemInput[]> {
    const { organisation } = scope.shelf;
    const ids = revisions.map(({ workflowId }) => workflowId);
    const workflows = await this.workflows.byIds(organisation, ids);
    return revisions.map((revision, index): ItemInput => {
      const body = JSON.parse(revision.body) as Pick<ItemInput, 'title' | 'description' | 'note' | 'source'> & {
        definition: JsonObject;
        metadata: JsonObject | null;
        questions: { reference: string }[];
        features: { reference: string }[];
      };
      const extras = JSON.parse(revision.extras ?? '{}') as Record<'dynamic_content_data' | 'adaptive', JsonObject>;
      return {
        ...common[index]!,
        ...body,
        questions: body.questions.map(({ reference }) => reference),
        features: body.features.map(({ reference }) => reference),
        status: statusFor(revision.status!, scope),
        tags: revision.tags,
        dynamicContentData: extras.dynamic_content_data ?? null,
        adaptive: extras.adaptive ?? null,
        workflow: scope.cannotPublish ? undefined : placeOf(revision, workflows),
      };
    });
  }

  /** Uses the present names of items of the bank that were renamed since. */
  private async activityInputs(
    organisation: number,
    revisions: readonly Revision[],
    common: readonly Pick<ActivityInput, 'reference' | 'ifRevision' | 'origin'>[],
  ): Promise<ActivityInput[]> {
    const held = await this.reader.held(organisation, revisions);
    return revisions.map((revision, index): ActivityInput => {
      const body = JSON.parse(revision.body) as JsonObject & { data: JsonObject; description: string };
      const extras = JSON.parse(revision.extras ?? '{}') as { title?: string; metadata?: JsonObject };
      const items = itemsOf(body.data, '/data', organisation);
      const own = items
        .filter((item) => (item.organisation ?? organisation) === organisation)
        .map(({ reference }) => reference);
      const now = held.get(revision.recordId)!;
      // Some of these items may not have existed then. In that case a name cannot be matched with a held item.
      const besides = unlistedItems(body.data, items);
      if (now.length === own.length + besides.length) own.push(...besides);
      const renamed = new Map(own.map((reference, place) => [reference, now[place] ?? reference]));
      return {
        ...common[index]!,
        title: extras.title ?? null,
        description: body.description,
        status: revision.status!,
        tags: revision.tags,
        data: renamedData(body.data, organisation, renamed),
        baseTemplateId: (body.base_template_id as string | undefined) ?? null,
        adaptive: body.adaptive as JsonObject,
        metadata: extras.metadata ?? null,
      };
    });
  }
}

/** The former workflow state of the item, in the form that `set` accepts. */
const placeOf = ({ workflowId, workflowState }: Revision, workflows: ReadonlyMap<string, string>) =>
  workflowId === null ? null : { reference: workflows.get(workflowId)!, state: workflowState! };
