import { Injectable } from '@nestjs/common';
import { type Author } from '#kernel';
import { Database, questionMarks } from '#platform';
import { AuthorStore } from '../application/ports/author-store';

interface AuthorRow {
  id: string;
  firstname: string | null;
  lastname: string | null;
  email: string | null;
}

const NAMES = ['firstname', 'lastname', 'email'] as const;

/** Names all organisations, because the key of the table begins with the organisation. */
const EVERYWHERE = 'organisation_id IN (SELECT o.id FROM organisation o) AND id = ?';

@Injectable()
export class SqlAuthorStore extends AuthorStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(organisation: number, ids: readonly string[]): Promise<Author[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.rows<AuthorRow>(
      `SELECT id, firstname, lastname, email FROM author WHERE organisation_id = ? AND id IN (${questionMarks(ids.length)})`,
      [organisation, ...ids],
    );
    return rows.map(authorOf);
  }

  override async everywhere(id: string): Promise<(Author & { organisation: number })[]> {
    const rows = await this.database.rows<AuthorRow & { organisation_id: number }>(
      `SELECT organisation_id, id, firstname, lastname, email FROM author WHERE ${EVERYWHERE} ORDER BY organisation_id`,
      [id],
    );
    return rows.map((row) => ({ organisation: row.organisation_id, ...authorOf(row) }));
  }

  override async forget(id: string): Promise<void> {
    await this.database.write(`UPDATE author SET firstname = NULL, lastname = NULL, email = NULL WHERE ${EVERYWHERE}`, [
      id,
    ]);
  }

  override async put(organisation: number, author: Author, now: number): Promise<void> {
    const { id, firstname, lastname, email } = author;
    await this.database.insert(
      'author',
      ['organisation_id', 'id', 'firstname', 'lastname', 'email', 'created_at'],
      [[organisation, id, firstname ?? null, lastname ?? null, email ?? null, now]],
      this.database.dialect.onDuplicate(
        ['organisation_id', 'id'],
        NAMES.filter((name) => author[name] !== undefined),
      ),
    );
  }
}

const authorOf = ({ id, firstname, lastname, email }: AuthorRow): Author => ({
  id,
  firstname: firstname ?? undefined,
  lastname: lastname ?? undefined,
  email: email ?? undefined,
});
