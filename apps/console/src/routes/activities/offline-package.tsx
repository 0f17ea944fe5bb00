import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../operations/call';
import type { Activity } from '../../operations/operations';
import { dateOf, numberOf, sizeOf } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { FactTable } from '../../ui/fact-table';
import { FaultAlert } from '../../ui/fault-alert';
import { JobProgress } from '../../ui/job-progress';
import { objectOf } from '../../ui/member-path';
import { ServiceText } from '../../ui/service-text';
import { useTask } from '../../ui/use-task';
import { useActivityTexts } from './texts';

/** The results of the job. */
interface Packed {
  address: string;
  bytes: number;
  as_of: string;
  activities: number;
  items: number;
  questions: number;
  features: number;
  assets: number;
  skipped_records: { reference: string; why: string }[];
  missing_assets: number;
}

interface OfflinePackageProps {
  /** The stored activity. */
  activity: Activity;
  /** Whether there are unsaved changes, which the package will not contain. */
  isDirty: boolean;
  close: () => void;
}

/** Starts the job that packs an activity for offline use, and follows it to the link of the package. */
export function OfflinePackage({ activity: { reference, data }, isDirty, close }: OfflinePackageProps) {
  const t = useActivityTexts();
  const { run, isBusy, fault } = useTask();
  const [job, setJob] = useState<string>();
  const { adaptive = objectOf(data.config).adaptive } = data as { adaptive?: unknown };

  const start = () =>
    run(async () => {
      const { data: started } = await call('get itembank/offlinepackage', { activity_references: [reference] });
      setJob(started[0]?.job_reference);
    });

  return (
    <Dialog title={t('offline_title', reference)} isOpen close={close}>
      <Stack>
        {job === undefined ? (
          <>
            <Text>{t('offline_help')}</Text>
            <Text>{t('offline_published')}</Text>
            {Boolean(adaptive) && <Alert variant="default">{t('offline_adaptive')}</Alert>}
            {isDirty && <Alert variant="default">{t('offline_unsaved')}</Alert>}
            <FaultAlert fault={fault} />
          </>
        ) : (
          <JobProgress reference={job} label={t('offline_packing')}>
            {({ results }) => <Outcome packed={results as Packed | null} />}
          </JobProgress>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('close')}
          </Button>
          {job === undefined && (
            <Button loading={isBusy} onClick={() => void start()}>
              {t('offline_start')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Shows the contents of the package, or why the activity was left out. @param packed null: the person may not read the results. */
function Outcome({ packed }: { packed: Packed | null }) {
  const t = useActivityTexts();
  if (!packed) return null;
  if (packed.activities === 0)
    return (
      <Alert color="red" title={t('offline_skipped')} role="status">
        <Stack gap="xs">
          <List size="sm">
            {packed.skipped_records.map((record) => (
              <List.Item key={record.reference} className="wrap">
                <b>{record.reference}</b> <ServiceText>{record.why}</ServiceText>
              </List.Item>
            ))}
          </List>
          <Text size="sm">{t('offline_published')}</Text>
        </Stack>
      </Alert>
    );
  return (
    <Stack gap="xs" align="flex-start">
      <Text role="status">{t('offline_ready', dateOf(packed.as_of))}</Text>
      <FactTable
        label={t('content')}
        rows={[
          [t('items'), numberOf(packed.items)],
          [t('offline_questions'), numberOf(packed.questions)],
          [t('offline_features'), numberOf(packed.features)],
          [t('offline_assets'), numberOf(packed.assets)],
        ]}
      />
      {packed.missing_assets > 0 && (
        <Alert variant="default" title={t('offline_missing', numberOf(packed.missing_assets))}>
          {t('offline_missing_help')}
        </Alert>
      )}
      <Alert variant="default" title={t('offline_keys')}>
        {t('offline_keys_help')}
      </Alert>
      <Button component="a" href={packed.address}>
        {t('download')} ({sizeOf(packed.bytes)})
      </Button>
      <Text size="sm">{t('offline_expires')}</Text>
    </Stack>
  );
}
