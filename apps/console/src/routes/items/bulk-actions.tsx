import { Button, Group, Menu, Paper, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf, read } from '../../operations/call';
import type { Item } from '../../operations/operations';
import { useMay, useWorkplace } from '../../session/session';
import { Dialog } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { type Status, STATUSES, tagOf } from './filters';
import { useItemTexts } from './texts';

/** The largest number of entries of one call. A call changes all of its entries or none. */
const BATCH = 50;

type Action = { kind: 'status'; status: Status } | { kind: 'tag' } | { kind: 'move' } | { kind: 'duplicate' };

interface BulkActionsProps {
  selected: ReadonlySet<string>;
  /** The loaded items. */
  items: readonly Item[];
  clear: () => void;
}

/** Changes all chosen items, after saying what will happen. */
export function BulkActions({ selected, items, clear }: BulkActionsProps) {
  const t = useItemTexts();
  const may = useMay();
  const queries = useQueryClient();
  const [action, setAction] = useState<Action>();
  const [tag, setTag] = useState('');
  const [place, setPlace] = useState<string | null>(null);
  const { organisation } = useWorkplace();
  const workflows = useQuery({
    ...read('get itembank/workflows', { limit: 50 }),
    enabled: action?.kind === 'move',
  });
  const [done, setDone] = useState(0);
  const { run, isBusy, fault, clear: clearFault } = useTask();
  const chosen = items.filter(({ reference }) => selected.has(reference));

  function begin(wanted: Action) {
    setDone(0);
    setTag('');
    setPlace(null);
    clearFault();
    setAction(wanted);
  }

  async function apply() {
    const isComplete = await run(async () => {
      for (let from = 0; from < chosen.length; from += BATCH) {
        const batch = chosen.slice(from, from + BATCH);
        await applyTo(batch);
        setDone(from + batch.length);
      }
    });
    await Promise.all([
      queries.invalidateQueries({ queryKey: keyOf('get itembank/items') }),
      queries.invalidateQueries({ queryKey: keyOf('get itembank/workflows') }),
    ]);
    if (!isComplete) return;
    toast(t('bulk_done', chosen.length));
    setAction(undefined);
    clear();
  }

  async function applyTo(batch: readonly Item[]) {
    if (action?.kind === 'status')
      await call('set itembank/items', { items: batch.map((item) => withStatus(item, action.status)) });
    else if (action?.kind === 'move') {
      const workflow = JSON.parse(place!) as { reference: string; state: string };
      await call('set itembank/items', {
        items: batch.map((item) => ({ ...withStatus(item, item.status), authoring_workflow: workflow })),
      });
    } else if (action?.kind === 'tag') {
      const { type, name = '' } = tagOf(tag);
      await call('update itembank/items/tags', {
        items: batch.map(({ reference }) => ({ reference, tags: [{ type, name }] })),
      });
    } else await call('set itembank/items/duplicate', { items: batch.map(({ reference }) => ({ reference })) });
  }

  const isReady =
    action?.kind === 'tag' ? /^[^:]+:.+$/.test(tag) : action?.kind === 'move' ? place !== null : action !== undefined;
  const title =
    action?.kind === 'status'
      ? t('bulk_status_title', chosen.length, t(action.status))
      : action?.kind === 'tag'
        ? t('bulk_tag_title', chosen.length)
        : action?.kind === 'move'
          ? t('bulk_move_title', chosen.length)
          : t('duplicate');

  return (
    <Paper withBorder p="xs">
      <Group gap="xs">
        <Text fw={600} role="status">
          {t('chosen', selected.size)}
        </Text>
        <Menu>
          <Menu.Target>
            <Button variant="default" size="xs">
              {t('set_status')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {STATUSES.map((status) => (
              <Menu.Item key={status} onClick={() => begin({ kind: 'status', status })}>
                {t(status)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {may('update itembank/items/tags') && (
          <Button variant="default" size="xs" onClick={() => begin({ kind: 'tag' })}>
            {t('add_tag')}
          </Button>
        )}
        {organisation.roles.some((role) => role === 'reviewer' || role === 'operator') && (
          <Button variant="default" size="xs" onClick={() => begin({ kind: 'move' })}>
            {t('move_in_workflow')}
          </Button>
        )}
        {may('set itembank/items/duplicate') && (
          <Button variant="default" size="xs" onClick={() => begin({ kind: 'duplicate' })}>
            {t('duplicate')}
          </Button>
        )}
        <Button variant="subtle" size="xs" onClick={clear}>
          {t('clear_choice')}
        </Button>
      </Group>
      <Dialog title={title} isOpen={action !== undefined} close={() => !isBusy && setAction(undefined)} size="md">
        <Stack>
          {action?.kind === 'tag' && (
            <TextInput
              label={t('bulk_tag')}
              value={tag}
              onChange={(event) => setTag(event.currentTarget.value)}
              data-autofocus
            />
          )}
          {action?.kind === 'move' && (
            <>
              <Select
                label={t('workflow_move')}
                data={(workflows.data?.data ?? []).map(({ reference, workflow_states: states }) => ({
                  group: reference,
                  items: states.map((state) => ({
                    value: JSON.stringify({ reference, state: state.reference }),
                    label: state.label || state.reference,
                  })),
                }))}
                value={place}
                onChange={setPlace}
                searchable
                data-autofocus
              />
              <FaultAlert fault={workflows.error} />
            </>
          )}
          <Text size="sm" className="wrap">
            {chosen
              .slice(0, 10)
              .map(({ reference }) => reference)
              .join(', ')}
            {chosen.length > 10 ? ' …' : ''}
          </Text>
          <FaultAlert fault={fault} />
          {fault !== null && done > 0 && <Text>{t('bulk_stopped', done)}</Text>}
          {isBusy && (
            <Stack gap={4}>
              <Progress value={(100 * done) / chosen.length} aria-label={title} />
              <Text size="sm" role="status">
                {t('bulk_progress', done, chosen.length)}
              </Text>
            </Stack>
          )}
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={() => setAction(undefined)}>
              {t('cancel')}
            </Button>
            <Button loading={isBusy} disabled={!isReady} onClick={() => void apply()}>
              {t('bulk_do', chosen.length)}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </Paper>
  );
}

/** The item as it is, with another status: a set clears what is not sent. */
export function withStatus(item: Item, status: Status) {
  const { reference, title, description, note, source, definition, metadata, tags, revision } = item;
  return {
    reference,
    title,
    description,
    note,
    source,
    definition,
    metadata,
    tags,
    status,
    // Somebody's change since the list was read is not overwritten.
    ...(revision === undefined ? {} : { if_revision: revision }),
  };
}
