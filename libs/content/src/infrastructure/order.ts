import { type Position } from '#kernel';
import { type Parameter, type SqlPart } from '#platform';
import { type SortField } from '../application/ports/shelf-reader';

/**
 * What each order sorts by before the id: the column of the bank, and the one of a revision that tells the same of
 * the past. The time of creation is in the id itself.
 */
const KEYS = {
  created: undefined,
  updated: { bank: 'updated_at', revision: 'began_at' },
  reference: { bank: 'reference', revision: 'reference' },
  title: { bank: 'title_key', revision: 'title_key' },
} as const satisfies Record<SortField, object | undefined>;

/** An entry's place in a list, as a paging token keeps it. */
export interface Place {
  /** Absent in the order of creation. */
  key?: Parameter;
  id: string;
  /** Tells apart entries of the same record. */
  holder?: string;
  /**
   * The latest change that the first page saw. An entry that changes later keeps the place that it had, so that paging
   * meets it once. Absent in the order of creation, in which nothing moves.
   */
  asOf?: number;
}

/** The order of a list. Places of its entries are compared column by column. */
export class Order {
  readonly key: (typeof KEYS)[SortField];
  private readonly direction: string;
  private readonly later: string;

  constructor({ field, ascending }: { field: SortField; ascending: boolean }) {
    this.key = KEYS[field];
    this.direction = ascending ? 'ASC' : 'DESC';
    this.later = ascending ? '>' : '<';
  }

  /** For ORDER BY. Columns that are undefined are left out. */
  by(...columns: (string | undefined)[]): string {
    return columns.flatMap((column) => (column === undefined ? [] : [`${column} ${this.direction}`])).join(', ');
  }

  /** The condition for what comes after a place. Spelled out: a row value gets no range scan. */
  after({ key, id, holder }: Place, columns: { key?: string; id: string; holder?: string }): SqlPart {
    const compared = [
      ...(columns.key === undefined ? [] : [{ column: columns.key, value: key! }]),
      { column: columns.id, value: id },
      ...(columns.holder === undefined ? [] : [{ column: columns.holder, value: holder! }]),
    ];
    const parameters: Parameter[] = [];
    const alternatives = compared.map(({ column }, index) => {
      parameters.push(...compared.slice(0, index + 1).map(({ value }) => value));
      const equal = compared.slice(0, index).map((before) => `${before.column} = ?`);
      return `(${[...equal, `${column} ${this.later} ?`].join(' AND ')})`;
    });
    return { sql: `(${alternatives.join(' OR ')})`, parameters };
  }

  position({ key, id, holder, asOf }: Place): Position {
    return this.key ? [id, holder ?? null, key ?? null, asOf ?? null] : [id, holder ?? null];
  }

  place([id, holder, key, asOf]: Position): Place {
    return { id: id as string, holder: (holder as string | null) ?? undefined, key, asOf: asOf as number | undefined };
  }
}
