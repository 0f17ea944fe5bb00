import { type PinnedContent, type RecordPast } from '#content';
import { type Form, type FormItem } from '../domain/form';
import { keyOf } from './forms';

/** An item of a bank: the record that has the reference now; if there is none, every record that had it. */
export class KnownItem {
  private constructor(
    readonly organisation: number,
    readonly reference: string,
    private readonly past: RecordPast | undefined,
  ) {}

  static async of(
    { organisation, id }: { organisation: number; id: string },
    content: PinnedContent,
  ): Promise<KnownItem> {
    const item = (await content.items({ organisation }, [id])).get(id);
    return new KnownItem(organisation, id, item && (await content.pastOf(organisation, item.record)));
  }

  /** All references that the item ever had. */
  get references(): string[] {
    return this.past ? [...this.past.references] : [this.reference];
  }

  is({ organisation, reference, document }: FormItem): boolean {
    if (organisation !== this.organisation) return false;
    return this.past ? this.past.documents.has(document) : reference === this.reference;
  }

  isIn({ items }: Form): boolean {
    return items.some((item) => this.is(item));
  }
}

/** Names the items of forms as they are called now. */
export class PresentNames {
  /** The items that were once called by the reference in the key, under their present references. */
  private readonly renamed = new Map<string, KnownItem[]>();

  constructor(private readonly content: PinnedContent) {}

  /** Reads the present names of new items. */
  async learn(items: readonly FormItem[]): Promise<void> {
    const unknown = new Map<number, Set<string>>();
    for (const item of items) {
      if (this.renamed.has(keyOf(item))) continue;
      this.renamed.set(keyOf(item), []);
      const references = unknown.get(item.organisation) ?? new Set();
      unknown.set(item.organisation, references.add(item.reference));
    }
    for (const [organisation, references] of unknown)
      for (const [reference, names] of await this.content.itemsOnceCalled(organisation, [...references]))
        for (const id of names)
          this.renamed
            .get(keyOf({ organisation, reference }))
            ?.push(await KnownItem.of({ organisation, id }, this.content));
  }

  /** The present reference of an item that was learned. */
  of(item: FormItem): string {
    const now = this.renamed.get(keyOf(item))?.find((known) => known.is(item));
    return now?.reference ?? item.reference;
  }
}
