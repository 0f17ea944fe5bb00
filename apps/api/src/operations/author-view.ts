import { type Static } from '@sinclair/typebox';
import { type Author } from '#kernel';
import { nullable, text } from '../declaration/fields';
import { resource } from '../declaration/outputs';

export const User = resource('User', 'The author of a change, from `meta.user` of the write.', {
  id: text({
    max: 50,
    description: 'Id that the caller assigns; an unknown id creates a new user.',
  }),
  firstname: nullable(text({ max: 50, description: 'First name.' })),
  lastname: nullable(text({ max: 50, description: 'Last name.' })),
  email: nullable(text({ max: 255, description: 'Address.' })),
});

/** An author as clients read it. @param known absent: only the id is known. */
export const authorView = (id: string, known: Omit<Author, 'id'> | undefined): Static<typeof User> => ({
  id,
  firstname: known?.firstname ?? null,
  lastname: known?.lastname ?? null,
  email: known?.email ?? null,
});
