import { Injectable } from '@nestjs/common';
import { Activities, type Effect, Items, type WidgetKind, Widgets } from '#content';
import { Fault, type Scope } from '#kernel';
import { type Widget } from '../formats/entry';
import { definitionOf, widgetsOf } from './records';
import { itemContent, type PlannedRecords, type Ready, widgetContent } from './planned-records';
import { SetupWriter } from './setup-writer';

/** The effect of an entry on the bank. */
export interface Outcome {
  effect: Effect;
  /**
   * The reference under which it replaces other content: its own if that exists already, else that of a question or
   * feature. Adding tags replaces nothing.
   */
  collision?: string;
  /** Whether its own reference is free. */
  isNew?: boolean;
  /** Places of markup that could run code, and was removed. */
  removed: string[];
}

const UNCHANGED = { skipUnchanged: true, withoutWarnings: true };
const ENTRY_OF_LIST = /^\/\w+\/(\d+)/;

/** Stores the records of entries as calls of the API would. Call it inside a unit of work. */
@Injectable()
export class BankWriter {
  constructor(
    private readonly items: Items,
    private readonly widgets: Widgets,
    private readonly activities: Activities,
    private readonly setup: SetupWriter,
  ) {}

  /**
   * Stores the records of the entries, all or none. Leaves equal records alone.
   * @param planned records of earlier entries, which the bank does not have yet. If there are any, roll the unit of
   *   work back.
   * @throws Fault as the API would answer.
   */
  async set(entries: readonly Ready[], planned: PlannedRecords, scope: Scope): Promise<Outcome[]> {
    const outcomes = new Outcomes(entries);
    await this.setup.set(planned.setupFor(entries), scope);
    for (const [entry, effect] of await this.setup.set(entries, scope)) outcomes.addOwn([entry], [effect], []);
    await this.setWidgets('feature', entries, planned, outcomes, scope);
    await this.setWidgets('question', entries, planned, outcomes, scope);
    await this.setItems(entries, planned, outcomes, scope);
    await this.addTags(entries, planned, outcomes, scope);
    await this.setActivities(entries, planned, outcomes, scope);
    return outcomes.all;
  }

  private async setWidgets(
    kind: WidgetKind,
    entries: readonly Ready[],
    planned: PlannedRecords,
    outcomes: Outcomes,
    scope: Scope,
  ): Promise<void> {
    const users = new Map<string, { widget: Widget; entries: Ready[] }>();
    for (const entry of entries)
      for (const widget of widgetsIn(entry, kind)) {
        const known = users.get(widget.reference);
        if (known) {
          refuseDifferent(known.widget, widget);
          known.entries.push(entry);
        } else users.set(widget.reference, { widget, entries: [entry] });
      }
    const all = [...users.values()];
    if (all.length === 0) return;
    const { effects, sanitised } = await this.widgets.set(
      kind,
      all.map(({ widget }) => widget),
      scope,
      UNCHANGED,
    );
    outcomes.add(
      all.map(({ widget }) => widget.reference),
      all.map((widget) => widget.entries),
      effects.map((effect, at) => {
        const { widget } = all[at]!;
        return planned.effectOf(kind, widget.reference, widgetContent(widget)) ?? effect;
      }),
      sanitised.places,
    );
  }

  private async setItems(
    entries: readonly Ready[],
    planned: PlannedRecords,
    outcomes: Outcomes,
    scope: Scope,
  ): Promise<void> {
    const items = entries.flatMap((entry) => (entry.record.kind === 'item' ? { entry, record: entry.record } : []));
    if (items.length === 0) return;
    const { effects, sanitised } = await this.items.set(
      items.map(({ entry, record }) => {
        const { reference } = entry;
        const { title, description, note, source, status, metadata, tags, adaptive } = record;
        return {
          reference,
          title,
          description,
          note,
          source,
          status,
          metadata,
          tags,
          adaptive,
          dynamicContentData: record.dynamic_content_data,
          workflow: record.authoring_workflow,
          definition: definitionOf(record),
          ...listsOf(entry),
        };
      }),
      scope,
      { ...UNCHANGED, asTheyStood: true, planned },
    );
    outcomes.addOwn(
      items.map(({ entry }) => entry),
      effects.map((effect, at) => {
        const { entry, record } = items[at]!;
        return planned.effectOf('item', entry.reference, itemContent(record)) ?? effect;
      }),
      sanitised.places,
    );
  }

  private async addTags(
    entries: readonly Ready[],
    planned: PlannedRecords,
    outcomes: Outcomes,
    scope: Scope,
  ): Promise<void> {
    const tagged = entries.flatMap((entry) => (entry.record.kind === 'tags' ? { entry, tags: entry.record.tags } : []));
    const isPlanned = ({ entry }: (typeof tagged)[number]) => planned.hasItem(entry.reference);
    const [later, now] = [tagged.filter(isPlanned), tagged.filter((each) => !isPlanned(each))];
    for (const { entry, tags } of later) outcomes.addOwn([entry], [tags.length > 0 ? 'replaced' : 'unchanged'], []);
    if (now.length === 0) return;
    const retags = now.map(({ entry: { reference }, tags }) => ({ reference, tags }));
    outcomes.addOwn(
      now.map(({ entry }) => entry),
      await this.items.retag(retags, 'append', scope, UNCHANGED),
      [],
    );
  }

  private async setActivities(
    entries: readonly Ready[],
    planned: PlannedRecords,
    outcomes: Outcomes,
    scope: Scope,
  ): Promise<void> {
    const all = entries.flatMap((entry) => (entry.record.kind === 'activity' ? { entry, record: entry.record } : []));
    if (all.length === 0) return;
    const inputs = all.map(({ entry: { reference }, record }) => {
      const { kind: _, base_template_id: baseTemplateId, ...input } = record;
      return { reference, baseTemplateId, ...input };
    });
    const { effects } = await this.activities.set(inputs, scope, { ...UNCHANGED, planned });
    outcomes.addOwn(
      all.map(({ entry }) => entry),
      effects.map((effect, at) => {
        const { entry, record } = all[at]!;
        return planned.effectOf('activity', entry.reference, record) ?? effect;
      }),
      [],
    );
  }
}

/** The lists of an item that holds its widgets in a certain order, or more than its definition shows. */
function listsOf(entry: Ready): { questions?: string[]; features?: string[] } {
  const { questions, features } = widgetsOf(entry);
  if (questions.length + features.length === 0) return {};
  const references = (widgets: Widget[]) => [...new Set(widgets.map(({ reference }) => reference))];
  return { questions: references(questions), features: references(features) };
}

/** Entries may share a widget, but its content must be equal in all of them. */
function refuseDifferent(one: Widget, other: Widget): void {
  if (JSON.stringify(widgetContent(one)) !== JSON.stringify(widgetContent(other)))
    throw new Fault('duplicate', `The reference ${one.reference} stands for two different questions or features.`);
}

function widgetsIn(entry: Ready, kind: WidgetKind): Widget[] {
  const { record, reference } = entry;
  if (record.kind === kind) {
    const { kind: _, ...widget } = record;
    return [{ reference, ...widget }];
  }
  return widgetsOf(entry)[`${kind}s`];
}

/** Collects the effects of an entry's records. The strongest effect becomes that of the entry. */
class Outcomes {
  private readonly byEntry: Map<Ready, Outcome>;

  constructor(entries: readonly Ready[]) {
    this.byEntry = new Map(entries.map((entry) => [entry, { effect: 'unchanged', removed: [] }]));
  }

  get all(): Outcome[] {
    return [...this.byEntry.values()];
  }

  /** Adds the effects on the records of the entries themselves, after those on their questions and features. */
  addOwn(entries: readonly Ready[], effects: readonly Effect[], removed: readonly string[]): void {
    const references = entries.map(({ reference }) => reference);
    this.add(
      references,
      entries.map((entry) => [entry]),
      effects,
      removed,
    );
    for (const [index, entry] of entries.entries()) {
      const outcome = this.byEntry.get(entry)!;
      outcome.isNew = effects[index] === 'created';
      if (outcome.collision !== undefined && !outcome.isNew) outcome.collision = entry.reference;
    }
  }

  /** @param users the entries of each record, in the order of the references and effects. */
  add(
    references: readonly string[],
    users: readonly Ready[][],
    effects: readonly Effect[],
    removed: readonly string[],
  ): void {
    for (const [index, entries] of users.entries())
      for (const entry of entries) this.strengthen(entry, references[index]!, effects[index]!);
    for (const at of removed) {
      const index = Number(ENTRY_OF_LIST.exec(at)?.[1]);
      for (const entry of users[index] ?? []) this.byEntry.get(entry)!.removed.push(at);
    }
  }

  private strengthen(entry: Ready, reference: string, effect: Effect): void {
    const outcome = this.byEntry.get(entry)!;
    if (effect === 'replaced' || outcome.effect === 'unchanged') outcome.effect = effect;
    if (effect === 'replaced' && entry.record.kind !== 'tags') outcome.collision ??= reference;
  }
}
