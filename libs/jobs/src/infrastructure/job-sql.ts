/** A column for a SELECT: the status of a job, null when no job has that id (any more). */
export function jobStatusColumn(organisation: string, id: string): string {
  return `(SELECT q.status FROM job q WHERE q.organisation_id = ${organisation} AND q.id = ${id})`;
}
