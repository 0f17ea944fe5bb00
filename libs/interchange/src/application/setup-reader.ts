import { Injectable } from '@nestjs/common';
import { Activities, Items } from '#content';
import { type Position, type Shelf, type Slice } from '#kernel';
import { type Pool, Pools } from '#pools';
import { type Tag, TagHierarchies, Tags } from '#tagging';
import { type Workflow, Workflows } from '#workflows';
import { type SetupRecord } from '../formats/entry';
import { type OutgoingSetup } from '../formats/format';

const PAGE_SIZE = 1000;
const CREATED = { field: 'created', ascending: true } as const;

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

  /** A pool that is being filled has its status of afterwards. Without one, an import would publish it. */
  private async poolOf(
    { reference, name, description, statusAfterFill: status }: Pool,
    organisation: number,
  ): Promise<OutgoingSetup> {
    const shelf = { organisation, pool: await this.pools.shelf(organisation, reference) };
    const [items, activities] = [await this.held('items', shelf), await this.held('activities', shelf)];
    return { reference, record: { kind: 'pool', name, description, status, items, activities } };
  }

  /** The references of the items or activities that a pool holds. */
  async held(kind: 'items' | 'activities', shelf: Shelf): Promise<string[]> {
    const references: string[] = [];
    const find = (after?: Position) => this[kind].find(shelf, { sort: CREATED, limit: PAGE_SIZE, after });
    for await (const { reference } of all(find)) references.push(reference);
    return references;
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
