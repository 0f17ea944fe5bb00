import { Button, Group, Paper, Radio, Select, SimpleGrid, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, type Input, keyOf, readAll } from '../../operations/call';
import { useMay } from '../../session/session';
import { ExportFormat, type Format } from '../../ui/export-format';
import { FaultAlert } from '../../ui/fault-alert';
import { tagOf, TagsField } from '../../ui/tags-field';
import { useTask } from '../../ui/use-task';
import { useExportTexts } from './export-texts';

const WHAT = ['all', 'named', 'tagged'] as const;

interface Choice {
  /** Empty: the bank. */
  pool: string;
  /** A local time, `2026-11-25T09:30`; empty: now. */
  asOf: string;
  what: (typeof WHAT)[number];
  items: string;
  activities: string;
  tags: string[];
  match: 'all' | 'either';
  format: Format;
}

const START: Choice = {
  pool: '',
  asOf: '',
  what: 'all',
  items: '',
  activities: '',
  tags: [],
  match: 'all',
  format: 'ndjson',
};

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

function requestOf({
  pool,
  asOf,
  what,
  items,
  activities,
  tags,
  match,
  format,
}: Choice): Input<'set itembank/exports'> {
  return {
    format,
    ...(pool === '' ? {} : { item_pool_id: pool }),
    ...(asOf === '' || pool !== '' ? {} : { as_of: new Date(asOf).toISOString() }),
    ...(what === 'named' ? { references: linesOf(items), activity_references: linesOf(activities) } : {}),
    ...(what === 'tagged' ? { advanced_tags: { [match]: tags.map(tagOf) } } : {}),
  };
}

interface ExportFormProps {
  noteTyping: (event: FormEvent) => void;
  started: (job: string) => void;
}

/** Chooses what to export, and starts it. */
export function ExportForm({ noteTyping, started }: ExportFormProps) {
  const t = useExportTexts();
  const may = useMay();
  const queries = useQueryClient();
  const [choice, setChoice] = useState(START);
  const [missing, setMissing] = useState(false);
  const { run, isBusy, fault } = useTask();
  const pools = useQuery({ ...readAll('get itembank/pools'), enabled: may('get itembank/pools') });
  const change = (changes: Partial<Choice>) => {
    setMissing(false);
    setChoice({ ...choice, ...changes });
  };
  const { what } = choice;

  async function submit(event: FormEvent) {
    event.preventDefault();
    const isNamed = what !== 'named' || linesOf(`${choice.items}\n${choice.activities}`).length > 0;
    const isTagged = what !== 'tagged' || choice.tags.length > 0;
    setMissing(!isNamed || !isTagged);
    if (!isNamed || !isTagged) return;
    await run(async () => {
      const { data } = await call('set itembank/exports', requestOf(choice));
      await queries.invalidateQueries({ queryKey: keyOf('get jobs') });
      started(data.job_reference);
    });
  }

  return (
    <Paper withBorder p="md" component="section" aria-labelledby="new-export">
      <form onSubmit={(event) => void submit(event)} onInput={noteTyping} noValidate>
        <Stack>
          <Title order={2} size="h4" id="new-export">
            {t('new_export')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label={t('from')}
              description={t('from_help')}
              data={[
                { value: '', label: t('bank') },
                ...(pools.data ?? []).map(({ reference, name }) => ({
                  value: reference,
                  label: t('pool', name || reference),
                })),
              ]}
              value={choice.pool}
              allowDeselect={false}
              searchable
              onChange={(pool) => change({ pool: pool ?? '' })}
            />
            {choice.pool === '' && (
              <TextInput
                type="datetime-local"
                label={t('as_of')}
                description={t('as_of_help')}
                value={choice.asOf}
                onChange={(event) => change({ asOf: event.currentTarget.value })}
              />
            )}
          </SimpleGrid>
          <Radio.Group
            label={t('what')}
            value={what}
            onChange={(value) => change({ what: WHAT.find((each) => each === value) ?? 'all' })}
          >
            <Stack gap="xs" mt="xs">
              {WHAT.map((value) => (
                <Radio key={value} value={value} label={t(`what_${value}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <Selection choice={choice} change={change} isMissing={missing} />
          <ExportFormat value={choice.format} change={(format) => change({ format })} />
          <FaultAlert fault={fault} />
          <Group>
            <Button type="submit" loading={isBusy}>
              {t('start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

interface SelectionProps {
  choice: Choice;
  change: (changes: Partial<Choice>) => void;
  isMissing: boolean;
}

function Selection({ choice, change, isMissing }: SelectionProps) {
  const t = useExportTexts();
  if (choice.what === 'all') return null;
  if (choice.what === 'named')
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Textarea
          label={t('items')}
          description={t('one_per_line')}
          error={isMissing && t('nothing_named')}
          autosize
          minRows={3}
          maxRows={12}
          value={choice.items}
          onChange={(event) => change({ items: event.currentTarget.value })}
        />
        <Textarea
          label={t('activities')}
          description={t('one_per_line')}
          autosize
          minRows={3}
          maxRows={12}
          value={choice.activities}
          onChange={(event) => change({ activities: event.currentTarget.value })}
        />
      </SimpleGrid>
    );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TagsField
        label={t('tags')}
        description={t('tags_help')}
        error={isMissing && t('no_tags')}
        value={choice.tags}
        change={(tags) => change({ tags })}
      />
      <Select
        label={t('match')}
        description={' '}
        data={[
          { value: 'all', label: t('match_all') },
          { value: 'either', label: t('match_any') },
        ]}
        value={choice.match}
        allowDeselect={false}
        onChange={(match) => change({ match: match === 'either' ? match : 'all' })}
      />
    </SimpleGrid>
  );
}
