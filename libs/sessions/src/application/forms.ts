import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Items, PinnedContent, type PinnedItem } from '#content';
import { grouped, type PoolShelf, UnitOfWork } from '#kernel';
import { type ItemScoringType, type SubscoreDefinition } from '#scoring';
import {
  activityIn,
  type Form,
  type FormItem,
  formItem,
  formOf,
  type FormSettings,
  settingsOf,
  subscoresOf,
} from '../domain/form';
import { FormStore } from './ports/form-store';

const MAX_CACHED = 1_000;

/** Items with this tag are tried out in adaptive sessions. */
const SEEDING = { type: 'adaptive-lifecycle', name: 'seeding' };

/** An item of a bank. */
export interface NamedItem {
  organisation: number;
  reference: string;
}

/** Makes and caches forms: the content of sessions. Forms never change. */
@Injectable()
export class Forms {
  private readonly known = new LRUCache<string, Form>({ max: MAX_CACHED });
  /** The form items of each pinned item, by the scoring type that overrides its own. */
  private readonly made = new WeakMap<PinnedItem, Map<ItemScoringType | undefined, FormItem>>();

  constructor(
    private readonly store: FormStore,
    private readonly content: PinnedContent,
    private readonly items: Items,
    private readonly work: UnitOfWork,
  ) {}

  /** The current items, by `keyOf`. Items that do not exist are left out. */
  async pinned(organisation: number, items: readonly NamedItem[], pool?: PoolShelf): Promise<Map<string, PinnedItem>> {
    const byOrganisation = grouped(items.map((item) => [item.organisation, item.reference]));
    const found = new Map<string, PinnedItem>();
    for (const [owner, references] of byOrganisation) {
      const shelf = owner === organisation ? { organisation, pool } : { organisation: owner };
      for (const item of (await this.content.items(shelf, references)).values()) found.set(keyOf(item), item);
    }
    return found;
  }

  /** The scoring settings of an activity; nothing when there is none. */
  async activity(
    organisation: number,
    reference: string | null,
  ): Promise<{ settings: FormSettings; subscores: SubscoreDefinition[] }> {
    const activity = reference === null ? undefined : await this.content.activity({ organisation }, reference);
    const data = activityIn(activity?.body);
    return { settings: settingsOf(data), subscores: subscoresOf(data) };
  }

  /** An item of a form. @param scoringType overrides the setting of the item. */
  item(pinned: PinnedItem, scoringType: ItemScoringType | undefined): FormItem {
    const known = this.made.get(pinned) ?? new Map<ItemScoringType | undefined, FormItem>();
    this.made.set(pinned, known);
    const item = known.get(scoringType) ?? formItem(pinned, scoringType);
    known.set(scoringType, item);
    return item;
  }

  /** The form of these items. Marks those that an adaptive session only tries out, by their current tags. */
  async compose(items: readonly FormItem[], settings: FormSettings): Promise<Form> {
    if (!settings.eap) return formOf([...items], settings);
    const seeding = new Set<string>();
    for (const organisation of new Set(items.map((item) => item.organisation))) {
      const references = items.filter((item) => item.organisation === organisation).map(({ reference }) => reference);
      const tags = { all: [SEEDING], either: [], none: [] };
      const sort = { field: 'created', ascending: true } as const;
      const { entries } = await this.items.find({ organisation }, { references, tags, sort, limit: references.length });
      for (const { reference } of entries) seeding.add(keyOf({ organisation, reference }));
    }
    return formOf(
      items.map((item) => (seeding.has(keyOf(item)) ? { ...item, isSeeding: true as const } : item)),
      settings,
    );
  }

  /** Forms by their ids. */
  async of(organisation: number, ids: readonly string[]): Promise<Map<string, Form>> {
    const found = new Map<string, Form>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const form = this.known.get(`${organisation} ${id}`);
      if (form) found.set(id, form);
      else missing.push(id);
    }
    for (const [id, form] of await this.store.find(organisation, missing)) {
      this.known.set(`${organisation} ${id}`, form);
      found.set(id, form);
    }
    return found;
  }

  /** The ids of forms that contain an item with one of these references. */
  async showing(
    organisation: number,
    items: { organisation: number; references: readonly string[] },
  ): Promise<string[]> {
    return this.store.showing(organisation, items);
  }

  /** Stores forms for sessions. A form without a session does no harm. */
  async keep(organisation: number, forms: readonly Form[]): Promise<void> {
    const fresh = forms.filter(({ id }) => !this.known.has(`${organisation} ${id}`));
    if (fresh.length === 0) return;
    await this.store.keep(organisation, fresh);
    this.work.afterCommit(() => {
      for (const form of fresh) this.known.set(`${organisation} ${form.id}`, form);
    });
  }
}

/** An item by its bank and reference. */
export function keyOf({ organisation, reference }: Pick<FormItem, 'organisation' | 'reference'>): string {
  return `${organisation} ${reference}`;
}
