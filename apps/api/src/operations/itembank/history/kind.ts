import { words } from '../../../declaration/fields';

/** Of which kind the records are that history is asked about. */
export const kind = () =>
  words(['item', 'question', 'feature', 'activity'], {
    description: 'What the records are: each kind has its references.',
  });
