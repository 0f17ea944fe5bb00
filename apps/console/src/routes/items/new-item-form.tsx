import { Select, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { useTypeNames } from '../../texts/use-type-names';
import { Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { fieldOf } from '../../ui/field-of';
import { useTask } from '../../ui/use-task';
import { FORMS } from './forms/index';
import { useItemTexts } from './texts';
import { randomSuffix, widgetReference } from './widget-reference';
import { inPath } from '../../ui/in-path';

/** Makes an item with a first question, and opens it for editing. */
export default function NewItemForm({ close }: { close: () => void }) {
  const t = useItemTexts();
  const typeName = useTypeNames();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [type, setType] = useState('mcq');
  const [suffix] = useState(randomSuffix);
  const { run, isBusy, fault } = useTask();

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reference = fieldOf(event.currentTarget, 'reference').trim();
    const title = fieldOf(event.currentTarget, 'title').trim();
    const { kind, fresh } = FORMS[type]!;
    const widget = widgetReference(reference, 1, suffix);
    const isMade = await run(async () => {
      const [existing] = (await call('get itembank/items', { references: [reference], limit: 1 })).data;
      // An earlier press made the item, and its answer was lost.
      if ([...(existing?.questions ?? []), ...(existing?.features ?? [])].some((each) => each.reference === widget))
        return;
      if (existing) throw new Error(t('reference_taken', reference));
      const written = { reference: widget, type, data: { type, ...fresh } };
      if (kind === 'question') await call('set itembank/questions', { questions: [written] });
      else await call('set itembank/features', { features: [written] });
      await call('set itembank/items', {
        items: [
          {
            reference,
            title: title || null,
            status: 'unpublished',
            definition: { widgets: [{ reference: widget }] },
            if_revision: 0,
          },
        ],
      });
    });
    if (!isMade) return;
    close();
    await queries.invalidateQueries({ queryKey: keyOf('get itembank/items') });
    await navigate({ to: `/items/${inPath(reference)}`, search: { tab: 'edit' } });
  }

  return (
    <form onSubmit={(event) => void create(event)}>
      <Stack>
        <FaultAlert fault={fault} />
        <TextInput
          name="reference"
          label={t('reference')}
          description={t('new_reference_help')}
          maxLength={150}
          required
          data-autofocus
        />
        <TextInput name="title" label={t('title')} />
        <Select
          label={t('question_type')}
          data={Object.keys(FORMS).map((value) => ({ value, label: typeName(value) }))}
          value={type}
          allowDeselect={false}
          onChange={(value) => value && setType(value)}
        />
        <Actions cancel={close} loading={isBusy}>
          {t('create')}
        </Actions>
      </Stack>
    </form>
  );
}
