import { Injectable } from '@nestjs/common';
import { grouped, idOfList } from '#kernel';
import { Database, misplaced, type NewFinding, type RowRange, Verifications } from '#platform';

interface MemberRow {
  id: string;
  tag_id: string;
  name: string | null;
}

/**
 * Checks tag sets: the tags exist, and the id is their hash. Checks tags: former places are older than the present one,
 * and a successor exists and is another tag.
 */
@Injectable()
export class TagSetChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    verifications.add({
      name: 'tag sets',
      of: { table: 'tag_set', column: 'id', batchSize: 2_000 },
      find: (range) => this.sets(range),
    });
    verifications.add({
      name: 'tags',
      of: { table: 'tag', column: 'id', batchSize: 2_000 },
      find: async (range) => [
        ...(await misplaced(this.database, range, 'tag', 'name')),
        ...(await this.successors(range)),
      ],
    });
  }

  private async successors(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('t', 'id');
    const rows = await this.database.rows<{ name: string; successor_id: string }>(
      `SELECT t.name, t.successor_id FROM tag t
       LEFT JOIN tag o ON o.organisation_id = t.organisation_id AND o.id = t.successor_id AND o.id <> t.id
       WHERE ${sql} AND t.successor_id IS NOT NULL AND o.id IS NULL ORDER BY t.id`,
      parameters,
    );
    return rows.map(({ name, successor_id }) => ({
      kind: 'tag',
      reference: name,
      found: `the tag ${successor_id} took its place`,
      expected: 'another tag that exists',
    }));
  }

  private async sets(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('s', 'id');
    const rows = await this.database.rows<MemberRow>(
      `SELECT s.id, s.tag_id, y.name FROM tag_set s
       LEFT JOIN tag t ON t.organisation_id = s.organisation_id AND t.id = s.tag_id
       LEFT JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id
       WHERE ${sql} ORDER BY s.id, s.position`,
      parameters,
    );
    const sets = grouped(rows.map((row) => [row.id, row]));
    return [...sets].flatMap(([reference, members]): NewFinding[] => {
      const kind = 'tag set';
      const id = idOfList(members.map(({ tag_id }) => tag_id));
      return [
        ...(id === reference ? [] : [{ kind, reference, found: `it has the tags of ${id}`, expected: 'its own tags' }]),
        ...members.flatMap(({ tag_id, name }) =>
          name === null ? [{ kind, reference, found: `it has the tag ${tag_id}`, expected: 'a tag with this id' }] : [],
        ),
      ];
    });
  }
}
