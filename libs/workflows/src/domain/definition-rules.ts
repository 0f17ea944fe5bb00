import { type FaultDetail, place, repeatedIn } from '#kernel';
import { type Definition, type State, UNASSIGNED } from './workflow';

/** The maximum length of a workflow in an answer. It keeps a page of 50 workflows small enough to send. */
const MAX_CHARACTERS = 1_000_000;
/** The number of characters that a state or transition takes in an answer besides its texts. */
const OVERHEAD_CHARACTERS = 100;
/** The largest number of names that a message lists. */
const MAX_LISTED_NAMES = 10;

/**
 * The faults of a definition.
 * @param at JSON pointer to the workflow.
 */
export function* faultsOf(definition: Definition, at: string): Generator<FaultDetail> {
  const states = new Map(definition.states.map((state) => [state.reference, state]));
  const unknown = (reference: string, where: string): FaultDetail => ({
    kind: 'value',
    message: `${place(where)} is ${JSON.stringify(reference)}, which is not a state of the workflow; ${spelt([...states.keys()])}.`,
    at: where,
  });
  if (!states.has(definition.initialState)) yield unknown(definition.initialState, `${at}/initial_state_reference`);
  if (!states.has(definition.finalState)) yield unknown(definition.finalState, `${at}/final_state_reference`);

  const length = lengthOf(definition, states);
  if (length > MAX_CHARACTERS)
    yield {
      kind: 'length',
      message: `${place(`${at}/workflow_states`)} take about ${length} characters when they are read; a workflow may take ${MAX_CHARACTERS}.`,
      at: `${at}/workflow_states`,
    };

  for (const [index, { reference, transitions }] of definition.states.entries()) {
    const stateAt = `${at}/workflow_states/${index}`;
    if (reference === UNASSIGNED)
      yield {
        kind: 'value',
        message: `${place(`${stateAt}/reference`)} is "${UNASSIGNED}", which stands for items that are in no workflow; name the state otherwise.`,
        at: `${stateAt}/reference`,
      };
    const targets = transitions.map(({ to }, position) => ({
      reference: to,
      at: `${stateAt}/workflow_transitions/${position}/to_state_reference`,
    }));
    for (const target of targets) if (!states.has(target.reference)) yield unknown(target.reference, target.at);
    yield* repeatedIn(targets);
  }
  yield* repeatedIn(
    definition.states.map(({ reference }, index) => ({ reference, at: `${at}/workflow_states/${index}/reference` })),
  );
}

function spelt(references: readonly string[]): string {
  if (references.length === 0) return 'it has none';
  const listed = references.slice(0, MAX_LISTED_NAMES).map((reference) => JSON.stringify(reference));
  return `its states are ${listed.join(', ')}${references.length > MAX_LISTED_NAMES ? ' …' : ''}`;
}

/** The length of the workflow in an answer, in which each transition shows the labels of both states. */
function lengthOf(definition: Definition, states: ReadonlyMap<string, State>): number {
  let length = 0;
  for (const { reference, label, description, transitions } of definition.states) {
    length += OVERHEAD_CHARACTERS + reference.length + label.length + description.length;
    for (const { to } of transitions)
      length += OVERHEAD_CHARACTERS + to.length + label.length + (states.get(to)?.label.length ?? 0);
  }
  return length;
}

/** The same definition with transitions sorted by display order. The sort is stable. */
export function inDisplayOrder(definition: Definition): Definition {
  return {
    ...definition,
    states: definition.states.map((state) => ({
      ...state,
      transitions: [...state.transitions].sort((a, b) => a.displayOrder - b.displayOrder),
    })),
  };
}
