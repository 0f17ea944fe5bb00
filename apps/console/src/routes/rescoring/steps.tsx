import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../operations/call';
import { Ask } from '../../ui/dialog';
import { jobQuery, type Job, JobProgress } from '../../ui/job-progress';
import { toast } from '../../ui/toast';
import type { useAddress } from '../../ui/use-address';
import { isChanged, planOf, startJobs } from './plan';
import { PlanView } from './plan-view';
import { useRescoringTexts } from './texts';

type Address = ReturnType<typeof useAddress>;

/** The results of jobs once all of them are completed. */
function useCompleted(references: readonly string[]): Job[] | undefined {
  const jobs = useQueries({ queries: references.map((reference) => jobQuery(reference)) });
  const done = jobs.flatMap(({ data }) => (data?.status === 'completed' ? data : []));
  return references.length > 0 && done.length === references.length ? done : undefined;
}

/** The steps of a rescoring: dry run, plan, application, reversal. The address contains each step. */
export function Steps({ address }: { address: Address }) {
  const t = useRescoringTexts();
  const queries = useQueryClient();
  const [planned, applied, reverted] = [address.list('plan'), address.list('applied'), address.list('reverted')];
  const [asked, setAsked] = useState<'apply' | 'revert' | null>(null);
  const dryRun = useCompleted(planned);
  const application = useCompleted(applied);
  const plan = dryRun && planOf(dryRun);
  const done = application && planOf(application);
  const changes = plan?.sessions.filter(({ outcome }) => outcome === 'planned').length ?? 0;
  const written = done?.sessions.filter(({ outcome }) => outcome === 'applied').length ?? 0;

  /** Continues after the jobs that were started before. */
  async function run(step: 'applied' | 'reverted', all: readonly string[]) {
    const jobs = [...(step === 'applied' ? applied : reverted)];
    const hashes = all.slice(jobs.length);
    const requests = hashes.map((hash) => (step === 'applied' ? { plan: hash } : { revert: hash }));
    const keep = (job: string) => {
      jobs.push(job);
      address.set({ [step]: [...jobs] }, true);
    };
    await startJobs(requests, () => undefined, keep);
  }
  const told = (text: string) => {
    toast(text);
    for (const name of ['get sessions/scores', 'get sessions/responses', 'get sessions/statuses'] as const)
      void queries.invalidateQueries({ queryKey: keyOf(name) });
  };
  const progress = (references: readonly string[], key: 'planning' | 'applying' | 'reverting', end?: () => void) =>
    references.map((reference, index) => (
      <JobProgress
        key={reference}
        reference={reference}
        label={t(key, references.length > 1 ? index + 1 : '').trim()}
        done={end && index === references.length - 1 ? end : undefined}
      />
    ));

  return (
    <Stack>
      {progress(planned, 'planning')}
      {plan && <PlanView plan={plan} />}
      {plan && changes === 0 && <Alert color="blue">{t('nothing_to_apply')}</Alert>}
      {plan && changes > 0 && applied.length < plan.hashes.length && (
        <Group>
          <Button onClick={() => setAsked('apply')}>{t('apply_plan')}</Button>
        </Group>
      )}
      {progress(applied, 'applying', () => told(t('is_applied')))}
      {done && (
        <Group>
          <Text>
            {t('applied')}: {t('outcome_of', written, done.sessions.length)}
          </Text>
          {reverted.length < done.hashes.length && written > 0 && (
            <Button variant="default" onClick={() => setAsked('revert')}>
              {t('revert')}
            </Button>
          )}
        </Group>
      )}
      {progress(reverted, 'reverting', () => told(t('is_reverted')))}
      <Group>
        <Button
          variant="default"
          onClick={() => address.set({ plan: undefined, applied: undefined, reverted: undefined })}
        >
          {t('again')}
        </Button>
      </Group>
      <Ask
        title={t('ask_apply')}
        text={t('ask_apply_text', changes, plan?.sessions.filter(isChanged).length ?? 0)}
        action={t('apply')}
        isOpen={asked === 'apply'}
        close={() => setAsked(null)}
        work={() => run('applied', plan?.hashes ?? [])}
      />
      <Ask
        title={t('ask_revert')}
        text={t('ask_revert_text', written)}
        action={t('revert')}
        isOpen={asked === 'revert'}
        close={() => setAsked(null)}
        work={() => run('reverted', done?.hashes ?? [])}
      />
    </Stack>
  );
}
