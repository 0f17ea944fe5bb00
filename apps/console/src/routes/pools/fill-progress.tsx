import { Alert, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keyOf } from '../../operations/call';
import type { Job, PoolChanges } from '../../operations/operations';
import { numberOf } from '../../texts/texts';
import { Loaded, QueryFault } from '../../ui/loaded';
import { hasEnded, useJob } from '../../ui/use-job';
import { usePoolTexts } from './texts';
import { ServiceText } from '../../ui/service-text';
import { Heads } from '../../ui/scrolled';

/** The results of the job of a fill. Long results are a file instead. */
interface FillResults {
  stored: { activities: number; items: number; questions: number; features: number };
  unchanged: number;
  skipped: { type: 'item' | 'activity'; reference: string; why: string }[];
  /** Absent in results of earlier releases. */
  changes?: PoolChanges;
}

const KIND = {
  item: 'kind_item',
  activity: 'kind_activity',
  question: 'kind_question',
  feature: 'kind_feature',
} as const;
const CHANGES = ['added', 'changed', 'removed'] as const;

/** The maximum number of skipped records that are shown. */
const MAX_ROWS = 200;

interface FillProgressProps {
  job: string;
  title: string;
  /** The job is a dry run. */
  isPreview?: boolean;
}

/** The progress of a fill, and what it changed, or would change. */
export function FillProgress({ job: reference, title, isPreview = false }: FillProgressProps) {
  const t = usePoolTexts();
  const queries = useQueryClient();
  const query = useJob(reference);
  const isOver = !isPreview && hasEnded(query.data);
  useEffect(() => {
    if (!isOver) return;
    for (const name of [
      'get itembank/pools',
      'get itembank/pools/fills',
      'get itembank/items',
      'get itembank/activities',
    ] as const)
      void queries.invalidateQueries({ queryKey: keyOf(name) });
  }, [isOver, queries]);
  return (
    <Stack gap="xs" component="section" aria-label={title} maw={760}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Loaded query={query}>
        {(job) =>
          job ? (
            <>
              <QueryFault query={query} />
              <State job={job} title={title} isPreview={isPreview} />
            </>
          ) : (
            <Text>{t('no_job')}</Text>
          )
        }
      </Loaded>
    </Stack>
  );
}

function State({ job, title, isPreview }: { job: Job; title: string; isPreview: boolean }) {
  const t = usePoolTexts();
  const { done = 0, total } = job.progress ?? {};
  if (job.status === 'halted')
    return (
      <Alert color="red" role="alert" title={t('fill_halted')}>
        <ServiceText>{job.error?.message}</ServiceText>
      </Alert>
    );
  if (job.status === 'completed')
    return (
      <>
        <Text role="status">{t(isPreview ? 'previewed' : 'filled')}</Text>
        <Results results={job.results} isPreview={isPreview} />
      </>
    );
  return (
    <>
      <Text role="status">{t(job.status === 'queued' ? 'queued' : 'filling')}</Text>
      <Progress value={total ? (100 * done) / total : 100} animated aria-label={title} />
      {total ? <Text size="sm">{t('done_of', numberOf(done), numberOf(total))}</Text> : null}
    </>
  );
}

function Results({ results, isPreview }: { results: unknown; isPreview: boolean }) {
  const t = usePoolTexts();
  const { stored, unchanged, skipped, changes } = (results ?? {}) as Partial<FillResults>;
  if (!stored) return <Text size="sm">{t('many_results')}</Text>;
  const { activities, items, questions, features } = stored;
  return (
    <>
      {!isPreview && (
        <Text>
          {t('stored')}:{' '}
          {t('stored_text', numberOf(activities), numberOf(items), numberOf(questions), numberOf(features))}
        </Text>
      )}
      {changes && <ChangesView changes={changes} />}
      {unchanged !== undefined && unchanged > 0 && <Text>{t('unchanged', numberOf(unchanged))}</Text>}
      {skipped && skipped.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('skipped', numberOf(skipped.length))}
          </Title>
          <Table.ScrollContainer minWidth={420} mah={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-label={t('skipped', numberOf(skipped.length))} withTableBorder>
              <Heads of={[t('kind'), t('reference'), t('why')]} />
              <Table.Tbody>
                {skipped.slice(0, MAX_ROWS).map(({ type, reference, why }) => (
                  <Table.Tr key={`${type} ${reference}`}>
                    <Table.Td>{t(`kind_${type}`)}</Table.Td>
                    <Table.Td className="wrap">{reference}</Table.Td>
                    <Table.Td>{why}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {skipped.length > MAX_ROWS && <Text size="sm">{t('many_results')}</Text>}
        </>
      )}
    </>
  );
}

/** The numbers of records that were added, changed and removed, and their references. */
export function ChangesView({ changes }: { changes: PoolChanges }) {
  const t = usePoolTexts();
  const { records, records_left_off: more } = changes;
  return (
    <>
      <Table aria-label={t('changes')} withTableBorder>
        <Heads of={[t('changes'), t('change_counts')]} />
        <Table.Tbody>
          {CHANGES.map((change) => {
            const { activities, items, questions, features } = changes[change];
            return (
              <Table.Tr key={change}>
                <Table.Td>{t(change)}</Table.Td>
                <Table.Td>
                  {t('stored_text', numberOf(activities), numberOf(items), numberOf(questions), numberOf(features))}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {records.length > 0 && (
        <Table.ScrollContainer minWidth={260} mah={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label={t('changed_records')} withTableBorder>
            <Heads of={[t('changes'), t('kind'), t('reference')]} />
            <Table.Tbody>
              {records.map(({ change, type, reference }) => (
                <Table.Tr key={`${change} ${type} ${reference}`}>
                  <Table.Td>{t(change)}</Table.Td>
                  <Table.Td>{t(KIND[type])}</Table.Td>
                  <Table.Td className="wrap">{reference}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {more > 0 && <Text size="sm">{t('more_changes', numberOf(more))}</Text>}
    </>
  );
}
