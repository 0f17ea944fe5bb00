import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { checkRevisions, Fault, foldCase, place, refuseRepeated, type Scope, throwAny, UnitOfWork } from '#kernel';
import { type ItemWorkflow, Workflows } from '#workflows';
import { documentOf, mergeExtras, prepare } from '../domain/document';
import { listedWidgets, SHARED_PASSAGE, withWidgets } from '../domain/duplicate';
import { type Kind, type StoredRecord, type WidgetKind } from '../domain/record';
import { type WorkflowPlace, statusAfter, statusFor } from '../domain/workflow-state';
import {
  type CurrentRecord,
  type HeldRecord,
  type RecordChange,
  RecordStore,
  type WholeRecord,
} from './ports/record-store';
import { ShelfReader } from './ports/shelf-reader';

export interface Duplicate {
  /** Reference of the item to copy. */
  reference: string;
  /** Reference of the copy; absent: a new one. */
  newReference?: string;
  ifRevision?: number;
}

export interface DuplicateOptions {
  /** Whether shared passages are copied too. */
  sharedPassages: boolean;
}

/** The largest number of widgets that one request copies. */
const MAX_WIDGETS = 5000;

/** An item with the references of its widgets. */
interface Source extends WholeRecord {
  widgets: string[];
}

/** The members of an item that lead to its other records. */
type Seen = Pick<Source, 'widgets' | 'workflowId'>;

/** Items and their parts, locked until the unit of work ends. */
interface Sources {
  /** By reference. */
  items: Map<string, Source>;
  widgets: Map<string, HeldRecord>;
  /** By id. */
  workflows: Map<string, ItemWorkflow>;
}

/** Copies items and their widgets. Each copy is a record of its own; its first revision names its source. */
@Injectable()
export class Duplication {
  constructor(
    private readonly records: RecordStore,
    private readonly reader: ShelfReader,
    private readonly workflows: Workflows,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Copies the items and their widgets, all or none. A widget that several of the items hold is copied once. Returns
   * the copies by the references of their sources, in the order of the entries.
   */
  async items(
    entries: readonly Duplicate[],
    { sharedPassages }: DuplicateOptions,
    scope: Scope,
  ): Promise<Map<string, StoredRecord>> {
    const named = entries.map(({ reference, ifRevision }, index) => ({ reference, ifRevision, at: `/items/${index}` }));
    refuseRepeated(named.map(({ reference, at }) => ({ reference, at: `${at}/reference` })));
    const wanted = entries.flatMap(({ newReference: reference }, index) =>
      reference === undefined ? [] : [{ reference, at: `/items/${index}/new_reference` }],
    );
    refuseRepeated(wanted);
    const references = entries.map(({ reference }) => reference);
    return this.copying(references, scope, async (seen) => {
      const others = wanted.map(({ reference }) => reference);
      const { items, widgets, workflows } = await this.hold(references, { others, workflows: true }, seen, scope);
      refuseUnknown(
        named.map(({ reference, at }) => ({ reference, at: `${at}/reference` })),
        items,
      );
      refuseTaken(wanted, items);
      checkRevisions(named, items);
      const sources = references.map((reference) => items.get(reference)!);
      const own = widgetsOf(sources, widgets, ({ type }) => sharedPassages || type !== SHARED_PASSAGE);
      const copies = await this.copyWidgets(own, '/items', scope);
      const names = new Map([...copies].map(([reference, copy]) => [reference, copy.reference]));
      const changes = sources.map((source, index): RecordChange => {
        const initial = initialPlaceOf(source, workflows);
        const body = Object.entries(withWidgets(source.body, names));
        return {
          kind: 'item',
          reference: entries[index]!.newReference ?? randomUUID(),
          titleKey: source.titleKey,
          type: source.type,
          status: statusFor(
            initial ? statusAfter('unpublished', initial.place, initial.workflow, undefined) : source.status!,
            scope,
          ),
          workflow: initial?.place,
          document: documentOf(
            Object.fromEntries(body.map(([name, value]) => [name, prepare(value)])),
            mergeExtras(source.extras, {}),
          ),
          tagSetId: source.tagSetId,
          tagIds: source.tagIds,
          holds: source.widgets.map((reference) => (copies.get(reference) ?? widgets.get(reference))!.id),
          origin: { id: source.id, at: source.updatedAt },
        };
      });
      await this.records.save(changes, scope);
      const made = await this.made('item', changes, scope);
      return new Map(changes.map(({ reference }, index) => [references[index]!, made.get(reference)!]));
    });
  }

  /**
   * Copies the questions or the features of the items, all or none. The copies belong to no item yet. A widget that
   * several of the items hold is copied once. Returns the copies by the references of item and source, in the order in
   * which the items list them.
   */
  async widgets(
    kind: WidgetKind,
    references: readonly string[],
    { sharedPassages }: DuplicateOptions,
    scope: Scope,
  ): Promise<Map<string, Map<string, StoredRecord>>> {
    const named = references.map((reference, index) => ({ reference, at: `/item_references/${index}` }));
    refuseRepeated(named);
    return this.copying(references, scope, async (seen) => {
      const { items, widgets } = await this.hold(references, {}, seen, scope);
      refuseUnknown(named, items);
      const own = widgetsOf(
        items.values(),
        widgets,
        (widget) => widget.kind === kind && (sharedPassages || widget.type !== SHARED_PASSAGE),
      );
      const copies = await this.copyWidgets(own, '/item_references', scope);
      const made = await this.made(kind, [...copies.values()], scope);
      return new Map(
        references.map((item) => {
          const listed = items.get(item)!.widgets.filter((widget) => copies.has(widget));
          return [item, new Map(listed.map((widget) => [widget, made.get(copies.get(widget)!.reference)!]))];
        }),
      );
    });
  }

  /** @param work receives the items as they were before the unit of work. */
  private async copying<T>(
    references: readonly string[],
    scope: Scope,
    work: (seen: Seen[]) => Promise<T>,
  ): Promise<T> {
    const { entries } = await this.reader.find(scope.shelf, {
      kind: 'item',
      references,
      sort: { field: 'created', ascending: true },
      limit: references.length,
    });
    const seen = entries.map(({ body, workflowId }) => ({ widgets: listedWidgets(body), workflowId }));
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      return work(seen);
    });
  }

  /**
   * The sources at one moment. Locks workflows and widgets before the items that lead to them, in the order of all
   * writers. Leaves out items that do not exist.
   *
   * @param others references of further items to look up.
   */
  private async hold(
    references: readonly string[],
    { others = [], workflows: withWorkflows = false }: { others?: readonly string[]; workflows?: boolean },
    seen: readonly Seen[],
    { shelf: { organisation } }: Scope,
  ): Promise<Sources> {
    const all = [...new Set([...references, ...others])].sort();
    for (;;) {
      const workflowIds = new Set(withWorkflows ? seen.flatMap(({ workflowId }) => workflowId ?? []) : []);
      const widgetReferences = new Set(seen.flatMap((item) => item.widgets));
      const workflows = await this.holdWorkflows(organisation, [...workflowIds]);
      const widgets = await this.records.hold(organisation, 'widget', [...widgetReferences].sort());
      const locked = await this.records.share(organisation, 'item', all);
      const items = new Map(
        [...locked].map(([reference, item]) => [reference, { ...item, widgets: listedWidgets(item.body) }]),
      );
      const sources = references.flatMap((reference) => items.get(reference) ?? []);
      const isHeld = (item: Seen) =>
        (!withWorkflows || item.workflowId === null || workflowIds.has(item.workflowId)) &&
        item.widgets.every((reference) => widgetReferences.has(reference));
      if (sources.every(isHeld)) return { items, widgets, workflows };
      // They changed between reading and locking. Now they are locked.
      seen = sources;
    }
  }

  private async holdWorkflows(organisation: number, ids: readonly string[]): Promise<Sources['workflows']> {
    if (ids.length === 0) return new Map();
    const references = await this.workflows.byIds(organisation, ids);
    const held = await this.workflows.hold(organisation, [...references.values()]);
    return new Map([...references].map(([id, reference]) => [id, held.get(foldCase(reference))!]));
  }

  /** Copies widgets under new references. Returns these references and the ids, by the references of the sources. */
  private async copyWidgets(
    sources: ReadonlyMap<string, HeldRecord>,
    at: string,
    scope: Scope,
  ): Promise<Map<string, { id: string; reference: string }>> {
    if (sources.size > MAX_WIDGETS)
      throw new Fault(
        'too-many',
        `${place(at)} hold ${sources.size} widgets to be copied; one request copies at most ${MAX_WIDGETS}. Copy fewer items at a time.`,
        at,
      );
    const changes = [...sources.values()].map(({ id, kind, type, updatedAt }): RecordChange => ({
      kind,
      reference: randomUUID(),
      titleKey: '',
      type,
      status: null,
      tagSetId: null,
      tagIds: [],
      origin: { id, at: updatedAt },
    }));
    const ids = await this.records.save(changes, scope);
    return new Map(
      [...sources.keys()].map((source, index) => [source, { id: ids[index]!, reference: changes[index]!.reference }]),
    );
  }

  /** The copies as reads show them. */
  private async made(
    kind: Kind,
    copies: readonly { reference: string }[],
    { shelf }: Scope,
  ): Promise<Map<string, StoredRecord>> {
    const { entries } = await this.reader.find(shelf, {
      kind,
      references: copies.map(({ reference }) => reference),
      sort: { field: 'created', ascending: true },
      limit: copies.length,
    });
    return new Map(entries.map((record) => [record.reference, record]));
  }
}

function refuseUnknown(
  named: readonly { reference: string; at: string }[],
  items: ReadonlyMap<string, CurrentRecord>,
): void {
  const unknown = named.filter(({ reference }) => !items.has(reference));
  throwAny(
    unknown.map(({ reference, at }) => ({
      kind: 'item-unknown',
      message: `${place(at)}: there is no item ${JSON.stringify(reference)} to copy.`,
      at,
    })),
  );
}

function refuseTaken(
  wanted: readonly { reference: string; at: string }[],
  items: ReadonlyMap<string, CurrentRecord>,
): void {
  const taken = wanted.filter(({ reference }) => items.has(reference));
  throwAny(
    taken.map(({ reference, at }) => ({
      kind: 'duplicate',
      message: `${place(at)}: an item ${JSON.stringify(reference)} exists already.`,
      at,
    })),
  );
}

/** The wanted widgets of the items, each once. */
function widgetsOf(
  items: Iterable<Source>,
  widgets: ReadonlyMap<string, HeldRecord>,
  wanted: (widget: HeldRecord) => boolean,
): Map<string, HeldRecord> {
  const listed = [...items].flatMap((item) => item.widgets);
  return new Map(
    listed.map((reference) => [reference, widgets.get(reference)!] as const).filter(([, widget]) => wanted(widget)),
  );
}

/** The state in which the copy of an item begins; undefined without a workflow. */
function initialPlaceOf(
  { workflowId }: CurrentRecord,
  workflows: Sources['workflows'],
): { place: WorkflowPlace; workflow: ItemWorkflow } | undefined {
  const workflow = workflowId === null ? undefined : workflows.get(workflowId);
  return workflow && { workflow, place: { workflowId: workflow.id, state: workflow.initialState } };
}
