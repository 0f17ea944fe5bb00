import { Injectable } from '@nestjs/common';
import { Conditions, Database, questionMarks } from '#platform';
import { SavedViewStore } from '../application/ports/saved-view-store';
import { type SavedView } from '../domain/saved-view';

type ViewRow = Omit<SavedView, 'isShared'> & {
  organisation: number;
  isShared: number;
  /** Whether others may replace and delete the view, because its owner cannot. */
  isLeft?: number;
};

const KEY = ['organisation_id', 'reference'];
const REST = ['screen', 'owner', 'is_shared', 'name', 'address', 'updated_at'];
/** Reads the whole table. It is small, and people are seldom removed or exported. */
const EVERYWHERE = 'owner = ?';
const COLUMNS = `organisation_id AS organisation, reference, screen, owner, is_shared AS isShared, name, address,
  updated_at AS updatedAt`;
/** The columns as other people see them. A shared view has no owner while its owner is disabled or has no role here. */
const SEEN = `${COLUMNS}, is_shared = 1 AND EXISTS (
  SELECT 1 FROM person WHERE person.id = owner AND (person.status = 'disabled' OR NOT EXISTS (
    SELECT 1 FROM person_role
    WHERE person_role.organisation_id = saved_view.organisation_id AND person_role.person_id = person.id))) AS isLeft`;

@Injectable()
export class SqlSavedViewStore extends SavedViewStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find({
    organisation,
    owner,
    screen,
    after,
    limit,
  }: Parameters<SavedViewStore['find']>[0]): Promise<SavedView[]> {
    const conditions = new Conditions();
    conditions.add('organisation_id = ? AND (is_shared = 1 OR owner = ?)', organisation, owner);
    if (screen !== undefined) conditions.add('screen = ?', screen);
    if (after !== undefined) conditions.add('reference > ?', after);
    const rows = await this.database.rows<ViewRow>(
      `SELECT ${SEEN} FROM saved_view WHERE ${conditions.text} ORDER BY reference LIMIT ${limit}`,
      conditions.parameters,
    );
    return rows.map(viewOf);
  }

  override async lock(organisation: number, references: readonly string[]): Promise<Map<string, SavedView>> {
    if (references.length === 0) return new Map();
    const rows = await this.database.rows<ViewRow>(
      `SELECT ${SEEN} FROM saved_view WHERE organisation_id = ? AND reference IN (${questionMarks(references.length)})
       ORDER BY reference ${this.database.dialect.forUpdate}`,
      [organisation, ...references],
    );
    return new Map(rows.map((row) => [row.reference, viewOf(row)]));
  }

  override async count(organisation: number, owner: string): Promise<number> {
    const row = await this.database.row<{ views: number | string }>(
      'SELECT COUNT(*) AS views FROM saved_view WHERE organisation_id = ? AND owner = ?',
      [organisation, owner],
    );
    return Number(row!.views);
  }

  override async put(organisation: number, views: readonly SavedView[]): Promise<void> {
    await this.database.insert(
      'saved_view',
      [...KEY, ...REST],
      [...views]
        .sort((a, b) => (a.reference < b.reference ? -1 : 1))
        .map(({ reference, screen, owner, isShared, name, address, updatedAt }) => [
          organisation,
          reference,
          screen,
          owner,
          isShared ? 1 : 0,
          name,
          address,
          updatedAt,
        ]),
      this.database.dialect.onDuplicate(KEY, REST),
    );
  }

  override async remove(organisation: number, references: readonly string[]): Promise<void> {
    const own = { sql: 'organisation_id = ?', parameters: [organisation] };
    await this.database.remove('saved_view', own, 'reference', [...references].sort());
  }

  override async everywhere(owner: string): Promise<(SavedView & { organisation: number })[]> {
    const rows = await this.database.rows<ViewRow>(
      `SELECT ${COLUMNS} FROM saved_view WHERE ${EVERYWHERE} ORDER BY organisation_id, reference`,
      [owner],
    );
    return rows.map((row) => ({ organisation: row.organisation, ...viewOf(row) }));
  }

  override async forget(owner: string): Promise<void> {
    await this.database.write(`DELETE FROM saved_view WHERE ${EVERYWHERE} AND is_shared = 0`, [owner]);
    await this.database.write(`UPDATE saved_view SET owner = NULL WHERE ${EVERYWHERE}`, [owner]);
  }
}

const viewOf = ({ organisation: _, isLeft, owner, isShared, ...view }: ViewRow): SavedView => ({
  ...view,
  owner: isLeft ? null : owner,
  isShared: isShared === 1,
});
