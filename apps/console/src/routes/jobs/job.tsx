import { Alert, Badge, Button, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../../operations/call';
import { dateOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { JobActions } from './actions';
import { isOver, type Job, LOOK_MS, STATUS_COLOURS, typeName } from './jobs';
import { JobProgress } from './progress';
import { Results } from './results';
import { useJobTexts } from './texts';
import { ServiceText } from '../../ui/service-text';

/** One job, looked at again until it is over. */
export function JobDetails({ reference }: { reference: string }) {
  const found = useQuery({
    ...read('get jobs', { references: [reference] }),
    placeholderData: undefined,
    refetchInterval: ({ state }) => {
      const job = state.data?.data[0] as Job | undefined;
      return job && !isOver(job) ? LOOK_MS : false;
    },
  });
  return (
    <Loaded query={found}>
      {({ data: [job] }) => (job ? <Details job={job as Job} /> : <Gone reference={reference} />)}
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
  return (
    <Stack>
      <Table>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th w="35%">{t('type')}</Table.Th>
            <Table.Td className="wrap">{typeName(t, job.type)}</Table.Td>
          </Table.Tr>
          {job.subject !== undefined && (
            <Table.Tr>
              <Table.Th>{t('about')}</Table.Th>
              <Table.Td className="wrap">{job.subject}</Table.Td>
            </Table.Tr>
          )}
          <Table.Tr>
            <Table.Th>{t('status')}</Table.Th>
            <Table.Td>
              <StatusBadge status={job.status} />
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('progress')}</Table.Th>
            <Table.Td>
              <JobProgress job={job} />
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('created')}</Table.Th>
            <Table.Td>{dateOf(job.dt_created)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('ended')}</Table.Th>
            <Table.Td>{dateOf(job.dt_completed)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('reference')}</Table.Th>
            <Table.Td className="wrap">{job.reference}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
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
