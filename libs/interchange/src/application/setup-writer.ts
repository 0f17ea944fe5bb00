import { Injectable } from '@nestjs/common';
import { type Effect } from '#content';
import { foldCase, type Scope } from '#kernel';
import { type Pool, Pools } from '#pools';
import { type HierarchyLevel, TagHierarchies, tagKey, Tags } from '#tagging';
import { type Definition, Workflows } from '#workflows';
import {
  type HierarchyRecord,
  type ImportRecord,
  type PoolRecord,
  type SetupRecord,
  type TagRecord,
  type WorkflowRecord,
} from '../formats/entry';
import { type Held, LISTED, SetupReader } from './setup-reader';

/** An entry with a record to write. */
interface Entry {
  reference: string;
  record: ImportRecord;
}
type Of<T extends SetupRecord> = Entry & { record: T };

/** The number of records that one fill adds to a pool, or one page of a pool reads. */
const POOL_PART = 1000;
const CREATED = { field: 'created', ascending: true } as const;

/** Sets tags, hierarchies, workflows and pools. Leaves equal ones alone. Call it inside a unit of work. */
@Injectable()
export class SetupWriter {
  constructor(
    private readonly tags: Tags,
    private readonly hierarchies: TagHierarchies,
    private readonly workflows: Workflows,
    private readonly pools: Pools,
    private readonly reader: SetupReader,
  ) {}

  /** Sets the records of the entries, and returns the effect on each entry. Ignores entries with other records. */
  async set<T extends Entry>(entries: readonly T[], scope: Scope): Promise<Map<T, Effect>> {
    const effects = new Map<T, Effect>();
    const of = <R extends SetupRecord>(kind: R['kind']) =>
      entries.filter((entry) => entry.record.kind === kind) as (T & Of<R>)[];
    const note = async <R extends SetupRecord>(
      kind: R['kind'],
      write: (wanted: readonly Of<R>[], scope: Scope) => Promise<Effect[]>,
    ) => {
      const wanted = of<R>(kind);
      if (wanted.length === 0) return;
      for (const [index, effect] of (await write.call(this, wanted, scope)).entries())
        effects.set(wanted[index]!, effect);
    };
    await note<TagRecord>('tag', this.setTags);
    await note<HierarchyRecord>('hierarchy', this.setHierarchies);
    await note<WorkflowRecord>('workflow', this.setWorkflows);
    await note<PoolRecord>('pool', this.setPools);
    return effects;
  }

  private async setTags(wanted: readonly Of<TagRecord>[], scope: Scope): Promise<Effect[]> {
    const records = wanted.map(({ record }) => record);
    const [types, names] = [
      [...new Set(records.map(({ type }) => type))],
      [...new Set(records.map((tag) => tag.name))],
    ];
    const limit = types.length * names.length;
    const { organisation } = scope.shelf;
    const found = await this.tags.find({ organisation, types, names, sort: CREATED, limit });
    const existing = new Map(found.entries.map((tag) => [tagKey(tag), tag]));
    const effects = records.map((record): Effect => {
      const before = existing.get(tagKey(record));
      if (!before) return 'created';
      const isEqual =
        before.type === record.type &&
        before.name === record.name &&
        (record.description === undefined || before.description === record.description) &&
        (record.sort_key === undefined || (before.sortKey ?? 0) === (record.sort_key ?? 0));
      return isEqual ? 'unchanged' : 'replaced';
    });
    const changed = records.filter((_, index) => effects[index] !== 'unchanged');
    await this.tags.define(
      changed.map(({ type, name, description, sort_key: sortKey }) => ({ type, name, description, sortKey })),
      scope,
    );
    return effects;
  }

  private async setHierarchies(wanted: readonly Of<HierarchyRecord>[], scope: Scope): Promise<Effect[]> {
    const { organisation } = scope.shelf;
    const found = await this.hierarchies.find(
      organisation,
      wanted.map(({ reference }) => reference),
    );
    const existing = new Map(found.map(({ reference, tagTypes }) => [reference, shownLevels(tagTypes)]));
    const all = wanted.map(({ reference, record }) => ({
      reference,
      tagTypes: record.tag_types.map(({ name, description }) => ({ name, description: description ?? null })),
    }));
    const effects = all.map(({ reference, tagTypes }) => effectOf(existing.get(reference), shownLevels(tagTypes)));
    const changed = all.filter((_, index) => effects[index] !== 'unchanged');
    if (changed.length > 0) await this.hierarchies.put(organisation, changed);
    return effects;
  }

  private async setWorkflows(wanted: readonly Of<WorkflowRecord>[], scope: Scope): Promise<Effect[]> {
    const { organisation } = scope.shelf;
    const references = wanted.map(({ reference }) => reference);
    const found = await this.workflows.find({ organisation, references, limit: references.length });
    const existing = new Map(found.entries.map((each) => [foldCase(each.reference), shownWorkflow(each)]));
    const all = wanted.map(({ reference, record }) => ({ reference, ...definitionOf(record) }));
    const effects = all.map((each) => effectOf(existing.get(foldCase(each.reference)), shownWorkflow(each)));
    const changed = all.filter((_, index) => effects[index] !== 'unchanged');
    if (changed.length > 0) await this.workflows.set(changed, scope);
    return effects;
  }

  private async setPools(wanted: readonly Of<PoolRecord>[], scope: Scope): Promise<Effect[]> {
    const effects: Effect[] = [];
    for (const { reference, record } of wanted) effects.push(await this.setPool(reference, record, scope));
    return effects;
  }

  /** Fills the pool from the bank by jobs that run one after another, each with a part of the list. */
  private async setPool(reference: string, record: PoolRecord, scope: Scope): Promise<Effect> {
    const { organisation } = scope.shelf;
    const { name, description = null, status = 'published', items, activities } = record;
    const listing = { organisation, references: [reference], sort: CREATED, limit: 1 };
    const [before] = (await this.pools.find(listing)).entries;
    if (
      before?.name === name &&
      before.description === description &&
      before.status !== 'halted' &&
      before.statusAfterFill === status &&
      (await this.willHold(before, { items, activities }, organisation))
    )
      return 'unchanged';
    const parts = Math.max(1, Math.ceil(Math.max(items.length, activities.length) / POOL_PART));
    for (let part = 0; part < parts; part++) {
      const of = (list: readonly string[]) => list.slice(part * POOL_PART, (part + 1) * POOL_PART);
      const content = { items: of(items), activities: of(activities), tags: [], itemTags: [], activityTags: [] };
      const fill = {
        content,
        mode: part === 0 ? 'replace' : 'add',
        ignoreEmptyAdditional: false,
        publish: false,
      } as const;
      await this.pools.fill([{ reference, name, description, status, ...fill }], 'any', scope);
    }
    return before ? 'replaced' : 'created';
  }

  /** Whether the pool holds these items and activities once its fills are done, except those that are unpublished. */
  private async willHold(pool: Pool, wanted: Held, organisation: number): Promise<boolean> {
    const held = await this.reader.willHold(pool, organisation);
    if (!held) return false;
    for (const kind of LISTED) {
      const [now, listed] = [new Set(held[kind]), new Set(wanted[kind])];
      if (held[kind].some((reference) => !listed.has(reference))) return false;
      const missing = wanted[kind].filter((reference) => !now.has(reference));
      if (!(await this.reader.areUnpublished(kind, missing, organisation))) return false;
    }
    return true;
  }
}

const effectOf = (before: string | undefined, after: string): Effect =>
  before === undefined ? 'created' : before === after ? 'unchanged' : 'replaced';

const shownLevels = (levels: readonly HierarchyLevel[]): string =>
  JSON.stringify(levels.map(({ name, description }) => [name, description]));

const definitionOf = (record: WorkflowRecord): Definition => ({
  description: record.description ?? '',
  initialState: record.initial_state_reference,
  finalState: record.final_state_reference,
  states: record.workflow_states.map(({ reference, label, description, workflow_transitions: transitions }) => ({
    reference,
    label,
    description: description ?? '',
    transitions: transitions.map(({ to_state_reference: to, display_order: displayOrder }) => ({ to, displayOrder })),
  })),
});

const shownWorkflow = ({ reference, ...rest }: Definition & { reference: string }): string =>
  JSON.stringify([
    reference,
    rest.description,
    rest.initialState,
    rest.finalState,
    rest.states.map((state) => [
      state.reference,
      state.label,
      state.description,
      [...state.transitions]
        .sort((one, other) => one.displayOrder - other.displayOrder)
        .map(({ to, displayOrder }) => [to, displayOrder]),
    ]),
  ]);
