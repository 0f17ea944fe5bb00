import { grouped, inParts } from '#kernel';
import { itemsIn, type NamedItem } from '../domain/activity';
import { type Kind, type StoredRecord } from '../domain/record';
import { type ShelfReader } from './ports/shelf-reader';

/** A requested record that is not in the package. */
export interface Skipped {
  kind: 'activity' | 'item';
  reference: string;
  organisation_id: number;
  why: string;
}

/** The requested content of a package. */
interface Wanted {
  organisation: number;
  activities: readonly string[];
  items: readonly NamedItem[];
  /** Organisations whose items the package may contain. */
  readable: readonly number[];
  asOf: number;
}

/** The largest number of records in memory at a time. */
export const BATCH_SIZE = 50;

/**
 * The content of a package: published items, and published activities with only published items. Stores references
 * only.
 * The records are read, as of the moment of the package, when it is written.
 */
export class PackageContents {
  readonly activities: string[] = [];
  readonly skipped: Skipped[] = [];
  private readonly chosen = new Map<number, Set<string>>();
  /** Why an item cannot be packed; null when it can. By organisation and reference. */
  private readonly looked = new Map<string, string | null>();

  private constructor(
    private readonly reader: ShelfReader,
    private readonly wanted: Wanted,
  ) {}

  static async choose(reader: ShelfReader, wanted: Wanted): Promise<PackageContents> {
    const contents = new PackageContents(reader, wanted);
    await contents.chooseItems();
    await contents.chooseActivities();
    return contents;
  }

  get organisation(): number {
    return this.wanted.organisation;
  }

  get asOf(): number {
    return this.wanted.asOf;
  }

  /** The items by organisation, each once. */
  get items(): ReadonlyMap<number, ReadonlySet<string>> {
    return this.chosen;
  }

  /** The records of these references at the moment of the package, in this order, without those that did not exist. */
  async *records(organisation: number, kind: Kind, references: Iterable<string>): AsyncGenerator<StoredRecord> {
    for (const part of inParts([...references], BATCH_SIZE)) {
      const { entries } = await this.reader.find(
        { organisation, asOf: this.wanted.asOf },
        { kind, references: part, sort: { field: 'created', ascending: true }, limit: part.length },
      );
      const found = new Map(entries.map((record) => [record.reference, record]));
      for (const reference of part) {
        const record = found.get(reference);
        if (record) yield record;
      }
    }
  }

  private async chooseItems(): Promise<void> {
    await this.look(this.wanted.items);
    for (const { organisation, reference } of this.wanted.items) {
      const why = this.looked.get(`${organisation} ${reference}`);
      if (why === null) this.add(organisation, reference);
      else this.skipped.push({ kind: 'item', reference, organisation_id: organisation, why: why! });
    }
  }

  private async chooseActivities(): Promise<void> {
    const { organisation, activities } = this.wanted;
    const left = new Set(activities);
    for await (const { reference, status, body } of this.records(organisation, 'activity', activities)) {
      left.delete(reference);
      const items = itemsIn(body, organisation);
      await this.look(items);
      const unfit = items.find((item) => this.looked.get(`${item.organisation} ${item.reference}`) !== null);
      if (status === 'published' && !unfit) {
        this.activities.push(reference);
        for (const item of items) this.add(item.organisation, item.reference);
        continue;
      }
      const why = unfit && `its item ${unfit.reference} ${this.looked.get(`${unfit.organisation} ${unfit.reference}`)}`;
      this.skip(reference, status === 'published' ? why! : `is ${status}`);
    }
    for (const reference of left) this.skip(reference, 'did not exist');
  }

  /** Determines which items can be packed. */
  private async look(items: readonly NamedItem[]): Promise<void> {
    const unknown: NamedItem[] = [];
    for (const { organisation, reference } of items) {
      const key = `${organisation} ${reference}`;
      if (this.looked.has(key)) continue;
      const isReadable = this.wanted.readable.includes(organisation);
      this.looked.set(key, isReadable ? 'did not exist' : `is of organisation ${organisation}, which may not be read`);
      if (isReadable) unknown.push({ organisation, reference });
    }
    for (const [organisation, references] of grouped(unknown.map((item) => [item.organisation, item.reference])))
      for await (const { reference, status } of this.records(organisation, 'item', references))
        this.looked.set(`${organisation} ${reference}`, status === 'published' ? null : `is ${status}`);
  }

  private add(organisation: number, reference: string): void {
    const references = this.chosen.get(organisation);
    if (references) references.add(reference);
    else this.chosen.set(organisation, new Set([reference]));
  }

  private skip(reference: string, why: string): void {
    this.skipped.push({ kind: 'activity', reference, organisation_id: this.wanted.organisation, why });
  }
}
