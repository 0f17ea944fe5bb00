import { Button, Group, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { call, keyOf } from '../../operations/call';
import { useLanguage } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { toast } from '../../ui/toast';
import { useAddress } from '../../ui/use-address';
import { useTask } from '../../ui/use-task';
import { useReportTexts } from './texts';

const TYPES = [
  'activity-analysis-by-question',
  'ibk-analysis-by-question',
  'activity-summary-by-group',
  'sessions-summary-by-group',
] as const;

/** Starts the job of a report. The parameters `type` and `id` of the address fill the form. */
export function ReportForm() {
  const t = useReportTexts();
  const queries = useQueryClient();
  const address = useAddress();
  const language = useLanguage();
  const type = TYPES.find((each) => each === address.get('type')) ?? TYPES[0];
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const id = fieldOf(event.currentTarget, 'id').trim();
    void run(async () => {
      const { data } = await call('set jobs/reports/datasets', { dataset_type: type, dataset_id: id, language });
      await queries.invalidateQueries({ queryKey: keyOf('get jobs') });
      address.set({ type, id, job: data.job_reference });
      toast(t('started'));
    });
  }

  return (
    <form onSubmit={submit}>
      <Group align="flex-start">
        <Select
          label={t('type')}
          data={TYPES.map((each) => ({ value: each, label: t(each) }))}
          value={type}
          onChange={(value) => value !== null && address.set({ type: value }, true)}
          allowDeselect={false}
          error={messageAt(fault, '/dataset_type')}
          style={{ flex: '1 1 220px' }}
        />
        <TextInput
          name="id"
          label={t(`${type}_id`)}
          defaultValue={address.get('id')}
          error={messageAt(fault, '/dataset_id')}
          required
          style={{ flex: '1 1 220px' }}
        />
      </Group>
      <FaultAlert fault={besides(fault, ['/dataset_type', '/dataset_id'])} />
      <Button type="submit" loading={isBusy} mt="md">
        {t('start')}
      </Button>
    </form>
  );
}
