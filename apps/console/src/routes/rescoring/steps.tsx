import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../operations/call';
import { numberOf } from '../../texts/texts';
import { Ask } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import type { Job } from '../../operations/operations';
import { jobQuery, JobProgress } from '../../ui/job-progress';
import { toast } from '../../ui/toast';
import type { useAddress } from '../../ui/use-address';
import { type Plan, planOf, sizeOf, startJob } from './plan';
import { Left, PlanView } from './plan-view';
import { useRescoringTexts } from './texts';

type Address = ReturnType<typeof useAddress>;

/** The results of a job once it is completed. */
function useResults(reference: string): Plan | undefined {
  const { data: job } = useQuery({ ...jobQuery(reference), enabled: reference !== '' });
  return job?.status === 'completed' ? planOf(job) : undefined;
}

/** The steps of a rescoring: dry run, plan, application, reversal. The address names the job of each step. */
export function Steps({ address }: { address: Address }) {
  const t = useRescoringTexts();
  const queries = useQueryClient();
  const [planned, applied, reverted] = [address.get('plan'), address.get('applied'), address.get('reverted')];
  const [asked, setAsked] = useState<'apply' | 'revert' | null>(null);
  const plan = useResults(planned);
  const done = useResults(applied);
  const undone = useResults(reverted);
  const changes = plan?.planned ?? 0;
  const written = done?.applied ?? 0;
  const outcome = (of: Plan) =>
    of.reverted === undefined
      ? `${t('applied')}: ${t('outcome_of', numberOf(of.applied ?? 0), numberOf(sizeOf(of)))}`
      : `${t('reverted')}: ${t('outcome_of', numberOf(of.reverted), numberOf(of.reverted + (of.kept ?? 0)))}`;
  const told = (job: Job) => {
    toast(outcome(planOf(job)));
    for (const name of ['get sessions/scores', 'get sessions/responses', 'get sessions/statuses'] as const)
      void queries.invalidateQueries({ queryKey: keyOf(name) });
  };

  return (
    <Stack>
      <JobProgress reference={planned} label={t('planning')} />
      {plan && sizeOf(plan) === 0 && <Empty title={t('none')} help={t('none_help')} />}
      {plan && sizeOf(plan) > 0 && <PlanView plan={plan} />}
      {plan && sizeOf(plan) > 0 && changes === 0 && <Alert color="blue">{t('nothing_to_apply')}</Alert>}
      {plan && changes > 0 && applied === '' && (
        <Group>
          <Button onClick={() => setAsked('apply')}>{t('apply_plan')}</Button>
        </Group>
      )}
      {applied !== '' && <JobProgress reference={applied} label={t('applying')} done={told} />}
      {done && (
        <>
          <Group>
            <Text>{outcome(done)}</Text>
            {reverted === '' && written > 0 && (
              <Button variant="default" onClick={() => setAsked('revert')}>
                {t('revert')}
              </Button>
            )}
          </Group>
          <Left plan={done} />
        </>
      )}
      {reverted !== '' && <JobProgress reference={reverted} label={t('reverting')} done={told} />}
      {undone && (
        <>
          <Text>{outcome(undone)}</Text>
          <Left plan={undone} />
        </>
      )}
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
        text={t('ask_apply_text', numberOf(changes), numberOf(plan?.sessions_changed ?? 0))}
        action={t('apply')}
        isOpen={asked === 'apply'}
        close={() => setAsked(null)}
        work={async () => address.set({ applied: await startJob({ plan: plan!.plan }) }, true)}
      />
      <Ask
        title={t('ask_revert')}
        text={t('ask_revert_text', numberOf(written))}
        action={t('revert')}
        isOpen={asked === 'revert'}
        close={() => setAsked(null)}
        work={async () => address.set({ reverted: await startJob({ revert: done!.plan }) }, true)}
      />
    </Stack>
  );
}
