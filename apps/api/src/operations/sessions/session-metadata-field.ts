import { Type } from '@sinclair/typebox';
import { optional, text } from '../../declaration/fields';

const names = (description: string) => optional(Type.Array(text({ max: 255 }), { maxItems: 100, description }));

/** Names of session metadata. */
export const metadataNames = names(
  'Names of metadata to return besides what is always there, `session_tags` among them; those that a session has not are left out.',
);

/** The same as in the documents of some clients: one name with a dot in it. */
export const FLAT = 'sessions.session_metadata';

export const flatMetadataNames = names(
  'Names of metadata to return, `session_tags` among them; those that a session has not are left out. A single name with a dot in it: `{"include": {"sessions.session_metadata": ["…"]}}`.',
);
