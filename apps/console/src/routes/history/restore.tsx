import { Checkbox, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Widget } from '../../frame/shown-items';
import { call, type Input, read } from '../../operations/call';
import { Fault } from '../../operations/fault';
import type { Question, Revision } from '../../operations/operations';
import { Actions, Dialog } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { QueryFault } from '../../ui/loaded';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { Changes } from './changes';
import { useHistoryTexts } from './texts';
import { timeOf } from './times';
import { type Kind, momentOf, version } from './versions';

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
  const { questions, features, isLoading, failed } = useChangedWidgets(kind, revision, present);
  const count = questions.length + features.length;
  const entry = { reference: present.reference, revision: revision.revision, if_revision: present.revision };

  async function restore() {
    const input: Input<'set itembank/history/restore'> =
      kind === 'item'
        ? { items: [entry], ...(withWidgets && count > 0 ? { questions, features } : {}) }
        : kind === 'question'
          ? { questions: [entry] }
          : kind === 'feature'
            ? { features: [entry] }
            : { activities: [entry] };
    await call('set itembank/history/restore', input);
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
          data-autofocus
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
  const ofKind = (wanted: Widget['kind']) => widgets.filter((widget) => widget.kind === wanted);
  const questions = ofKind('question');
  const features = ofKind('feature');
  const input = (list: readonly Widget[]) => ({ references: list.map(({ reference }) => reference), limit: 50 });
  const questionsNow = useQuery({
    ...read('get itembank/questions', { ...input(questions), include: { questions: ['revision'] } }),
    enabled: questions.length > 0,
  });
  const featuresNow = useQuery({
    ...read('get itembank/features', { ...input(features), include: { features: ['revision'] } }),
    enabled: features.length > 0,
  });
  const changed = (before: readonly Widget[], now: unknown) => {
    const revisions = new Map((now as Question[] | undefined)?.map((each) => [each.reference, each.revision]));
    return before.flatMap(({ reference, revision: old }) => {
      const newest = revisions.get(reference);
      return old === undefined || newest === undefined || newest === old
        ? []
        : [{ reference, revision: old, if_revision: newest }];
    });
  };
  return {
    questions: changed(questions, questionsNow.data?.data),
    features: changed(features, featuresNow.data?.data),
    /** The read that failed: it is unknown whether the old revision held other questions. */
    failed: [then, questionsNow, featuresNow].find(({ error }) => error !== null),
    isLoading: isItem && (then.isLoading || questionsNow.isLoading || featuresNow.isLoading),
  };
}
