import { useWindowEvent } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import { type Answer, call } from '../../operations/call';
import type { Item } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import type { Status } from './filters';
import { type Column, columnsOf, type Widget, type WholeItem } from '../../frame/shown-items';
import { withColumns } from './model';
import { type DraftKey, dropDraft, keepDraft, type KeptDraft, keptDrafts } from '../../ui/kept-drafts';

/** An item while it is edited. */
export interface Draft {
  title: string;
  description: string;
  note: string;
  source: string;
  status: Status;
  scoringType: string;
  tags: Record<string, string[]>;
  columns: Column[];
  widgets: Widget[];
  others: Others;
}

/** Members of an item that have no fields and are edited as JSON. */
export type Others = Pick<Item, 'definition' | 'metadata' | 'adaptive' | 'dynamic_content_data'>;

/** Changes members of a draft. A change that waited for the service is a function of the draft of that moment. */
export type ChangeDraft = (members: Partial<Draft> | ((now: Draft) => Partial<Draft>)) => void;

/** A warning of the service about a question, feature or item that it stored. */
export interface SaveWarning {
  reference: string;
  message: string;
}

export function draftOf({ item, widgets }: WholeItem): Draft {
  return {
    title: item.title ?? '',
    description: item.description ?? '',
    note: item.note ?? '',
    source: item.source ?? '',
    status: item.status,
    scoringType: item.metadata?.scoring_type ?? 'per-question',
    tags: item.tags,
    columns: columnsOf(item.definition),
    widgets,
    others: {
      definition: item.definition,
      metadata: item.metadata,
      adaptive: item.adaptive,
      dynamic_content_data: item.dynamic_content_data,
    },
  };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The widgets with the revisions that are stored now. @param of absent: all widgets. */
export function withRevisions(
  widgets: readonly Widget[],
  { widgets: stored }: WholeItem,
  of?: ReadonlySet<string>,
): Widget[] {
  const revisions = new Map(stored.map(({ reference, revision }) => [reference, revision]));
  return widgets.map((widget) =>
    !of || of.has(widget.reference) ? { ...widget, revision: revisions.get(widget.reference) } : widget,
  );
}

/** Whether the item itself, beside its widgets, was changed. */
const hasItemChanged = (draft: Draft, before: Draft): boolean =>
  !isSame({ ...draft, widgets: null }, { ...before, widgets: null });

/** Widgets that are new or changed, as long as the item holds them. */
function changedWidgets({ columns, widgets }: Draft, before: Draft): Widget[] {
  const held = new Set(columns.flatMap(({ references }) => references));
  const stored = new Map(before.widgets.map((widget) => [widget.reference, widget]));
  return widgets.filter(({ reference, data, type }) => {
    const old = stored.get(reference);
    return held.has(reference) && (!old || old.type !== type || !isSame(old.data, data));
  });
}

/**
 * Stores the changes: questions and features first, then the item. The service refuses a call if somebody has changed one
 * of its records since it was read.
 * @param own gets the references of stored questions and features, also when a later call is refused.
 * @returns the warnings of the service.
 */
export async function saveDraft({ item, widgets }: WholeItem, draft: Draft, own: Set<string>): Promise<SaveWarning[]> {
  const before = draftOf({ item, widgets });
  const warnings: SaveWarning[] = [];
  const changed = changedWidgets(draft, before);
  const entries = (kind: Widget['kind']) =>
    changed
      .filter((widget) => widget.kind === kind)
      .map(({ reference, type, data, revision }) => ({
        reference,
        type,
        data: { ...data, type },
        ...(revision === undefined ? {} : { if_revision: revision }),
      }));
  const questions = entries('question');
  const features = entries('feature');
  /** Warnings name their entry by its place in the call. */
  const warn = ({ meta }: Answer<unknown>, written: readonly { reference: string }[]) => {
    for (const { pointer, message } of meta.warnings ?? []) {
      const index = /^\/\w+\/(\d+)/.exec(pointer)?.[1];
      warnings.push({ reference: written[Number(index ?? 0)]?.reference ?? item.reference, message });
    }
  };
  if (questions.length > 0) warn(await call('set itembank/questions', { questions }), questions);
  for (const { reference } of questions) own.add(reference);
  if (features.length > 0) warn(await call('set itembank/features', { features }), features);
  for (const { reference } of features) own.add(reference);
  if (!hasItemChanged(draft, before)) return warnings;
  warn(
    await call('set itembank/items', {
      items: [
        {
          reference: item.reference,
          title: draft.title || null,
          description: draft.description || null,
          note: draft.note || null,
          source: draft.source || null,
          status: draft.status,
          definition: withColumns(draft.others.definition, draft.columns),
          metadata: { ...draft.others.metadata, scoring_type: draft.scoringType },
          tags: draft.tags,
          ...(['adaptive', 'dynamic_content_data'] as const).reduce(
            (changed, name) =>
              isSame(draft.others[name], before.others[name])
                ? changed
                : { ...changed, [name]: draft.others[name] ?? null },
            {},
          ),
          ...(item.revision === undefined ? {} : { if_revision: item.revision }),
        },
      ],
    }),
    [item],
  );
  return warnings;
}

interface Kept extends KeptDraft {
  draft: Draft;
  /** The stored item that the draft changes. Earlier versions of the console did not keep it. */
  base?: WholeItem;
}

/**
 * A draft that survives a reload: changes are kept in the browser until they are saved or discarded.
 * @param whole the stored item. A draft with changes stays based on the item as it was when the changes began, so that saving
 * it meets a conflict if somebody else has changed the item since.
 */
export function useDraft(whole: WholeItem) {
  const key = useKey(whole.item.reference);
  const [base, setBase] = useState(whole);
  const [draft, setDraft] = useState(() => draftOf(whole));
  const [version, setVersion] = useState(0);
  const [id, setId] = useState(() => crypto.randomUUID());
  const [all, setAll] = useState(() => keptDrafts<Kept>(key));
  const isChanged = !isSame(draft, draftOf(base));
  const [kept] = all.filter((each) => !isSame(each.draft, draftOf(whole)));

  const begin = (from: WholeItem, changed = draftOf(from)) => {
    setBase(from);
    setDraft(changed);
    setVersion((number) => number + 1);
  };
  if (whole !== base && !isChanged) {
    // Open forms stay open when only members changed that the draft does not have.
    if (isSame(draft, draftOf(whole))) setBase(whole);
    else begin(whole);
  }

  useEffect(() => {
    if (isChanged) keepDraft<Kept>(key, { id, at: Date.now(), draft, base });
    else dropDraft(key, id);
  }, [key, id, draft, base, isChanged]);

  useWindowEvent('beforeunload', (event) => isChanged && event.preventDefault());

  const change = useCallback<ChangeDraft>(
    (members) => setDraft((now) => ({ ...now, ...(typeof members === 'function' ? members(now) : members) })),
    [],
  );
  const dropKept = () => {
    dropDraft(key, kept!.id);
    setAll(all.filter((each) => each !== kept));
  };
  return {
    base,
    draft,
    /** Changes whenever another draft replaces the edited one, so that fields with a text of their own begin anew. */
    version,
    isChanged,
    change,
    /** Unsaved changes of an earlier visit or of another tab, until the person decides. */
    kept,
    useKept() {
      const { base: from = whole, draft: changed } = kept!;
      dropKept();
      if (isChanged) {
        // The person may return to what was typed here.
        setAll((others) => [...others, { id, at: Date.now(), draft, base }]);
        setId(crypto.randomUUID());
      }
      // An earlier version of the console may have stored the draft, with fewer members.
      begin(from, { ...draftOf(from), ...changed });
    },
    dropKept,
    reset: (to: WholeItem) => begin(to),
    /** Takes over what is stored now. Keeps what the person typed since `saved` was sent. */
    settle(to: WholeItem, saved: Draft) {
      setBase(to);
      setDraft((now) => (isSame(now, saved) ? draftOf(to) : { ...now, widgets: withRevisions(now.widgets, to) }));
    },
    /** Bases the draft on another version, which the next save replaces. */
    rebase(to: WholeItem) {
      setBase(to);
      change({ widgets: withRevisions(draft.widgets, to) });
    },
    /** Takes over the revisions of the widgets that this page stored itself. */
    renew: (to: WholeItem, own: ReadonlySet<string>) =>
      setDraft((now) => ({ ...now, widgets: withRevisions(now.widgets, to, own) })),
  };
}

/** Asks whether the browser keeps unsaved changes of the item, typed now or on an earlier visit. */
export function useHasUnsaved(whole: WholeItem): () => boolean {
  const key = useKey(whole.item.reference);
  return () => keptDrafts<Kept>(key).some(({ draft }) => !isSame(draft, draftOf(whole)));
}

/** The place of a draft in the store of the browser. */
function useKey(reference: string): DraftKey {
  const { organisation, session } = useWorkplace();
  return `itembank-draft-${session.person.id}-${organisation.id}-${reference}`;
}
