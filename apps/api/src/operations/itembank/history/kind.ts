import { words } from '../../../declaration/fields';

/** The kind of the records whose history is requested. */
export const kind = () =>
  words(['item', 'question', 'feature', 'activity'], {
    description: 'Kind of the records; each kind has its own references.',
  });
