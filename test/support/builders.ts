/* Builders of what clients send, with valid defaults. The service accepts every result as it is. */

export type WireTags = Record<string, string[]>;

export interface WireWidget {
  reference: string;
  type: string;
  data: Record<string, unknown>;
  [member: string]: unknown;
}

export interface WireItem {
  reference: string;
  definition: { widgets: { reference: string }[] };
  tags?: WireTags;
  [member: string]: unknown;
}

interface WireActivity {
  reference: string;
  data: { items: (string | { reference: string })[]; [member: string]: unknown };
  tags?: WireTags;
  [member: string]: unknown;
}

interface WireTag {
  type: string;
  name: string;
  [member: string]: unknown;
}

let made = 0;

/** A reference that is unique in this process: `item-7`. */
export function newReference(kind: string): string {
  return `${kind}-${++made}`;
}

/** A multiple-choice question worth one point. */
export function question(values: Partial<WireWidget> = {}): WireWidget {
  return {
    reference: newReference('question'),
    type: 'mcq',
    data: {
      type: 'mcq',
      stimulus: '<p>Which number is even?</p>',
      options: [
        { label: 'One', value: '0' },
        { label: 'Two', value: '1' },
      ],
      validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['1'] } },
    },
    ...values,
  };
}

/** A passage that questions refer to. */
export function feature(values: Partial<WireWidget> = {}): WireWidget {
  return {
    reference: newReference('feature'),
    type: 'sharedpassage',
    data: { type: 'sharedpassage', heading: 'The river', content: '<p>It flows.</p>' },
    ...values,
  };
}

/** @param widgets references of its existing questions and features */
export function item(widgets: readonly string[], values: Partial<WireItem> = {}): WireItem {
  return {
    reference: newReference('item'),
    title: 'An item',
    status: 'published',
    definition: { widgets: widgets.map((reference) => ({ reference })) },
    ...values,
  };
}

/** @param items references of its existing items */
export function activity(items: readonly string[], values: Partial<WireActivity> = {}): WireActivity {
  return { reference: newReference('activity'), title: 'An activity', data: { items: [...items] }, ...values };
}

export function wireTag(values: Partial<WireTag> = {}): WireTag {
  return { type: 'Subject', name: newReference('tag'), ...values };
}

/**
 * A workflow from the first of these states to the last.
 * @param states each with the states to which its items may move.
 */
export function workflow(
  reference: string,
  states: Record<string, readonly string[]>,
  label = (state: string) => state,
) {
  const names = Object.keys(states);
  return {
    reference,
    initial_state_reference: names[0]!,
    final_state_reference: names.at(-1)!,
    workflow_states: names.map((name) => ({
      reference: name,
      label: label(name),
      workflow_transitions: states[name]!.map((to, order) => ({ to_state_reference: to, display_order: order })),
    })),
  };
}

/** A list of `count` results of a builder. */
export function several<T>(count: number, build: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => build(index));
}
