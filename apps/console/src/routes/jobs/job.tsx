import { Alert, Badge, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { dateOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { type Fact, FactTable } from '../../ui/fact-table';
import { Loaded } from '../../ui/loaded';
import { useJob } from '../../ui/use-job';
import { JobActions } from './actions';
import { type Job, STATUS_COLOURS, typeName } from './jobs';
import { JobProgress } from './progress';
import { Results } from './results';
import { useJobTexts } from './texts';
import { ServiceText } from '../../ui/service-text';

/** One job, looked at again until it is over. */
export function JobDetails({ reference }: { reference: string }) {
  return (
    <Loaded query={useJob(reference)}>
      {(job) => (job ? <Details job={job as Job} /> : <Gone reference={reference} />)}
    </Loaded>
  );
}

/** For a job of the address that does not exist, or was removed. */
function Gone({ reference }: { reference: string }) {
  const t = useJobTexts();
  return (
    <Empty title={t('none')}>
      <Text className="wrap">{reference}</Text>
      <Text>{t('gone_help')}</Text>
      <Button variant="default" component={Link} to="/jobs">
        {t('show_all')}
      </Button>
    </Empty>
  );
}

function Details({ job }: { job: Job }) {
  const t = useJobTexts();
  const rows: Fact[] = [
    [t('type'), typeName(t, job.type)],
    ...(job.subject === undefined ? [] : [[t('about'), job.subject] as const]),
    [t('status'), <StatusBadge key="status" status={job.status} />],
    [t('progress'), <JobProgress key="progress" job={job} />],
    [t('created'), dateOf(job.dt_created)],
    [t('ended'), dateOf(job.dt_completed)],
    [t('reference'), job.reference],
  ];
  return (
    <Stack>
      <FactTable rows={rows} />
      {job.error && (
        <Alert color="red" title={t('error')}>
          <ServiceText>{job.error.message}</ServiceText>
        </Alert>
      )}
      <JobActions jobs={[job]} />
      <Title order={3} size="h5">
        {t('results')}
      </Title>
      {job.status === 'completed' ? <Results results={job.results} /> : <Text>{t('no_results')}</Text>}
    </Stack>
  );
}

export function StatusBadge({ status }: { status: Job['status'] }) {
  const t = useJobTexts();
  return (
    <Badge variant="dot" color={STATUS_COLOURS[status]} tt="none">
      {t(status)}
    </Badge>
  );
}
