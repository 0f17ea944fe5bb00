import { Injectable } from '@nestjs/common';
import { itemsIn, PinnedContent } from '#content';
import { Fault, type FaultDetail, type JsonText, place, type Scope, throwAny } from '#kernel';
import { type ItemScoringType, type SubscoreDefinition } from '#scoring';
import { activityIn, subscoresOf } from '../domain/form';
import { faultsIn, fitting } from '../domain/subscore-definitions';
import { Forms, keyOf, type NamedItem } from './forms';
import { templateView } from './template-view';

/** The maximum number of items in a session. */
export const MAX_ITEMS = 1_000;

/** An item as a request names it. */
interface WantedItem {
  reference: string;
  /** Absent: the organisation of the shelf. */
  organisation?: number;
  at: string;
}

interface TemplateRequest {
  /** If empty, the template has the items of the activity. */
  items: readonly WantedItem[];
  /** Reference of the activity with the scoring settings. */
  activity?: string;
  /** Overrides the settings of items. */
  scoringType?: ItemScoringType;
  /** Absent: the subscores of the activity. */
  subscores?: readonly SubscoreDefinition[];
}

const ACTIVITY_AT = '/activity_template_id';

/** Makes templates for submissions: current items with their questions. */
@Injectable()
export class SessionTemplates {
  constructor(
    private readonly content: PinnedContent,
    private readonly forms: Forms,
  ) {}

  /**
   * Returns the template as JSON text.
   * @throws Fault 20000 without items and without an activity, 20002 for more than 1,000 items, 20013 for unknown
   * items, 30001 for an unknown activity, 30003 for repeated items, 40003 for items of a bank that the caller may not
   * read, and for subscores that do not fit the items.
   */
  async get(request: TemplateRequest, { shelf, readable }: Scope): Promise<JsonText> {
    const { organisation, pool } = shelf;
    const activity = request.activity === undefined ? null : await this.content.activity(shelf, request.activity);
    if (activity === undefined) throw unknownActivity(request.activity!, pool !== undefined);
    const named = namedItems(request, activity && itemsIn(activity.body, organisation), organisation);
    throwAny(named.filter((item) => !readable.has(item.organisation)).map(unreadable));
    throwAny(repeated(named));
    const found = await this.forms.pinned(organisation, named, pool);
    throwAny(
      named.filter((item) => !found.has(keyOf(item))).map((item) => unknownItem(item, pool ? organisation : null)),
    );
    const references = new Set(named.map(({ reference }) => reference));
    throwAny(faultsIn(request.subscores ?? [], references, '/subscores'));
    return JSON.stringify(
      templateView({
        items: named.map((item) => found.get(keyOf(item))!),
        scoringType: request.scoringType,
        activity: activity && { reference: request.activity!, organisation, hash: activity.hash },
        subscores: request.subscores ?? fitting(subscoresOf(activityIn(activity?.body)), references),
      }),
    );
  }
}

/** An item with its place in the request. */
interface PlacedItem extends NamedItem {
  at: string;
}

function namedItems({ items }: TemplateRequest, ofActivity: readonly NamedItem[] | null, own: number): PlacedItem[] {
  if (items.length > 0) return items.map(({ organisation = own, ...item }) => ({ ...item, organisation }));
  if (!ofActivity)
    throw new Fault(
      'missing',
      'items is required, unless activity_template_id names an activity that has items.',
      '/items',
    );
  if (ofActivity.length === 0)
    throw new Fault(
      'length',
      `${place(ACTIVITY_AT)} names an activity without items; name one that has some.`,
      ACTIVITY_AT,
    );
  if (ofActivity.length > MAX_ITEMS)
    throw new Fault(
      'too-many',
      `${place(ACTIVITY_AT)} names an activity of ${ofActivity.length} items; a session may have at most ${MAX_ITEMS}.`,
      ACTIVITY_AT,
    );
  return ofActivity.map((item) => ({ ...item, at: ACTIVITY_AT }));
}

/** Sessions identify items by reference alone, regardless of their organisation. */
export function repeated(items: readonly PlacedItem[]): FaultDetail[] {
  const seen = new Set<string>();
  return items.flatMap(({ reference, at }): FaultDetail[] => {
    if (!seen.has(reference)) {
      seen.add(reference);
      return [];
    }
    const message = `${place(at)} names the item ${JSON.stringify(reference)} again; a session has one item of each reference.`;
    return [{ kind: 'items-not-unique', at, message }];
  });
}

export const unreadable = ({ organisation, at }: PlacedItem): FaultDetail => ({
  kind: 'no-rights',
  at,
  message: `${place(at)} is of organisation ${organisation}, which you may not read.`,
});

const unknownItem = ({ reference, organisation, at }: PlacedItem, pooled: number | null): FaultDetail => ({
  kind: 'item-unknown',
  at,
  message: `${place(at)}: there is no item ${JSON.stringify(reference)} in ${pooled === organisation ? 'the item pool' : `organisation ${organisation}`}.`,
});

function unknownActivity(reference: string, pooled: boolean): Fault {
  return new Fault(
    'reference-unknown',
    `${place(ACTIVITY_AT)}: there is no activity ${JSON.stringify(reference)}${pooled ? ' in the item pool' : ''}.`,
    ACTIVITY_AT,
  );
}
