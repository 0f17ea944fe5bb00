import { Injectable } from '@nestjs/common';
import { Activities, Items } from '#content';
import { inParts, type Position, type Slice } from '#kernel';
import { type Pool, Pools } from '#pools';
import { type Tag, TagHierarchies, Tags } from '#tagging';
import { type Workflow, Workflows } from '#workflows';
import { type SetupRecord } from '../formats/entry';
import { type OutgoingSetup } from '../formats/format';

const PAGE_SIZE = 1000;
const CREATED = { field: 'created', ascending: true } as const;

export const LISTED = ['items', 'activities'] as const;
type Listed = (typeof LISTED)[number];
/** References of what a pool holds. */
export type Held = Record<Listed, string[]>;

/** Reads the tags, hierarchies, workflows and pools of a bank. They have no history, so it reads the present ones. */
@Injectable()
export class SetupReader {
  constructor(
    private readonly tags: Tags,
    private readonly hierarchies: TagHierarchies,
    private readonly workflows: Workflows,
    private readonly pools: Pools,
    private readonly items: Items,
    private readonly activities: Activities,
  ) {}

  /** Tags, hierarchies and workflows. Items refer to them. */
  async *beforeItems(organisation: number): AsyncGenerator<OutgoingSetup> {
    const listing = { organisation, limit: PAGE_SIZE };
    for await (const tag of all((after) => this.tags.find({ ...listing, sort: CREATED, after }))) yield tagOf(tag);
    for (const { reference, tagTypes } of await this.hierarchies.find(organisation))
      yield { reference, record: { kind: 'hierarchy', tag_types: tagTypes } };
    const workflows: OutgoingSetup[] = [];
    for await (const workflow of all((after) => this.workflows.find({ ...listing, after })))
      workflows.push(workflowOf(workflow));
    // The store lists them newest first.
    yield* workflows.reverse();
  }

  /** Pools. They refer to items and activities. */
  async *afterItems(organisation: number): AsyncGenerator<OutgoingSetup> {
    const listing = { organisation, limit: PAGE_SIZE, sort: CREATED };
    for await (const pool of all((after) => this.pools.find({ ...listing, after })))
      yield await this.poolOf(pool, organisation);
  }

  /**
   * A pool that is being filled is read with the status and content that it will have afterwards. With the present
   * ones, an import would publish it, or leave it empty. Nobody knows yet what a fill by tags will find. So such a pool
   * has its present content.
   */
  private async poolOf(pool: Pool, organisation: number): Promise<OutgoingSetup> {
    const { reference, name, description, statusAfterFill: status } = pool;
    const held = (await this.willHold(pool, organisation)) ?? (await this.held(pool, organisation));
    return { reference, record: { kind: 'pool', name, description, status, ...held } };
  }

  /** The content of a pool after its running fills; undefined if one of them searches by tags. */
  async willHold(pool: Pool, organisation: number): Promise<Held | undefined> {
    // Read before the content: a fill that ends meanwhile is then counted twice, and not left out.
    const fills = await this.pools.openFills({ organisation, id: pool.id });
    if (fills.some(({ content }) => content.tags.length + content.itemTags.length + content.activityTags.length > 0))
      return undefined;
    const held = await this.held(pool, organisation);
    for (const { mode, content } of fills)
      for (const kind of LISTED)
        held[kind] = [...new Set([...(mode === 'replace' ? [] : held[kind]), ...content[kind]])];
    return held;
  }

  private async held({ reference }: Pool, organisation: number): Promise<Held> {
    const shelf = { organisation, pool: await this.pools.shelf(organisation, reference) };
    const held: Held = { items: [], activities: [] };
    for (const kind of LISTED) {
      const find = (after?: Position) => this[kind].find(shelf, { sort: CREATED, limit: PAGE_SIZE, after });
      for await (const record of all(find)) held[kind].push(record.reference);
    }
    return held;
  }

  /** Whether all of these records are in the bank, and none is published. */
  async areUnpublished(kind: Listed, references: readonly string[], organisation: number): Promise<boolean> {
    const query = { status: ['unpublished', 'archived'], sort: CREATED, limit: PAGE_SIZE };
    for (const part of inParts(references, PAGE_SIZE)) {
      const { entries } = await this[kind].find({ organisation }, { ...query, references: part });
      if (entries.length < part.length) return false;
    }
    return true;
  }
}

async function* all<T>(find: (after?: Position) => Promise<Slice<T>>): AsyncGenerator<T> {
  let after: Position | undefined;
  do {
    const slice = await find(after);
    yield* slice.entries;
    after = slice.after;
  } while (after);
}

const tagOf = ({ type, name, description, sortKey }: Tag): OutgoingSetup => ({
  reference: `${type}: ${name}`,
  record: { kind: 'tag', type, name, description, sort_key: sortKey },
});

const workflowOf = ({ reference, description, initialState, finalState, states }: Workflow): OutgoingSetup => {
  const record: SetupRecord = {
    kind: 'workflow',
    description,
    initial_state_reference: initialState,
    final_state_reference: finalState,
    workflow_states: states.map(({ reference: state, label, description: text, transitions }) => ({
      reference: state,
      label,
      description: text,
      workflow_transitions: transitions.map(({ to, displayOrder }) => ({
        to_state_reference: to,
        display_order: displayOrder,
      })),
    })),
  };
  return { reference, record };
};
