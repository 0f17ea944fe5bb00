import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import {
  checkRevisions,
  Fault,
  Faults,
  type JsonObject,
  place,
  refuseRepeated,
  type Scope,
  type Shelf,
  type Slice,
  UnitOfWork,
} from '#kernel';
import { mapYielding } from '#platform';
import { documentOf, mergeExtras, prepare } from '../domain/document';
import { checkTypes } from '../domain/item';
import { type StoredRecord, type WidgetKind } from '../domain/record';
import { type Removed, removedFrom, sanitiseWidgetData } from '../domain/sanitise';
import { MAX_WARNINGS, type Warning } from '../domain/warning';
import { type Origin, type RecordChange, RecordStore } from './ports/record-store';
import { type RecordQuery, ShelfReader } from './ports/shelf-reader';
import { lintQuestion, type QuestionFindings, widgetWarnings } from './question-lint';
import { type Effect, effectsOf, type SetOptions } from './writing';

export interface WidgetInput {
  reference: string;
  type: string;
  data: JsonObject;
  metadata?: JsonObject | null;
  ifRevision?: number;
  /** Set when the content is that of an old revision. */
  origin?: Origin;
}

/** The largest number of items that one request updates for a widget's new type. */
const FOLLOWERS = 1000;

/** Questions that lint reads at a time, with their bodies, which may be large. */
const READ_BATCH_SIZE = 50;

/** Questions and features. */
@Injectable()
export class Widgets {
  constructor(
    private readonly records: RecordStore,
    private readonly reader: ShelfReader,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  async find(shelf: Shelf, query: RecordQuery & { kind: WidgetKind }): Promise<Slice<StoredRecord>> {
    return this.reader.find(shelf, query);
  }

  /** Widgets with the items that hold them, one entry per pair. */
  async findByItem(
    shelf: Shelf,
    query: RecordQuery & { kind: WidgetKind },
    items: readonly string[],
  ): Promise<Slice<{ holder: string; record: StoredRecord }>> {
    return this.reader.findHeld(shelf, query, items);
  }

  /**
   * Likely mistakes in the questions of the shelf or of these items. Returns each question once, in the order of
   * creation, including questions without findings. Reads further questions only on demand. Ignores items that do not
   * exist.
   *
   * @param items references, at most 1,000.
   */
  async *lint(shelf: Shelf, items?: readonly string[]): AsyncGenerator<QuestionFindings> {
    const query = { kind: 'question', sort: { field: 'created', ascending: true }, limit: READ_BATCH_SIZE } as const;
    let after: RecordQuery['after'];
    let before: string | undefined;
    do {
      const slice: Slice<StoredRecord> = items
        ? heldOf(await this.findByItem(shelf, { ...query, after }, items))
        : await this.find(shelf, { ...query, after });
      for (const { id, reference, body } of slice.entries) {
        // A question of several items comes once per item, in a row.
        if (id !== before) yield { reference, findings: lintQuestion(JSON.parse(body) as WidgetInput) };
        before = id;
      }
      after = slice.after;
    } while (after);
  }

  /** Likely mistakes in definitions that need not be stored: at most 50, those that {@link set} would report. */
  async warnings(kind: WidgetKind, inputs: readonly Pick<WidgetInput, 'type' | 'data'>[]): Promise<Warning[]> {
    const found = await mapYielding(inputs, ({ type, data }, index) => {
      const at = `/${kind}s/${index}`;
      return widgetWarnings(kind, { type, data: sanitiseWidgetData(data, `${at}/data`).data }, at);
    });
    return found.flat().slice(0, MAX_WARNINGS);
  }

  /** Creates or replaces the widgets, all or none. Returns the removed markup and at most 50 warnings. */
  async set(
    kind: WidgetKind,
    inputs: readonly WidgetInput[],
    scope: Scope,
    options: SetOptions = {},
  ): Promise<{ sanitised: Removed; warnings: Warning[]; effects: Effect[] }> {
    const list = `${kind}s`;
    refuseRepeated(inputs.map(({ reference }, index) => ({ reference, at: `/${list}/${index}/reference` })));
    const faults = new Faults();
    for (const [index, { metadata }] of inputs.entries())
      checkTypes(metadata ?? {}, `/${list}/${index}/metadata`, { name: 'text', template_reference: 'text' }, faults);
    faults.throwAny();
    const sanitised: Removed[] = [];
    const warnings: Warning[] = [];
    let effects: Effect[] = [];
    const ready = await mapYielding(inputs, ({ reference, type, data, metadata, origin }, index) => {
      const at = `/${list}/${index}`;
      const clean = sanitiseWidgetData(data, `${at}/data`);
      sanitised.push(clean);
      if (!options.withoutWarnings && warnings.length < MAX_WARNINGS)
        warnings.push(...widgetWarnings(kind, { type, data: clean.data }, at));
      const body = { type: prepare(type), data: prepare(clean.data), metadata: prepare(metadata ?? null) };
      return { reference, type, document: documentOf(body), origin };
    });
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const references = ready.map(({ reference }) => reference).sort();
      const current = await this.records.lock(scope.shelf.organisation, 'widget', references);
      checkRevisions(
        inputs.map(({ reference, ifRevision }, index) => ({ reference, ifRevision, at: `/${list}/${index}` })),
        current,
      );
      const taken = new Faults();
      const changes = ready.map(({ reference, type, document, origin }, index): RecordChange => {
        const before = current.get(reference);
        if (before && before.kind !== kind) {
          const at = `/${list}/${index}/reference`;
          taken.add(
            'duplicate',
            `${place(at)}: ${JSON.stringify(reference)} is the reference of a ${before.kind} already.`,
            at,
          );
        }
        return {
          before,
          kind,
          reference,
          titleKey: '',
          type,
          status: null,
          document,
          origin,
          tagSetId: null,
          tagIds: [],
        };
      });
      taken.throwAny();
      const { changed, ...found } = effectsOf(changes, options);
      ({ effects } = found);
      await this.records.save(changed, scope);
      await this.followTypes(changed, scope);
    });
    return { sanitised: removedFrom(sanitised), warnings: warnings.slice(0, MAX_WARNINGS), effects };
  }

  /** Updates the types that items list for their changed widgets, in the same unit of work. */
  private async followTypes(changes: readonly RecordChange[], scope: Scope): Promise<void> {
    const changed = changes.filter(({ before, type }) => before && before.type !== type);
    if (changed.length === 0) return;
    const organisation = scope.shelf.organisation;
    const ids = changed.map(({ before }) => before!.id);
    const count = await this.records.countHolders(organisation, ids);
    if (count > FOLLOWERS)
      throw new Fault(
        'conflict',
        `${count} items hold the widgets whose type is to change; at most ${FOLLOWERS} can follow in one request.`,
      );
    const types = new Map(changed.map(({ reference, type }) => [reference, type]));
    const holders = await this.records.lockHolders(organisation, ids, FOLLOWERS);
    await this.records.save(
      holders.map((holder): RecordChange => {
        const body = JSON.parse(holder.body) as JsonObject;
        for (const member of ['questions', 'features'])
          body[member] = (body[member] as { reference: string; type: string }[]).map((entry) => ({
            ...entry,
            type: types.get(entry.reference) ?? entry.type,
          }));
        const members = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, prepare(value)]));
        return { ...holder, before: holder, document: documentOf(members, mergeExtras(holder.extras, {})) };
      }),
      scope,
    );
  }
}

function heldOf({ entries, after }: Slice<{ record: StoredRecord }>): Slice<StoredRecord> {
  return { entries: entries.map(({ record }) => record), after };
}
