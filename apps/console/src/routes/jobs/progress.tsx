import { Progress, Stack, Text } from '@mantine/core';
import { numberOf } from '../../texts/texts';
import type { Job } from './jobs';
import { useJobTexts } from './texts';

/** How far a job is, in numbers and, where the total is known, as a bar. */
export function JobProgress({ job: { progress, status } }: { job: Job }) {
  const t = useJobTexts();
  const { done = 0, total } = progress;
  if (total === null || total === undefined)
    return (
      <Text size="sm" span>
        {done > 0 ? numberOf(done) : '–'}
      </Text>
    );
  const text = t('progress_of', numberOf(done), numberOf(total));
  return (
    <Stack gap={2}>
      <Text size="sm" span>
        {text}
      </Text>
      {status === 'running' && (
        <Progress value={total === 0 ? 100 : (done / total) * 100} size="sm" aria-label={`${t('progress')}: ${text}`} />
      )}
    </Stack>
  );
}
