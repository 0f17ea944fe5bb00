import { Checkbox, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Widget } from '../../frame/shown-items';
import { batchesOf, call, type Input, keyOf, MAX_ENTRIES } from '../../operations/call';
import { Fault } from '../../operations/fault';
import type { Feature, Question, Revision } from '../../operations/operations';
import { Actions, Dialog } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { QueryFault } from '../../ui/loaded';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { Changes } from './changes';
import { useHistoryTexts } from './texts';
import { timeOf } from './times';
import { type Kind, momentOf, version } from './versions';

const LISTS = { item: 'items', question: 'questions', feature: 'features', activity: 'activities' } as const;

interface RestoreProps {
  kind: Kind;
  /** The revision to make current again. */
  revision: Revision;
  present: Revision;
  close: () => void;
  done: () => void;
}

/** Asks for confirmation before it restores an old revision, and shows the changes. */
export function Restore({ kind, revision, present, close, done }: RestoreProps) {
  const t = useHistoryTexts();
  const queries = useQueryClient();
  const { run, isBusy, fault } = useTask();
  const [withWidgets, setWithWidgets] = useState(true);
  const { changed, isLoading, failed } = useChangedWidgets(kind, revision, present);
  const count = changed.length;
  const entry = { reference: present.reference, revision: revision.revision, if_revision: present.revision };

  async function restore() {
    // The record itself is restored last. A call takes a limited number of records of all kinds.
    const all = [...(withWidgets ? changed : []), { kind, ...entry }];
    try {
      for (const batch of batchesOf(all)) {
        const input: Input<'set itembank/history/restore'> = {};
        for (const { kind, ...each } of batch) (input[LISTS[kind]] ??= []).push(each);
        await call('set itembank/history/restore', input);
      }
    } catch (error) {
      // Earlier calls may have restored some records. Another attempt needs their present revisions.
      if (all.length > MAX_ENTRIES) await queries.invalidateQueries();
      throw error;
    }
    await queries.invalidateQueries();
    toast(t('restored'));
    done();
  }

  const isConflict = fault instanceof Fault && fault.isConflict;
  return (
    <Dialog title={t('restore_title', timeOf(revision.revision))} isOpen close={close} size="xl">
      <Stack>
        <Text>{t('restore_text')}</Text>
        <Title order={3} size="h5">
          {t('restore_changes')}
        </Title>
        <Changes kind={kind} from={present} to={revision} present={present} />
        {count > 0 && (
          <Checkbox
            checked={withWidgets}
            onChange={(event) => setWithWidgets(event.currentTarget.checked)}
            label={t('restore_widgets', count)}
            description={t('restore_widgets_help')}
          />
        )}
        {failed && <QueryFault query={failed} />}
        <FaultAlert fault={fault} title={isConflict ? t('conflict') : undefined} />
        <Actions
          cancel={close}
          loading={isBusy || isLoading}
          disabled={failed !== undefined}
          onClick={() => void run(restore)}
          // A disabled button cannot take the focus, which would stay outside of the dialog.
          data-autofocus={!isLoading || undefined}
        >
          {t('restore')}
        </Actions>
      </Stack>
    </Dialog>
  );
}

/**
 * The questions and features that the old revision held and that have changed since, with their revisions of that time.
 */
function useChangedWidgets(kind: Kind, revision: Revision, present: Revision) {
  const isItem = kind === 'item';
  const then = useQuery({ ...version(kind, momentOf(revision, present)), enabled: isItem });
  const widgets = then.data?.kind === 'item' ? then.data.whole.widgets : [];
  const now = useQuery({ ...revisionsNow(widgets), enabled: widgets.length > 0 });
  return {
    changed: widgets.flatMap(({ kind, reference, revision: old }) => {
      const newest = now.data?.get(`${kind} ${reference}`);
      return old === undefined || newest === undefined || newest === old
        ? []
        : [{ kind, reference, revision: old, if_revision: newest }];
    }),
    /** The read that failed: it is unknown whether the old revision held other questions. */
    failed: [then, now].find(({ error }) => error !== null),
    isLoading: isItem && (then.isLoading || now.isLoading),
  };
}

/** The present revisions of questions and features, by kind and reference. */
const revisionsNow = (widgets: readonly Widget[]) => {
  const referencesOf = (wanted: Widget['kind']) =>
    widgets.filter(({ kind }) => kind === wanted).map(({ reference }) => reference);
  const [questions, features] = [referencesOf('question'), referencesOf('feature')];
  return queryOptions({
    queryKey: [...keyOf('get itembank/questions'), 'revisions', questions, features],
    queryFn: async ({ signal }) => {
      const found = new Map<string, number | undefined>();
      const note = (kind: Widget['kind'], data: unknown) => {
        for (const { reference, revision } of data as (Question | Feature)[])
          found.set(`${kind} ${reference}`, revision);
      };
      const limit = MAX_ENTRIES;
      for (const references of batchesOf(questions)) {
        const include = { questions: ['revision' as const] };
        note('question', (await call('get itembank/questions', { references, limit, include }, signal)).data);
      }
      for (const references of batchesOf(features)) {
        const include = { features: ['revision' as const] };
        note('feature', (await call('get itembank/features', { references, limit, include }, signal)).data);
      }
      return found;
    },
  });
};
