import { Alert, Anchor, Group, Loader, Stack, Text, Title, useComputedColorScheme } from '@mantine/core';
import { Loaded } from '../../ui/loaded';
import { hasEnded, useJob } from '../../ui/use-job';
import { StatusBadge } from '../jobs/job';
import { type Job, partsOf } from '../jobs/jobs';
import { JobProgress } from '../jobs/progress';
import { Files } from '../jobs/results';
import { useJobTexts } from '../jobs/texts';
import { AnalysedQuestions } from './analysed-questions';
import { useReportTexts } from './texts';
import { ServiceText } from '../../ui/service-text';

/** The subject of a report. Jobs of earlier versions have it only in their results. */
export function subjectOf({ subject, results }: Job): string {
  const { dataset_id: id } = (results ?? {}) as { dataset_id?: unknown };
  return subject ?? (typeof id === 'string' ? id : '–');
}

/** A report: its progress, then its files and the page with tables and plots. */
export function Report({ reference }: { reference: string }) {
  const jobs = useJobTexts();
  // Keeps the first address, because a new address would reload the frame.
  const found = useJob(reference, 30 * 60_000);
  return (
    <Loaded query={found}>{(job) => (job ? <Details job={job as Job} /> : <Text>{jobs('gone_help')}</Text>)}</Loaded>
  );
}

function Details({ job }: { job: Job }) {
  const t = useReportTexts();
  const jobs = useJobTexts();
  const colours = useComputedColorScheme('light');
  const subject = subjectOf(job);
  const { files } = partsOf(job.results);
  const analysis = files.find(({ name }) => name === 'analysis.ndjson');
  const page = files.find(({ content_type: type }) => type.startsWith('text/html'));
  // The policy of the console allows only this service in frames.
  const isOwn = (address: string) => new URL(address, location.href).origin === location.origin;
  const isHere = page !== undefined && isOwn(page.address);
  return (
    <Stack>
      <Title order={2} size="h4" className="wrap">
        {t('frame', subject)}
      </Title>
      <Group>
        <StatusBadge status={job.status} />
        {!hasEnded(job) && <Loader size="xs" aria-label={jobs('refreshes')} />}
        <JobProgress job={job} />
      </Group>
      {job.error && (
        <Alert color="red" title={jobs('error')} className="wrap">
          <ServiceText>{job.error.message}</ServiceText>
        </Alert>
      )}
      {files.length > 0 && <Files files={files} />}
      {analysis && isOwn(analysis.address) && <AnalysedQuestions address={analysis.address} bytes={analysis.bytes} />}
      {page && (
        <Anchor href={`${page.address}#${colours}`} target="_blank" rel="noreferrer">
          {t('new_tab')}
        </Anchor>
      )}
      {page && isHere && (
        <iframe
          src={`${page.address}#${colours}`}
          title={t('frame', subject)}
          sandbox=""
          style={{ width: '100%', height: '80vh', border: '1px solid var(--mantine-color-default-border)' }}
        />
      )}
    </Stack>
  );
}
