import { foldCase } from '#kernel';
import { type TagName, tagKey } from '#tagging';
import { type WidgetKind } from '../domain/record';
import { type CurrentRecord, type RecordChange } from './ports/record-store';

/** How a set treats records that it would not change. */
export interface SetOptions {
  /** Skips records that are already equal, instead of adding an equal revision. */
  skipUnchanged?: boolean;
  /** Does not look for likely mistakes, because nobody would see the warnings. */
  withoutWarnings?: boolean;
  /**
   * Stores workflow states and status as sent, whatever the transitions, because the items reached them in another
   * bank.
   */
  asTheyStood?: boolean;
  /** Records that do not exist yet, but may be named. Only for a set that is rolled back. */
  planned?: PlannedNames;
}

/** The references of records of a bank that a plan would create. */
export interface PlannedNames {
  hasItem(reference: string): boolean;
  kindOfWidget(reference: string): WidgetKind | undefined;
}

/** The effect of a set on each of its entries, in their order. */
export type Effect = 'created' | 'replaced' | 'unchanged';

/** The changes to save, and the effect of all of them. */
export function effectsOf(
  changes: readonly RecordChange[],
  { skipUnchanged = false }: SetOptions,
): { changed: RecordChange[]; effects: Effect[] } {
  const effects = changes.map((change): Effect => {
    if (!change.before) return 'created';
    return skipUnchanged && isUnchanged(change, change.before) ? 'unchanged' : 'replaced';
  });
  return { changed: changes.filter((_, index) => effects[index] !== 'unchanged'), effects };
}

function isUnchanged(after: RecordChange, before: CurrentRecord): boolean {
  return (
    after.reference === before.reference &&
    after.type === before.type &&
    after.status === before.status &&
    after.tagSetId === before.tagSetId &&
    (after.document === undefined || after.document.hash === before.documentHash) &&
    (after.workflow === undefined ||
      ((after.workflow?.workflowId ?? null) === before.workflowId &&
        (after.workflow?.state ?? null) === before.workflowState))
  );
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
