import { Injectable } from '@nestjs/common';
import { Audit, Authors, Consumers } from '#access';
import {
  checkRevisions,
  Fault,
  type FaultDetail,
  foldCase,
  newId,
  place,
  type Scope,
  type Slice,
  throwAny,
  UnitOfWork,
} from '#kernel';
import { faultsOf, inDisplayOrder } from '../domain/definition-rules';
import { type Definition, UNASSIGNED, type Workflow } from '../domain/workflow';
import { type WorkflowListing, WorkflowStore } from './ports/workflow-store';
import { WorkflowUses } from './ports/workflow-uses';

/** A workflow as `set` takes it. */
interface WorkflowInput extends Definition {
  reference: string;
  /** The workflow must have this revision; 0: it must not exist. */
  ifRevision?: number;
}

/** A workflow as items use it. */
export interface ItemWorkflow {
  id: string;
  reference: string;
  initialState: string;
  finalState: string;
  /** The states, each with the states that its transitions lead to. */
  states: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Selects items by workflow. Absent states: `Unassigned` and all states of the workflow. */
export interface WorkflowFilter {
  reference: string;
  states?: readonly string[];
}

/**
 * Selects items in one of the states of the workflow (absent: any state). With `unassigned`, also selects items without
 * a workflow.
 */
export interface WantedStates {
  id: string;
  states?: readonly string[];
  unassigned: boolean;
}

/** The largest number of faults that an answer lists. */
const MAX_LISTED_FAULTS = 50;

/** Workflows of an item bank: the states that items go through until they are published. */
@Injectable()
export class Workflows {
  constructor(
    private readonly store: WorkflowStore,
    private readonly uses: WorkflowUses,
    private readonly work: UnitOfWork,
    private readonly authors: Authors,
    private readonly audit: Audit,
    private readonly consumers: Consumers,
  ) {}

  /** Newest first. References ignore case. */
  async find(listing: WorkflowListing): Promise<Slice<Workflow>> {
    return this.store.find(listing);
  }

  /** The number of items in each state of the workflows, by the ids of the workflows. States without items are left out. */
  async itemCounts(organisation: number, ids: readonly string[]): Promise<Map<string, Map<string, number>>> {
    const counts = new Map<string, Map<string, number>>();
    for (const { workflowId, state, items } of await this.uses.countByState(organisation, ids))
      counts.set(workflowId, (counts.get(workflowId) ?? new Map<string, number>()).set(state, Number(items)));
    return counts;
  }

  /**
   * Creates or replaces the workflows, all or none. Stores the given case.
   * @throws Fault 20011 when the set removes a state that items are in, or a workflow has another revision than
   * expected.
   */
  async set(inputs: readonly WorkflowInput[], scope: Scope): Promise<void> {
    refuseUnsound(inputs);
    const organisation = scope.shelf.organisation;
    const references = inputs.map(({ reference }) => reference);
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const existing = await this.store.named(organisation, references, 'update');
      const changes = inputs.map(({ ifRevision: _, ...input }) => {
        const before = existing.get(foldCase(input.reference));
        const after: Workflow = {
          ...inDisplayOrder(input),
          id: before?.id ?? newId(scope.now),
          reference: input.reference,
          updatedAt: before ? Math.max(scope.now, before.updatedAt + 1) : scope.now,
        };
        return { before, after };
      });
      checkRevisions(
        inputs.map(({ reference, ifRevision }, index) => ({
          reference: foldCase(reference),
          name: reference,
          ifRevision,
          at: `/workflows/${index}`,
        })),
        existing,
      );
      await this.refuseLostStates(organisation, changes);
      await this.store.add(
        organisation,
        changes.filter(({ before }) => !before).map(({ after }) => after),
      );
      await this.store.replace(
        organisation,
        changes.filter(({ before }) => before).map(({ after }) => after),
      );
      await this.audit.record(
        changes.map(({ before, after }) => ({
          subject: 'workflow',
          key: foldCase(after.reference),
          detail: { ...(before ? { before: shown(before) } : {}), after: shown(after) },
        })),
        scope,
      );
    });
  }

  /**
   * The existing workflows by folded reference, locked against changes until the unit of work ends. Call it inside a
   * unit of work, before items are locked.
   */
  async hold(organisation: number, references: readonly string[]): Promise<Map<string, ItemWorkflow>> {
    return forItems(await this.store.named(organisation, references, 'share'));
  }

  /** @throws Fault `reference-unknown` when the workflow does not exist. */
  async wanted(organisation: number, { reference, states }: WorkflowFilter): Promise<WantedStates> {
    const workflow = (await this.store.named(organisation, [reference])).get(foldCase(reference));
    if (!workflow)
      throw new Fault(
        'reference-unknown',
        `authoring_workflow.reference: there is no workflow ${JSON.stringify(reference)}.`,
        '/authoring_workflow/reference',
      );
    return {
      id: workflow.id,
      states: states?.filter((state) => state !== UNASSIGNED),
      unassigned: states?.includes(UNASSIGNED) ?? true,
    };
  }

  /** The references of workflows by their ids. Ids may repeat, and null stands for no workflow. */
  async byIds(organisation: number, ids: readonly (string | null)[]): Promise<Map<string, string>> {
    return this.store.references(organisation, [...new Set(ids.filter((id) => id !== null))]);
  }

  /** Whether items may only change state along the workflow's transitions (decision 15). */
  async movesEnforced(organisation: number): Promise<boolean> {
    return (await this.consumers.settings(organisation)).enforce_workflow_moves === true;
  }

  private async refuseLostStates(organisation: number, changes: readonly Change[]): Promise<void> {
    const lost = new Map<string, { states: Set<string>; reference: string; at: string }>();
    for (const [index, { before, after }] of changes.entries()) {
      const kept = new Set(after.states.map(({ reference }) => reference));
      const states = new Set(before?.states.map(({ reference }) => reference).filter((state) => !kept.has(state)));
      const at = `/workflows/${index}/workflow_states`;
      if (states.size > 0) lost.set(after.id, { states, reference: after.reference, at });
    }
    const counts = await this.uses.countByState(organisation, [...lost.keys()]);
    const faults: FaultDetail[] = [];
    for (const [id, { states, reference, at }] of lost)
      for (const { workflowId, state, items } of counts)
        if (workflowId === id && states.has(state))
          faults.push({
            kind: 'conflict',
            message: `${place(at)} leave out the state ${JSON.stringify(state)} of workflow ${JSON.stringify(reference)}, in which ${items === 1 ? '1 item stands' : `${items} items stand`}; move them to another state first.`,
            at,
          });
    throwAny(faults);
  }
}

interface Change {
  before?: Workflow;
  after: Workflow;
}

function refuseUnsound(inputs: readonly WorkflowInput[]): void {
  const faults: FaultDetail[] = [];
  const seen = new Map<string, number>();
  for (const [index, input] of inputs.entries()) {
    const key = foldCase(input.reference);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else
      faults.push({
        kind: 'duplicate',
        message: `workflows[${index}] names the same workflow as workflows[${first}]; references ignore case.`,
        at: `/workflows/${index}/reference`,
      });
    for (const fault of faultsOf(input, `/workflows/${index}`)) {
      if (faults.length >= MAX_LISTED_FAULTS) break;
      faults.push(fault);
    }
  }
  throwAny(faults);
}

function forItems(workflows: ReadonlyMap<string, Workflow>): Map<string, ItemWorkflow> {
  return new Map(
    [...workflows].map(([key, { id, reference, initialState, finalState, states }]) => [
      key,
      {
        id,
        reference,
        initialState,
        finalState,
        states: new Map(
          states.map((state) => [state.reference, new Set(state.transitions.map(({ to }) => to))] as const),
        ),
      },
    ]),
  );
}

function shown({ id: _id, updatedAt: _updatedAt, ...rest }: Workflow) {
  return rest;
}
