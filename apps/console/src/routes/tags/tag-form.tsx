import { NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf, type Output } from '../../operations/call';
import { Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { useTagTexts } from './texts';

export type Tag = Output<'get itembank/tagging/tags'>[number];

const FIELDS = ['/tags/0/type', '/tags/0/name', '/tags/0/description', '/tags/0/sort_key'];

interface TagFormProps {
  /** The tag to change; absent for a new one. */
  tag?: Tag;
  type: string;
  done: (type: string) => void;
  cancel: () => void;
}

export function TagForm({ tag, type, done, cancel }: TagFormProps) {
  const t = useTagTexts();
  const queries = useQueryClient();
  const [sortKey, setSortKey] = useState<number | string>(tag?.sort_key ?? '');
  // The tag is read again meanwhile. So the form keeps the revision that it shows; 0: there is none yet.
  const [revision] = useState(tag ? tag.revision : 0);
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const wanted = {
      type: tag?.type ?? fieldOf(form, 'type').trim(),
      name: fieldOf(form, 'name').trim(),
      description: fieldOf(form, 'description') || null,
      sort_key: sortKey === '' ? null : Number(sortKey),
      if_revision: revision,
    };
    void run(async () => {
      await call('set itembank/tagging/tags', { tags: [wanted] });
      await Promise.all([
        queries.invalidateQueries({ queryKey: keyOf('get itembank/tagging/tags') }),
        queries.invalidateQueries({ queryKey: keyOf('get itembank/tags') }),
      ]);
      toast(t('saved', `${wanted.type}: ${wanted.name}`));
      done(wanted.type);
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        {!tag && (
          <TextInput
            name="type"
            label={t('type')}
            description={t('type_help')}
            defaultValue={type}
            error={messageAt(fault, '/tags/0/type')}
            required
          />
        )}
        <TextInput
          name="name"
          label={t('name')}
          description={tag ? t('name_help') : undefined}
          defaultValue={tag?.name}
          error={messageAt(fault, '/tags/0/name')}
          required
          data-autofocus
        />
        <Textarea
          name="description"
          label={t('description')}
          defaultValue={tag?.description ?? ''}
          error={messageAt(fault, '/tags/0/description')}
          rows={3}
        />
        <NumberInput
          label={t('sort_key')}
          description={t('sort_key_help')}
          value={sortKey}
          onChange={setSortKey}
          allowDecimal={false}
          error={messageAt(fault, '/tags/0/sort_key')}
        />
        <FaultAlert fault={besides(fault, FIELDS)} />
        <Actions cancel={cancel} loading={isBusy}>
          {t('save')}
        </Actions>
      </Stack>
    </form>
  );
}
