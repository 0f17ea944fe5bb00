import { queryOptions } from '@tanstack/react-query';
import { type Widget, widgetOf, type WholeItem, wholeItems } from '../../frame/shown-items';
import { call, keyOf } from '../../operations/call';
import type { Activity, Feature, Question, Revision } from '../../operations/operations';
import { listsOf, referenceOf, sectionsOf } from '../activities/model';

export const KINDS = ['item', 'question', 'feature', 'activity'] as const;
export type Kind = (typeof KINDS)[number];

export const isKind = (text: string | undefined): text is Kind => KINDS.some((kind) => kind === text);

/** The state of a record at a moment, with its questions and features. */
export type Version =
  | { kind: 'item'; whole: WholeItem }
  | { kind: 'question' | 'feature'; widget: Widget }
  | { kind: 'activity'; activity: Activity; titles: ReadonlyMap<string, string> };

/** Identifies a revision to read: the reference at that time, and the moment. The present revision has no moment. */
export interface Moment {
  reference: string;
  asOf?: string;
}

export const momentOf = (revision: Revision, present: Revision): Moment =>
  revision.revision === present.revision
    ? { reference: present.reference }
    : { reference: revision.reference_then, asOf: new Date(revision.revision).toISOString() };

/** Reads the state of a record; `null` when it did not exist. */
export const version = (kind: Kind, { reference, asOf }: Moment) =>
  queryOptions({
    queryKey: [...keyOf('get itembank/history'), 'version', kind, reference, asOf],
    queryFn: async ({ signal, client }): Promise<Version | null> => {
      const input = { references: [reference], ...(asOf === undefined ? {} : { as_of: asOf }) };
      if (kind === 'item') {
        const [whole] = await client.fetchQuery(wholeItems([reference], asOf));
        return whole ? { kind, whole } : null;
      }
      if (kind === 'activity') {
        const include = { activities: ['title' as const, 'metadata' as const] };
        const status = ['published' as const, 'unpublished' as const, 'archived' as const];
        const [activity] = (await call('get itembank/activities', { ...input, status, include }, signal)).data;
        if (!activity) return null;
        const references = listsThen(activity.data).flatMap(({ items }) => items);
        const items = await client.fetchQuery(wholeItems(references, asOf));
        return {
          kind,
          activity,
          titles: new Map(items.map(({ item }) => [item.reference, item.title ?? ''])),
        };
      }
      const name = kind === 'question' ? 'get itembank/questions' : 'get itembank/features';
      const { data } = await call(name, input, signal);
      const [record] = data as (Question | Feature)[];
      return record ? { kind, widget: widgetOf(kind, record) } : null;
    },
  });

/** The lists of items of an activity, in order. The first list is outside of all sections. */
export const listsThen = (data: Activity['data']): { title?: string; items: string[] }[] => [
  { items: listsOf(data)[0]!.map(referenceOf) },
  ...sectionsOf(data).map(({ items, config: { title, subtitle } }) => ({
    title: [title, subtitle].find((text) => typeof text === 'string') ?? '',
    items: items.map(referenceOf),
  })),
];

/** The record in the form that the patch refers to, to look up former values. */
export function recordOf(version: Version): Record<string, unknown> {
  if (version.kind === 'item') return { ...version.whole.item };
  if (version.kind === 'activity') return { ...version.activity };
  const { reference, type, data, metadata } = version.widget;
  return { reference, type, data, metadata };
}

/** Tags as `Type: Name`. */
export const tagsIn = (tags: Record<string, readonly string[]> | undefined): string[] =>
  Object.entries(tags ?? {}).flatMap(([type, names]) => names.map((name) => `${type}: ${name}`));
