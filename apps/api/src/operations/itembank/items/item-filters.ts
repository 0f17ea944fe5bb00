import { type Static, type TObject, Type } from '@sinclair/typebox';
import { MEDIA, SCORING_TYPES, STATUSES } from '#content';
import { MAX_STATES } from '#workflows';
import { flag, optional, references, text, words } from '../../../declaration/fields';
import { advancedTagFilter, tagFilter } from '../../../declaration/tag-fields';
import { tagQueryOf } from '../../record-query';

/** Members that select items. */
export const itemFilters = {
  references: optional(references('References of items.')),
  status: optional(Type.Array(words(STATUSES), { description: 'Default: all.' })),
  tags: tagFilter(),
  advanced_tags: advancedTagFilter(),
  authoring_workflow: optional(
    Type.Object(
      {
        reference: text({ min: 1, max: 150, description: 'Reference of the workflow; ignores case.' }),
        states: optional(
          Type.Array(text({ max: 150 }), {
            maxItems: MAX_STATES + 1,
            description: 'Default: `Unassigned` and all states.',
          }),
        ),
      },
      { description: 'Items that go through this workflow.' },
    ),
  ),
  created_by: optional(Type.Array(text(), { maxItems: 1000, description: 'Ids of the users who created the items.' })),
  questions: optional(
    Type.Object(
      {
        references: optional(references('Items that hold at least one of these widgets.')),
        types: optional(
          Type.Array(text(), { maxItems: 1000, description: 'Items that hold a widget of one of these types.' }),
        ),
      },
      { description: 'Items by the questions and features that they hold.' },
    ),
  ),
  difficulty: optional(
    Type.Object(
      {
        min: optional(Type.Number({ description: 'Lowest difficulty.' })),
        max: optional(Type.Number({ description: 'Highest difficulty.' })),
      },
      { description: 'Items by `adaptive.difficulty`. Without bounds: items that have one.' },
    ),
  ),
  unused: flag('Only items that no activity of the item bank holds at present.'),
  media: optional(
    Type.Array(words(MEDIA), {
      maxItems: 100,
      description:
        'Items with at least one of these, in themselves or in the questions and features that they hold at present.',
    }),
  ),
  scoring_type: optional(
    Type.Array(words([...SCORING_TYPES, 'per-dichotomous']), {
      description: 'Default: all. `per-dichotomous` is `dichotomous`.',
    }),
  ),
};

/** The members as the services take them. */
export function selectedItems(input: Static<TObject<typeof itemFilters>>) {
  return {
    references: input.references,
    status: input.status,
    types: input.scoring_type?.map((type) => (type === 'per-dichotomous' ? 'dichotomous' : type)),
    tags: tagQueryOf(input),
    holdsOneOf: input.questions?.references,
    holdsTypes: input.questions?.types,
    createdBy: input.created_by,
    difficulty: input.difficulty,
    isUnused: input.unused,
    media: input.media,
    workflow: input.authoring_workflow,
  };
}
