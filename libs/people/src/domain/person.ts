import { checkText, Fault, foldCase } from '#kernel';
import { type Role } from './roles';

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

/** The shortest password. Long passwords are safe without rules about their characters. */
const MIN_PASSWORD = 12;
/** Hashing a password costs time that grows with its length. */
const MAX_PASSWORD = 200;
const MAX_NAME = 100;
/** Leaves the exact rules to mail servers: a name, an at sign and a host, without blanks. */
const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;

/** Addresses that differ only in case belong to the same person. */
export const emailKey = (email: string): string => foldCase(email.trim());

export function checkEmail(email: string, at: string): void {
  checkText(email, at, { max: 255 });
  if (!EMAIL.test(email))
    throw new Fault('value', `${at.slice(1)} must be an e-mail address, such as anna@example.org.`, at);
}

export function checkName(name: string, at: string): void {
  checkText(name, at, { max: MAX_NAME });
}

export function checkPassword(password: string, at: string): void {
  const length = [...password].length;
  if (length < MIN_PASSWORD || length > MAX_PASSWORD)
    throw new Fault(
      'length',
      `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters; this one has ${length}.`,
      at,
    );
}
