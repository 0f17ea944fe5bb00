import { type Position } from '#kernel';
import { type Parameter, type SqlPart } from '#platform';
import { type SortField } from '../application/ports/shelf-reader';

/**
 * The sort columns of each order before the id: the column of the bank, and the column of a revision with the same
 * meaning. The id itself contains the time of creation.
 */
const KEYS = {
  created: undefined,
  updated: { bank: 'updated_at', revision: 'began_at' },
  reference: { bank: 'reference', revision: 'reference' },
  title: { bank: 'title_key', revision: 'title_key' },
} as const satisfies Record<SortField, object | undefined>;

/** An entry's place in a list, as a paging token stores it. */
export interface Place {
  /** Absent when the list is sorted by creation. */
  key?: Parameter;
  id: string;
  /** Distinguishes entries of the same record. */
  holder?: string;
  /**
   * The latest change that the first page saw. An entry that changes later keeps its former place, so that paging shows
   * it once. Absent when the list is sorted by creation, because then nothing moves.
   */
  asOf?: number;
}

/** The order of a list. Compares places column by column. */
export class Order {
  readonly key: (typeof KEYS)[SortField];
  private readonly direction: string;
  private readonly later: string;

  constructor({ field, ascending }: { field: SortField; ascending: boolean }) {
    this.key = KEYS[field];
    this.direction = ascending ? 'ASC' : 'DESC';
    this.later = ascending ? '>' : '<';
  }

  /** ORDER BY, without undefined columns. */
  by(...columns: (string | undefined)[]): string {
    return columns.flatMap((column) => (column === undefined ? [] : [`${column} ${this.direction}`])).join(', ');
  }

  /** The condition for entries after a place. Written out, because a row value gets no range scan. */
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
