import { createContext, useContext } from 'react';
import type { OperationName } from '../operations/call';
import { http, setCaller } from '../operations/http';

export type Role = 'viewer' | 'author' | 'reviewer' | 'marker' | 'analyst' | 'operator';

export interface Organisation {
  id: number;
  name: string;
  roles: Role[];
  operations: string[];
}

export interface Person {
  id: string;
  email: string;
  firstname: string;
  lastname: string;
  has_password: boolean;
}

/** The signed-in person. */
export interface Session {
  person: Person;
  is_fresh: boolean;
  organisations: Organisation[];
}

/** The service's answer while nobody is signed in. */
export interface SignInOptions {
  /** Whether people can sign in with OpenID Connect. */
  openid?: boolean;
}

type Who = SignInOptions & ((Session & { csrf: string }) | { person: null });

export async function whoAmI(): Promise<{ session: Session | null; options: SignInOptions }> {
  const who = await http<Who>('GET', '/console/session');
  if (who.person === null) {
    setCaller('', '');
    return { session: null, options: who };
  }
  setCaller(who.person.id, who.csrf);
  return { session: who, options: who };
}

export const signIn = (email: string, password: string) => http<void>('POST', '/console/session', { email, password });

export const lookAtLink = (link: string) =>
  http<{ purpose: 'sign-in' | 'invitation' | 'reset'; email: string }>('POST', '/console/session/link/look', { link });

export const followLink = (link: string, password?: string) =>
  http<void>('POST', '/console/session/link', { link, ...(password === undefined ? {} : { password }) });

export const confirmIdentity = (password: string) => http<void>('POST', '/console/session/confirmation', { password });

export const signOut = (everywhere = false) =>
  http<void>('DELETE', `/console/session${everywhere ? '?everywhere' : ''}`);

/** The session and the organisation that the person works in now. */
export interface Workplace {
  session: Session;
  organisation: Organisation;
  choose(organisation: number): void;
  /** Reads the session again. When it fails, the screen stays. */
  read(): Promise<void>;
  /** Reads the session again. When it fails, an error replaces the screen. */
  refresh(): Promise<void>;
}

export const WorkplaceContext = createContext<Workplace | null>(null);

export function useWorkplace(): Workplace {
  const workplace = useContext(WorkplaceContext);
  if (!workplace) throw new Error('This needs a signed-in person.');
  return workplace;
}

/** Whether the person may call an operation in the chosen organisation: `const may = useMay(); may('set itembank/items')`. */
export function useMay(): (operation: OperationName) => boolean {
  const { organisation } = useWorkplace();
  const operations = new Set(organisation.operations);
  return (operation) => operations.has(operation);
}
