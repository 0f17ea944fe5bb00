import { queryOptions } from '@tanstack/react-query';
import { http } from '../../operations/http';
import type { Role } from '../../session/session';

export const ROLES: readonly Role[] = ['viewer', 'author', 'reviewer', 'marker', 'analyst', 'operator'];

export interface RolesIn {
  organisation: number;
  roles: Role[];
}

export interface PersonView {
  id: string;
  email: string;
  firstname: string;
  lastname: string;
  status: 'active' | 'disabled';
  roles: RolesIn[];
  has_password: boolean;
  created_at: string;
  signed_in_at: string | null;
}

/** An address that signs a person in once. */
export interface NewLink {
  path: string;
  ends_at: string;
}

export type Purpose = 'sign-in' | 'invitation' | 'reset';

const PATH = '/console/people';

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => http<PersonView[]>('GET', PATH, undefined, signal),
});

export const invite = (person: { email: string; firstname: string; lastname: string; roles: RolesIn[] }) =>
  http<PersonView & { link: NewLink }>('POST', PATH, person);

export const change = (
  id: string,
  changes: { status?: PersonView['status']; roles?: (RolesIn & { before: Role[] })[] },
) => http<PersonView>('PATCH', `${PATH}/${id}`, changes);

export const newLink = (id: string, purpose: Purpose) => http<NewLink>('POST', `${PATH}/${id}/links`, { purpose });

export const remove = (id: string) => http<void>('DELETE', `${PATH}/${id}`);

export const nameOf = ({ firstname, lastname, email }: PersonView): string =>
  `${firstname} ${lastname}`.trim() || email;

export const rolesIn = ({ roles }: PersonView, organisation: number): Role[] =>
  roles.find((each) => each.organisation === organisation)?.roles ?? [];
