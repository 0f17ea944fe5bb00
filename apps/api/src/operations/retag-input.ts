import { type Static, Type } from '@sinclair/typebox';
import { type Retag } from '#content';
import { reference } from '../declaration/fields';
import { tags } from '../declaration/tag-fields';
import { ifRevision } from '../declaration/inputs';

const Entry = Type.Object({ reference: reference(), tags: tags(), if_revision: ifRevision() });

/** The entries of the operations on tags of items and activities. */
export const retagEntries = () => Type.Array(Entry, { maxItems: 50, description: 'The records with their tags.' });

export function retagsOf(entries: readonly Static<typeof Entry>[]): Retag[] {
  return entries.map(({ reference, tags, if_revision: ifRevision }) => ({ reference, tags, ifRevision }));
}
