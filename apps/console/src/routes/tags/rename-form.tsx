import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf, type Output } from '../../operations/call';
import { numberOf } from '../../texts/texts';
import { Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { JobProgress } from '../../ui/job-progress';
import { useTask } from '../../ui/use-task';
import type { Tag } from './tag-form';
import { useTagTexts } from './texts';

type Renamed = Output<'update itembank/tagging/tags'>;

/** Renames a tag: shows the consequences first, then the progress of the change. */
export function RenameForm({ tag, close }: { tag: Pick<Tag, 'type' | 'name' | 'revision'>; close: () => void }) {
  const t = useTagTexts();
  const queries = useQueryClient();
  const [newName, setNewName] = useState('');
  const [read, setRead] = useState<{ of: string; preview: Renamed } | null>(null);
  const [job, setJob] = useState<string | null>(null);
  const { run, isBusy, fault } = useTask();
  const request = { type: tag.type, name: tag.name, new_name: newName.trim() };
  // A preview is of one name. Somebody may have typed another one since it was asked for.
  const preview = read?.of === newName ? read.preview : null;
  const readAgain = async () => {
    const changed = [
      'get itembank/tagging/tags',
      'get itembank/tags',
      'get itembank/tagging/hierarchies/nodes',
      'get itembank/items',
    ] as const;
    await Promise.all(changed.map((name) => queries.invalidateQueries({ queryKey: keyOf(name) })));
  };

  if (job !== null)
    return (
      <Stack>
        <JobProgress reference={job} label={t('replacing', tag.name, request.new_name)} done={() => void readAgain()}>
          {() => <Text>{t('replaced')}</Text>}
        </JobProgress>
        <Group justify="flex-end">
          <Button onClick={close}>{t('close')}</Button>
        </Group>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          if (!preview) {
            const { data } = await call('update itembank/tagging/tags', { ...request, dry_run: true });
            setRead({ of: newName, preview: data });
            return;
          }
          const revision = tag.revision === undefined ? {} : { if_revision: tag.revision };
          const { data } = await call('update itembank/tagging/tags', { ...request, ...revision });
          await readAgain();
          setJob(data.job_reference ?? null);
        });
      }}
    >
      <Stack>
        <TextInput
          label={t('new_name')}
          description={t('new_name_help')}
          value={newName}
          onChange={(event) => setNewName(event.currentTarget.value)}
          error={messageAt(fault, '/new_name')}
          required
          data-autofocus
        />
        {preview && <Consequences preview={preview} />}
        <FaultAlert fault={besides(fault, ['/new_name'])} />
        <Actions cancel={close} loading={isBusy}>
          {!preview ? t('preview') : preview.merges ? t('merge') : t('rename')}
        </Actions>
      </Stack>
    </form>
  );
}

function Consequences({ preview }: { preview: Renamed }) {
  const t = useTagTexts();
  const { tag, successor, merges, items, activities, pools, hierarchies } = preview;
  return (
    <Alert role="status" color={merges ? 'orange' : 'blue'} variant="default" title={t('consequences')}>
      <List size="sm" className="wrap">
        <List.Item>{merges ? t('merges', tag.name, successor.name) : t('renames', tag.name, successor.name)}</List.Item>
        <List.Item>{t('changed', numberOf(items), numberOf(activities))}</List.Item>
        <List.Item>{t('pools_stay', numberOf(pools))}</List.Item>
        <List.Item>
          {hierarchies.length === 0 ? t('no_hierarchy_follows') : t('hierarchies_follow', hierarchies.join(', '))}
        </List.Item>
      </List>
    </Alert>
  );
}
