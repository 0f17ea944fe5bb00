import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Fault } from '../../operations/fault';
import type { Import } from '../../operations/operations';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { jobQuery } from '../../ui/job-progress';
import { useTask } from '../../ui/use-task';
import { WhyNotReverted, RevertButton } from './revert-button';
import { useImportTexts } from './texts';
import { useBegin } from './use-begin';

/** The results of import jobs, in addition to the totals. */
interface Results {
  not_as_planned?: number;
  not_as_planned_entries?: { source: string; reference: string }[];
  restored?: number;
  archived?: number;
  kept?: number;
  changed?: number;
}

/** Why the job of an import was halted, or did not revert it. */
const reasonIn = ({ error }: Import) => (error ? new Fault(error.message ?? '', 409, 0) : null);

/** Shows the results of an applied or reverted import, or why its job was halted. */
export function Outcome({ found, children }: { found: Import; children: ReactNode }) {
  const t = useImportTexts();
  const { data: job } = useQuery(jobQuery(found.job_reference));
  const results = (job?.results ?? {}) as Results;
  if (found.status === 'halted') return <Halted found={found} type={job?.type} />;
  if (found.status === 'reverted') {
    const { restored = 0, archived = 0, kept = 0, changed = 0 } = results;
    return (
      <Alert variant="default" role="status" title={t('reverted_title')}>
        {job && t('reverted', ...[restored, archived, kept, changed].map((count) => numberOf(count)))}
      </Alert>
    );
  }
  const author = `import-${found.reference}`;
  return (
    <Alert variant="default" role="status" title={t(found.totals ? 'applied_title' : 'not_ended')}>
      <Stack gap="xs">
        {children}
        <WhyNotReverted fault={reasonIn(found)} />
        <NotAsPlanned results={results} />
        <Group>
          <Anchor renderRoot={(props) => <Link to="/items" search={{ author }} {...props} />}>
            {t('applied_items')}
          </Anchor>
          <RevertButton found={found} />
        </Group>
      </Stack>
    </Alert>
  );
}

/** Entries that somebody changed between the plan and its end. */
function NotAsPlanned({
  results: { not_as_planned: count = 0, not_as_planned_entries: named = [] },
}: {
  results: Results;
}) {
  const t = useImportTexts();
  if (count === 0) return null;
  return (
    <>
      <Text fw={600}>{t('not_as_planned', numberOf(count))}</Text>
      <List size="sm">
        {named.map(({ source, reference }) => (
          <List.Item key={source} className="wrap">
            {reference || source}
          </List.Item>
        ))}
        {named.length < count && <List.Item>{t('changed_more')}</List.Item>}
      </List>
    </>
  );
}

/** @param type of the job that was halted. */
function Halted({ found, type }: { found: Import; type: string | undefined }) {
  const t = useImportTexts();
  const may = useMay();
  const { apply, revert } = useBegin(found);
  const { run, isBusy, fault } = useTask();
  const isApplying = type === 'apply-import';
  const goOn = isApplying ? apply : revert;
  const mayGoOn =
    (isApplying && may('set itembank/imports/apply')) ||
    (type === 'revert-import' && may('set itembank/imports/revert'));
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('halted_title')}</Text>
      <WhyNotReverted fault={reasonIn(found)} />
      <FaultAlert fault={fault} />
      <Group>
        {mayGoOn && (
          <Button variant="default" loading={isBusy} onClick={() => void run(goOn)}>
            {t('go_on')}
          </Button>
        )}
        {isApplying && <RevertButton found={found} />}
      </Group>
    </Stack>
  );
}
