import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { type Counted } from '#content';
import { integer, nullable, optional, text } from '../../../declaration/fields';
import { resource, status } from '../../../declaration/outputs';

const counted = <P extends TProperties>(description: string, members: P) =>
  optional(
    Type.Array(Type.Object({ ...members, count: integer({ description: 'Number of items.' }) }), { description }),
  );

export const Facets = resource(
  'Facets',
  'Numbers of items by the requested facets. Each facet lists its commonest values first.',
  {
    total: integer({ description: 'Number of items, at most 100,000.' }),
    complete: Type.Boolean({ description: 'Whether all items were counted.' }),
    status: counted('By status.', { value: status('Status.') }),
    workflow_state: counted('By workflow and state.', {
      workflow: nullable(text({ description: 'Reference of the workflow; null: in none.' })),
      state: nullable(text({ description: 'State in it; null: in no workflow.' })),
    }),
    question_type: counted('By type of the questions and features that they hold.', {
      value: text({ description: 'Type code.' }),
    }),
    scoring_type: counted('By scoring type.', { value: text({ description: 'Scoring type.' }) }),
    author: counted('By the user who created them.', {
      value: nullable(text({ description: 'Id of the user; null: no user was named.' })),
    }),
    tag_type: counted('By tag type.', { value: text({ description: 'Name of the type.' }) }),
    tag: counted('By tag.', {
      type: text({ description: 'Type of the tag.' }),
      name: text({ description: 'Name of the tag.' }),
    }),
  },
);

export function facetsView(
  { total, isComplete, counts }: Counted,
  workflows: ReadonlyMap<string, string>,
): Static<typeof Facets> {
  const values = Object.entries(counts).map(([facet, found]) => [
    facet,
    found.map(({ owner, value, items: count }) => {
      if (facet === 'workflow_state') return { workflow: workflows.get(owner ?? '') ?? null, state: value, count };
      return facet === 'tag' ? { type: owner, name: value, count } : { value, count };
    }),
  ]);
  return { total, complete: isComplete, ...(Object.fromEntries(values) as object) };
}
