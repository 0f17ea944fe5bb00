import { type Author } from '#kernel';

/** An author as clients read it. @param known absent: only the id is known. */
export const authorView = (id: string, known: Omit<Author, 'id'> | undefined) => ({
  id,
  firstname: known?.firstname ?? null,
  lastname: known?.lastname ?? null,
  email: known?.email ?? null,
});
