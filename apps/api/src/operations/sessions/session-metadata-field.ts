import { Type } from '@sinclair/typebox';
import { optional, text } from '../../declaration/fields';

const names = (description: string) => optional(Type.Array(text({ max: 255 }), { maxItems: 100, description }));

/** Names of session metadata. */
export const metadataNames = names(
  'Names of further metadata to return, such as `session_tags`. Names that a session does not have are left out.',
);

/** The parameter as some clients send it: a single name that contains a dot. */
export const FLAT = 'sessions.session_metadata';

export const flatMetadataNames = names(
  'Names of metadata to return, such as `session_tags`. Names that a session does not have are left out. The parameter is a single name with a dot: `{"include": {"sessions.session_metadata": ["…"]}}`.',
);
