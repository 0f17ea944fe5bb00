import { Anchor, Button, Group, List, Progress, Select, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call, keyOf, read, readAll } from '../../../operations/call';
import { useWorkplace } from '../../../session/session';
import { numberOf } from '../../../texts/texts';
import { Dialog } from '../../../ui/dialog';
import { ExportFormat, type Format } from '../../../ui/export-format';
import { FaultAlert } from '../../../ui/fault-alert';
import { QueryFault } from '../../../ui/loaded';
import { useTask } from '../../../ui/use-task';
import { useBankTexts } from '../bank-texts';
import { type Facets } from '../facets';
import { filtersOf, STATUSES } from '../filters';
import { useItemTexts } from '../texts';
import { type Action, applyToAll, Journal, type Outcome, referencesOf, type Selection } from './bulk-run';
import { tagOf, TagsField } from '../../../ui/tags-field';

export type Kind = Action['kind'] | 'export';

/** The maximum number of items that an export can name, and of hits that a search returns. */
const MAX_ITEMS = 1_000;

interface Choice {
  status: (typeof STATUSES)[number];
  tags: string[];
  workflow: string;
  state: string;
  format: Format;
}

interface BulkDialogProps {
  kind: Kind;
  selection: Selection;
  /** The number of chosen items. */
  count: number;
  close: () => void;
  /** Called when something was changed. */
  changed: () => void;
}

/** Previews a change of many items, makes it, shows its progress, and lists refused items. */
export default function BulkDialog({ kind, selection, count, close, changed }: BulkDialogProps) {
  const t = useBankTexts();
  const queries = useQueryClient();
  const [choice, setChoice] = useState<Choice>({
    status: 'published',
    tags: [],
    workflow: '',
    state: '',
    format: 'ndjson',
  });
  const [outcome, setOutcome] = useState<Outcome>();
  const [exported, setExported] = useState<string>();
  const [isStopped, setStopped] = useState(false);
  const { run, isBusy, fault } = useTask();
  const abort = useRef<AbortController>(null);
  const [journal] = useState(() => new Journal());
  const facets = useQuery(
    read('get itembank/facets', { ...conditionsOf(selection), facets: ['status', 'workflow_state'], values: 100 }),
  );
  const counts = facets.data?.data;
  const total = counts?.total ?? count;
  const hits = selection.by === 'filter' && selection.search.text !== undefined ? Math.min(total, MAX_ITEMS) : total;
  const action = actionOf(kind, choice);
  const isCut = hits < total;
  /** How many of the items stay as they are; unknown if only some of them are found. */
  const staying = isCut ? 0 : stayingOf(action, counts);
  const isTooMany = kind === 'export' && hits > MAX_ITEMS;
  const isDone = outcome !== undefined && !isBusy && fault === null;
  const end = fault !== null ? 'interrupted' : isStopped ? 'stopped' : 'done';
  const closing = useRef<HTMLButtonElement>(null);
  const isOver = isDone || exported !== undefined;
  // The button that had the focus is gone.
  useEffect(() => {
    if (isOver) closing.current?.focus();
  }, [isOver]);

  async function start() {
    const controller = new AbortController();
    abort.current = controller;
    await run(async () => {
      if (kind === 'export') {
        const references = await referencesOf(selection, MAX_ITEMS, controller.signal);
        const { data } = await call('set itembank/exports', { format: choice.format, references });
        setExported(data.job_reference);
        return;
      }
      if (!action) return;
      setOutcome(journal.outcome);
      try {
        await applyToAll(
          action,
          selection,
          { stale: t('stale'), gone: t('gone') },
          { signal: controller.signal, tell: setOutcome, journal },
        );
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        setStopped(controller.signal.aborted);
        changed();
        for (const name of ['get itembank/items', 'get itembank/facets', 'get itembank/workflows'] as const)
          void queries.invalidateQueries({ queryKey: keyOf(name) });
      }
    });
  }

  const label = kind === 'duplicate' ? 'run_copy' : kind === 'export' ? 'run_export' : 'run';
  return (
    <Dialog isOpen close={close} mayClose={!isBusy} title={t(kind)} size="md">
      <Stack>
        {!outcome && !exported && (
          <Options kind={kind} choice={choice} change={(changes) => setChoice({ ...choice, ...changes })} />
        )}
        {!outcome && !exported && (
          <Preview kind={kind} action={action} counts={counts} total={hits} staying={staying} isCut={isCut} />
        )}
        {isTooMany && <Text c="red">{t('too_many_export')}</Text>}
        <QueryFault query={facets} />
        <FaultAlert fault={fault} />
        {outcome && <Progressing outcome={outcome} total={hits} isBusy={isBusy} end={end} />}
        {exported && (
          <Text role="status">
            {t('export_started')}{' '}
            <Anchor
              renderRoot={(props) => <Link to="/imports" search={{ export: exported, tab: 'export' }} {...props} />}
            >
              {t('see_exports')}
            </Anchor>
          </Text>
        )}
        <Group justify="flex-end">
          {isBusy ? (
            <Button variant="default" onClick={() => abort.current?.abort()}>
              {t('stop')}
            </Button>
          ) : (
            <Button variant="default" onClick={close} ref={closing}>
              {t('close')}
            </Button>
          )}
          {!isOver && (
            <Button
              loading={isBusy}
              disabled={(kind !== 'export' && !action) || isTooMany || total === 0}
              onClick={() => void start()}
            >
              {t(label, numberOf(hits - staying))}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The conditions that select the items, for counting them. */
function conditionsOf(selection: Selection) {
  if (selection.by === 'hand') return { references: [...selection.items.keys()] };
  const { text } = selection.search;
  return { ...filtersOf(selection.search), ...(text === undefined ? {} : { text }) };
}

function actionOf(kind: Kind, { status, tags, workflow, state }: Choice): Action | undefined {
  switch (kind) {
    case 'status':
      return { kind, status };
    case 'tag':
      return tags.length === 0
        ? undefined
        : { kind, tags: tags.map(tagOf).map(({ type, name = '' }) => ({ type, name })) };
    case 'state':
      return workflow === '' || state === '' ? undefined : { kind, workflow, state };
    case 'duplicate':
      return { kind };
    default:
      return undefined;
  }
}

function Options({ kind, choice, change }: { kind: Kind; choice: Choice; change: (changes: Partial<Choice>) => void }) {
  const t = useBankTexts();
  const item = useItemTexts();
  const workflows = useQuery({ ...readAll('get itembank/workflows'), enabled: kind === 'state' });
  const workflow = workflows.data?.find(({ reference }) => reference === choice.workflow);
  switch (kind) {
    case 'status':
      return (
        <Select
          label={t('status_to')}
          data={STATUSES.map((value) => ({ value, label: item(value) }))}
          value={choice.status}
          allowDeselect={false}
          onChange={(value) => change({ status: STATUSES.find((each) => each === value) ?? choice.status })}
          data-autofocus
        />
      );
    case 'tag':
      return (
        <TagsField
          label={t('tags_to')}
          value={choice.tags}
          change={(tags) => change({ tags })}
          needsName
          data-autofocus
        />
      );
    case 'state':
      return (
        <>
          <Select
            label={t('workflow_to')}
            data={workflows.data?.map(({ reference }) => reference) ?? []}
            value={choice.workflow === '' ? null : choice.workflow}
            allowDeselect={false}
            onChange={(value) => change({ workflow: value ?? '', state: '' })}
            data-autofocus
          />
          <Select
            label={t('state_to')}
            disabled={!workflow}
            data={workflow?.workflow_states.map(({ reference, label }) => ({ value: reference, label })) ?? []}
            value={choice.state === '' ? null : choice.state}
            allowDeselect={false}
            onChange={(value) => change({ state: value ?? '' })}
          />
        </>
      );
    case 'export':
      return <ExportFormat value={choice.format} change={(format) => change({ format })} data-autofocus />;
    default:
      return null;
  }
}

/** The number of items that have the status or state already. */
function stayingOf(action: Action | undefined, counts: Facets | undefined): number {
  const found =
    action?.kind === 'status'
      ? counts?.status?.find(({ value }) => value === action.status)
      : action?.kind === 'state'
        ? counts?.workflow_state?.find(({ workflow, state }) => workflow === action.workflow && state === action.state)
        : undefined;
  return found?.count ?? 0;
}

interface PreviewProps {
  kind: Kind;
  action: Action | undefined;
  counts: Facets | undefined;
  total: number;
  staying: number;
  isCut: boolean;
}

/** The preview, with the counts of the service. */
function Preview({ kind, action, counts, total, staying, isCut }: PreviewProps) {
  const t = useBankTexts();
  const item = useItemTexts();
  const { organisation } = useWorkplace();
  if (!counts) return <Text role="status">{t('reading')}</Text>;
  const isForReviewers = action?.kind === 'state' || (action?.kind === 'status' && action.status === 'published');
  return (
    <Stack gap={4} role="status">
      <Text>
        {kind === 'duplicate'
          ? t('will_copy', numberOf(total))
          : kind === 'export'
            ? t('will_export', numberOf(total))
            : t('will_change', numberOf(total - staying))}{' '}
        {staying > 0 && t('will_stay', numberOf(staying))}
      </Text>
      {isCut && <Text size="sm">{t('too_many_found')}</Text>}
      <Text size="sm" className="wrap">
        {t('by_status')}:{' '}
        {counts.status?.map(({ value, count }) => t('with_count', item(value), numberOf(count))).join(', ')}
      </Text>
      {kind === 'state' && (
        <Text size="sm" className="wrap">
          {t('by_state')}:{' '}
          {counts.workflow_state
            ?.map(({ workflow, state, count }) =>
              t('with_count', workflow === null ? t('no_state') : `${workflow}: ${state ?? ''}`, numberOf(count)),
            )
            .join(', ')}
        </Text>
      )}
      {isForReviewers && !organisation.roles.some((role) => role === 'reviewer' || role === 'operator') && (
        <Text size="sm">{t('needs_reviewer')}</Text>
      )}
    </Stack>
  );
}

/** The maximum number of refused items that are listed. */
const MAX_NAMED = 100;

interface ProgressingProps {
  outcome: Outcome;
  total: number;
  isBusy: boolean;
  /** How the run ended. */
  end: 'done' | 'stopped' | 'interrupted';
}

function Progressing({ outcome: { changed, unchanged, refused }, total, isBusy, end }: ProgressingProps) {
  const t = useBankTexts();
  const done = changed + unchanged + refused.length;
  return (
    <Stack gap="xs">
      <Progress value={total === 0 ? 100 : (100 * done) / total} aria-label={t('progress', done, total)} />
      <Text size="sm" role="status">
        {isBusy ? t('progress', numberOf(done), numberOf(total)) : t(end)} {t('changed', numberOf(changed))},{' '}
        {t('unchanged', numberOf(unchanged))}, {t('refused', numberOf(refused.length))}.
      </Text>
      {refused.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {t('refusals')}
          </Text>
          <List size="sm" style={{ maxHeight: 240, overflow: 'auto' }} tabIndex={0} aria-label={t('refusals')}>
            {refused.slice(0, MAX_NAMED).map(({ reference, reason }) => (
              <List.Item key={reference} className="wrap">
                <b>{reference}</b>: {reason}
              </List.Item>
            ))}
          </List>
          {refused.length > MAX_NAMED && <Text size="sm">{t('more_refusals', refused.length - MAX_NAMED)}</Text>}
        </div>
      )}
    </Stack>
  );
}
