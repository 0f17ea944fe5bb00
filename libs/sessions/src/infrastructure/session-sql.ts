/* SQL for other contexts that join sessions and forms with their own rows. */

/** For JOIN: the session of a row with `organisation_id` and `session_id`. `alias` has the columns `user_id` and `status`. */
export function joinedSession(row: string, alias: string): string {
  return `session ${alias} ON ${alias}.organisation_id = ${row}.organisation_id AND ${alias}.session_id = ${row}.session_id`;
}

/** A condition: the session with these parameters, organisation and session_id, is stored. */
export const SESSION_IS_STORED = 'EXISTS (SELECT 1 FROM session WHERE organisation_id = ? AND session_id = ?)';

/** For JOIN: the form of a row with `organisation_id` and `form_id`. `alias` has the column `id`. */
export function joinedForm(row: string, alias: string): string {
  return `form ${alias} ON ${alias}.organisation_id = ${row}.organisation_id AND ${alias}.id = ${row}.form_id`;
}
