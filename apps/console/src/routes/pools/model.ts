import type { Input } from '../../operations/call';
import { tagOf } from '../../ui/tags-field';
import { objectIn } from '../../ui/member-path';
import { storeAt } from '../../ui/stored';

export const STATUSES = ['published', 'unpublished', 'pending', 'halted'] as const;
export const HOW = ['add', 'refresh', 'replace'] as const;
export type How = (typeof HOW)[number];

export const LISTS = ['tags', 'item_tags', 'activity_tags'] as const;
export type List = (typeof LISTS)[number];

export type Content = Input<'set itembank/pools'>['pools'][number]['content'];

/** A condition on tags: content must carry all tags of `all` and at least one of `one`. Tags are texts. */
export interface Combination {
  all: string[];
  one: string[];
}

const textOf = ({ type, name }: { type: string; name?: string }) => `${type}:${name ?? ''}`;

export const combinationsOf = (content: Content, list: List): Combination[] =>
  (content[list] ?? []).map((entry) => {
    if ('type' in entry) return { all: [textOf(entry)], one: [] };
    return { all: (entry.required_tags ?? []).map(textOf), one: (entry.additional_tags ?? []).map(textOf) };
  });

export const withCombinations = (content: Content, list: List, entries: readonly Combination[]): Content => ({
  ...content,
  [list]: entries.map(({ all, one }) => ({ required_tags: all.map(tagOf), additional_tags: one.map(tagOf) })),
});

/** The content to send, without blank entries and empty lists. */
export function tidied(content: Content): Content {
  const kept = Object.entries(content).map(([name, list]) => [
    name,
    (list as unknown[]).filter((entry) => {
      if (typeof entry !== 'object' || entry === null || !('required_tags' in entry)) return true;
      const { required_tags: all, additional_tags: one } = entry as {
        required_tags?: unknown[];
        additional_tags?: unknown[];
      };
      return (all?.length ?? 0) + (one?.length ?? 0) > 0;
    }),
  ]);
  return Object.fromEntries(kept.filter(([, list]) => (list as unknown[]).length > 0)) as Content;
}

/** A JSON object as content; null when it is none. */
export function contentIn(text: string): Content | null {
  const content = objectIn(text);
  return content && Object.values(content).every(Array.isArray) ? content : null;
}

const keyOf = (organisation: number, reference: string) => `itembank-pool ${organisation} ${reference}`;

/** The content of the last fill that this browser started. */
export const lastContent = (organisation: number, reference: string): Content =>
  contentIn(localStorage.getItem(keyOf(organisation, reference)) ?? '') ?? {};

export const rememberContent = (organisation: number, reference: string, content: Content): void =>
  storeAt(keyOf(organisation, reference), content);
