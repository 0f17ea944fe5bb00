import { Faults, foldCase, place } from '#kernel';
import { type TagName, tagKey } from '#tagging';

/** @throws Fault 30000 with each entry that names the record of an earlier entry. */
export function refuseRepeated(entries: readonly { reference: string; at: string }[]): void {
  const seen = new Map<string, string>();
  const faults = new Faults();
  for (const { reference, at } of entries) {
    const first = seen.get(reference);
    if (first === undefined) seen.set(reference, at);
    else
      faults.add(
        'duplicate',
        `${place(at)} is ${JSON.stringify(reference)}, as is ${place(first)}; name each once.`,
        at,
      );
  }
  faults.throwAny();
}

const TITLE_KEY_LENGTH = 100;

/** The sort key of a title: its beginning, case-folded. */
export function titleKeyOf(title: string | null | undefined): string {
  const key = foldCase((title ?? '').slice(0, TITLE_KEY_LENGTH));
  return key.length <= TITLE_KEY_LENGTH ? key : [...key].slice(0, TITLE_KEY_LENGTH).join('');
}

/** Ids of tags in the order sent, each once. */
export function uniqueIds(tags: readonly TagName[], ids: ReadonlyMap<string, string>): string[] {
  return [...new Set(tags.map((tag) => ids.get(tagKey(tag))!))];
}
