import { type Author, charactersOf, checkText, Fault, foldCase } from '#kernel';
import { type Role } from './roles';

/** The scope of audit entries that concern the whole installation. */
export const INSTALLATION = { organisation: 0 };

/** The roles of a person in each organisation. */
export type Roles = ReadonlyMap<number, readonly Role[]>;

export interface Person {
  /** A ULID. It is the author's id in the history of what the person changes. */
  id: string;
  email: string;
  firstname: string;
  lastname: string;
  status: 'active' | 'disabled';
  roles: Roles;
  createdAt: number;
  /** Null: the person has never signed in. */
  signedInAt: number | null;
  hasPassword: boolean;
}

/** The person as the author of a change. */
export const authorOf = ({ id, firstname, lastname, email }: Person): Author => ({
  id,
  firstname: firstname || undefined,
  lastname: lastname || undefined,
  email,
});

/** The shortest password. Long passwords are safe without rules about their characters. */
const MIN_PASSWORD_LENGTH = 12;
/** Limits the time of hashing, which grows with the length of the password. */
const MAX_PASSWORD_LENGTH = 200;
/** The limit of author names, because people are the authors of what they change. */
export const MAX_NAME_LENGTH = 50;
const MAX_EMAIL_LENGTH = 255;
/** Accepts a name, an at sign and a host without blanks. Mail servers apply the exact rules. */
const EMAIL = /^[^\s\p{Cc}@<>"]{1,64}@[^\s\p{Cc}@<>"]{1,190}$/u;

/** Addresses that differ only in case belong to the same person. */
export const emailKey = (email: string): string => foldCase(email.trim());

export function checkEmail(email: string, at: string): void {
  checkText(email, at, { max: MAX_EMAIL_LENGTH });
  // Folding may lengthen a text.
  checkText(emailKey(email), at, { max: MAX_EMAIL_LENGTH });
  if (!EMAIL.test(email))
    throw new Fault('value', `${at.slice(1)} must be an e-mail address, such as anna@example.org.`, at);
}

export function checkName(name: string, at: string): void {
  checkText(name, at, { max: MAX_NAME_LENGTH });
  if (/\p{Cc}/u.test(name)) throw new Fault('value', `${at.slice(1)} must be one line of text.`, at);
}

export function checkPassword(password: string): void {
  const at = '/password';
  if (!password.isWellFormed())
    throw new Fault('value', 'A password is text; this one holds half of a surrogate pair.', at);
  const length = charactersOf(password);
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH)
    throw new Fault(
      'length',
      `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters; this one has ${length}.`,
      at,
    );
}
