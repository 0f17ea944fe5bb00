import type { User } from '../operations/operations';

/** The name of an author; the address or the id where it is not known. */
export const authorName = ({ id, firstname, lastname, email }: User): string =>
  [firstname, lastname].filter(Boolean).join(' ') || email || id;
