import { words } from '../../../declaration/fields';

/** The kind of the records whose history is requested. */
export const kind = () =>
  words(['item', 'question', 'feature', 'activity'], {
    description: 'What the records are: each kind has its references.',
  });
