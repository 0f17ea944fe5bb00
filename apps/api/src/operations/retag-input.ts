import { Type } from '@sinclair/typebox';
import { reference, tags } from '../operation/fields';

/** The entries of the operations on the tags of items and of activities. */
export const retagEntries = () =>
  Type.Array(Type.Object({ reference: reference(), tags: tags() }), {
    maxItems: 50,
    description: 'What is tagged, and with what.',
  });
