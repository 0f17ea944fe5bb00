import { Type } from '@sinclair/typebox';
import { text } from '../../declaration/fields';

const ID_LENGTH = 255;

/** Groups of items with a score of their own. */
export const subscores = Type.Array(
  Type.Object({
    id: text({ min: 1, max: ID_LENGTH, description: 'Id of the subscore, unique in the session.' }),
    title: text({ max: ID_LENGTH, description: 'Name for people.' }),
    items: Type.Array(Type.String(), { maxItems: 1000, description: 'References of its items.' }),
  }),
  { maxItems: 100, description: 'Subscores of the session. Default: those of the activity.' },
);
