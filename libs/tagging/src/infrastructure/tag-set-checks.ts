import { Injectable } from '@nestjs/common';
import { idOfList } from '#kernel';
import { Database, misplaced, type NewFinding, type RowRange, Verifications } from '#platform';

interface MemberRow {
  id: string;
  tag_id: string;
  name: string | null;
}

/**
 * Invariants of tag sets: each is named by its tags, and these exist. Invariant of tags: their former places are older
 * than their present one.
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
      find: (range) => misplaced(this.database, range, 'tag', 'name'),
    });
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
    const sets = new Map<string, MemberRow[]>();
    for (const row of rows) {
      const set = sets.get(row.id);
      if (set) set.push(row);
      else sets.set(row.id, [row]);
    }
    return [...sets].flatMap(([reference, members]): NewFinding[] => {
      const kind = 'tag set';
      const id = idOfList(members.map(({ tag_id }) => tag_id));
      return [
        ...(id === reference ? [] : [{ kind, reference, found: `it has the tags of ${id}`, expected: 'its own tags' }]),
        ...members.flatMap(({ tag_id, name }) =>
          name === null ? [{ kind, reference, found: `it has the tag ${tag_id}`, expected: 'a tag of this id' }] : [],
        ),
      ];
    });
  }
}
