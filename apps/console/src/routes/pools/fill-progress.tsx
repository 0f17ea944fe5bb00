import { Alert, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keyOf } from '../../operations/call';
import type { Job } from '../../operations/operations';
import { numberOf } from '../../texts/texts';
import { Loaded } from '../../ui/loaded';
import { hasEnded, useJob } from '../../ui/use-job';
import { usePoolTexts } from './texts';

/** What a fill did, as its job tells. A long result is a file instead. */
interface FillResults {
  stored: { activities: number; items: number; questions: number; features: number };
  unchanged: number;
  skipped: { type: 'item' | 'activity'; reference: string; why: string }[];
}

/** Rows of what was left out that are shown. */
const SHOWN = 200;

/** How far a fill has come, and what it did. */
export function FillProgress({ job: reference }: { job: string }) {
  const t = usePoolTexts();
  const queries = useQueryClient();
  const query = useJob(reference);
  const isOver = hasEnded(query.data);
  useEffect(() => {
    if (!isOver) return;
    for (const name of ['get itembank/pools', 'get itembank/items', 'get itembank/activities'] as const)
      void queries.invalidateQueries({ queryKey: keyOf(name) });
  }, [isOver, queries]);
  return (
    <Stack gap="xs" component="section" aria-label={t('fill_progress')} maw={760}>
      <Title order={2} size="h4">
        {t('fill_progress')}
      </Title>
      {query.isSuccess && !query.data ? (
        <Text>{t('no_job')}</Text>
      ) : (
        <Loaded query={query}>{(job) => job && <State job={job} />}</Loaded>
      )}
    </Stack>
  );
}

function State({ job }: { job: Job }) {
  const t = usePoolTexts();
  const { done = 0, total } = job.progress ?? {};
  if (job.status === 'halted')
    return (
      <Alert color="red" role="alert" title={t('fill_halted')}>
        {job.error?.message}
      </Alert>
    );
  if (job.status === 'completed')
    return (
      <>
        <Text role="status">{t('filled')}</Text>
        <Results results={job.results} />
      </>
    );
  return (
    <>
      <Text role="status">{t(job.status === 'queued' ? 'queued' : 'filling')}</Text>
      <Progress value={total ? (100 * done) / total : 100} animated aria-label={t('fill_progress')} />
      {total ? <Text size="sm">{t('done_of', numberOf(done), numberOf(total))}</Text> : null}
    </>
  );
}

function Results({ results }: { results: unknown }) {
  const t = usePoolTexts();
  const { stored, unchanged, skipped } = (results ?? {}) as Partial<FillResults>;
  if (!stored) return <Text size="sm">{t('many_results')}</Text>;
  const { activities, items, questions, features } = stored;
  return (
    <>
      <Text>
        {t('stored')}:{' '}
        {t('stored_text', numberOf(activities), numberOf(items), numberOf(questions), numberOf(features))}
      </Text>
      {unchanged !== undefined && unchanged > 0 && <Text>{t('unchanged', numberOf(unchanged))}</Text>}
      {skipped && skipped.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('skipped', numberOf(skipped.length))}
          </Title>
          <Table.ScrollContainer minWidth={420} mah={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-label={t('skipped', numberOf(skipped.length))} withTableBorder>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('kind')}</Table.Th>
                  <Table.Th>{t('reference')}</Table.Th>
                  <Table.Th>{t('why')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {skipped.slice(0, SHOWN).map(({ type, reference, why }) => (
                  <Table.Tr key={`${type} ${reference}`}>
                    <Table.Td>{t(`kind_${type}`)}</Table.Td>
                    <Table.Td className="wrap">{reference}</Table.Td>
                    <Table.Td>{why}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {skipped.length > SHOWN && <Text size="sm">{t('many_results')}</Text>}
        </>
      )}
    </>
  );
}
