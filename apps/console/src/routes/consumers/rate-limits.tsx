import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { AddButton } from '../../ui/add-button';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { useSaved } from '../../ui/side-panel';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { consumersQuery, type ConsumerView, nameOf, setRateLimits } from './consumers';
import { useConsumerTexts } from './texts';

interface Row {
  id: number;
  pattern: string;
  limit: number | string;
}

const USUAL_LIMIT = 50;

/** The limits of a consumer that differ from the published ones. */
export function RateLimits({ consumer }: { consumer: ConsumerView }) {
  const t = useConsumerTexts();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const saved = useSaved();
  const [rows, setRows] = useState<Row[]>(() =>
    Object.entries(consumer.rate_limits).map(([pattern, limit], id) => ({ id, pattern, limit })),
  );
  const { run, isBusy, fault } = useTask();
  const change = (id: number, changes: Partial<Row>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  const isChanged = JSON.stringify(stored(rows)) !== JSON.stringify(stored(entriesOf(consumer)));

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      await confirmed(() => setRateLimits(consumer.key, stored(rows)));
      saved();
      await queries.invalidateQueries({ queryKey: consumersQuery.queryKey });
      toast(t('limits_saved', nameOf(consumer)));
    });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack align="stretch">
        <Title order={3} size="h5">
          {t('rate_limits')}
        </Title>
        <Text size="sm">{t('rate_limits_help')}</Text>
        {rows.length === 0 && <Text size="sm">{t('no_rate_limits')}</Text>}
        {rows.map(({ id, pattern, limit }, index) => (
          <Group key={id} align="flex-end" gap="xs">
            <TextInput
              label={t('pattern', index + 1)}
              value={pattern}
              onChange={(event) => change(id, { pattern: event.currentTarget.value })}
              error={messageAt(fault, `/rate_limits/${index}/pattern`)}
              spellCheck={false}
              style={{ flex: '2 1 180px' }}
            />
            <NumberInput
              label={t('limit', index + 1)}
              value={limit}
              onChange={(value) => change(id, { limit: value })}
              min={0}
              clampBehavior="none"
              allowDecimal={false}
              error={messageAt(fault, `/rate_limits/${index}/limit`)}
              style={{ flex: '1 1 160px' }}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('remove_limit', index + 1)}
              onClick={() => setRows(rows.filter((row) => row.id !== id))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <FaultAlert fault={besides(fault, ['/rate_limits'])} />
        <Group>
          <AddButton
            variant="default"
            onClick={() => setRows([...rows, { id: nextId(rows), pattern: '', limit: USUAL_LIMIT }])}
          >
            {t('add_limit')}
          </AddButton>
          {(isChanged || isBusy) && (
            <Button type="submit" loading={isBusy}>
              {t('save_limits')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

const entriesOf = ({ rate_limits: limits }: ConsumerView) =>
  Object.entries(limits).map(([pattern, limit]) => ({ pattern, limit }));

/** The limits in the form that the service takes. It refuses an empty limit, sent as null, at its field. */
const stored = (rows: readonly Pick<Row, 'pattern' | 'limit'>[]) =>
  rows.map(({ pattern, limit }) => ({ pattern: pattern.trim(), limit: limit === '' ? NaN : Number(limit) }));

const nextId = (rows: readonly Row[]) => Math.max(-1, ...rows.map(({ id }) => id)) + 1;
