import { Alert, Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../../operations/call';
import type { Import } from '../../operations/operations';
import { useMay } from '../../session/session';
import { dateOf, numberOf } from '../../texts/texts';
import { JobProgress } from '../../ui/job-progress';
import { Loaded } from '../../ui/loaded';
import { knownCode, useCodeTexts } from './codes';
import { ApplyButton } from './apply-button';
import { Outcome } from './outcome';
import { ImportBadge, isMoving, PACE_MS } from './past-imports';
import { PlanAgain } from './plan-again';
import { RESULTS } from './plan-file';
import { PlanTable } from './plan-table';
import { useImportTexts } from './texts';
import { FORMATS } from './upload';
import { ServiceText } from '../../ui/service-text';

/** The formats that have a name. People cannot choose the last two. */
const NAMED = [...FORMATS, 'qti-2.2', 'itembank'] as const;

/** An import from its plan to its end. */
export function ImportView({ reference }: { reference: string }) {
  const t = useImportTexts();
  const query = useQuery({
    ...read('get itembank/imports', { references: [reference] }),
    refetchInterval: ({ state: { data } }) => (isMoving(data?.data[0]?.status) ? PACE_MS : false),
  });
  return (
    <Stack>
      <Anchor renderRoot={(props) => <Link to="/imports" {...props} />}>← {t('all_imports')}</Anchor>
      <Loaded query={query}>
        {({ data: [found] }) => (found ? <Shown found={found} /> : <Text>{t('not_found')}</Text>)}
      </Loaded>
    </Stack>
  );
}

function Shown({ found }: { found: Import }) {
  const t = useImportTexts();
  const may = useMay();
  const { reference, status, name, format, on_collision: rule, plan_file: file, plan } = found;
  const named = NAMED.find((each) => each === format);
  // An import of the command line has neither a plan nor an uploaded file.
  const mayBeAgain =
    (status === 'refused' || (file !== null && ['planned', 'halted', 'reverted'].includes(status))) &&
    may('set itembank/imports');
  return (
    <>
      <Group justify="space-between">
        <Title order={2} size="h3" className="wrap">
          {name}
        </Title>
        <ImportBadge of={found} />
      </Group>
      <Text size="sm" c="dimmed" className="wrap">
        {t('format')}: {named ? t(`format_${named}`) : (format ?? '–')} · {t('rule')}: {t(`rule_${rule}`)} ·{' '}
        {t('started')}: {dateOf(found.dt_created)}
      </Text>
      <Standing found={found} />
      {mayBeAgain && <PlanAgain found={found} />}
      {file && plan !== null && <PlanTable reference={reference} plan={plan} />}
      {file && plan === null && status === 'refused' && <PlanTable reference={reference} plan="refused" />}
    </>
  );
}

/** Shows the state of the import and the possible next steps. */
function Standing({ found }: { found: Import }) {
  const t = useImportTexts();
  const codes = useCodeTexts();
  const { status, job_reference: job, error } = found;
  switch (status) {
    case 'planning':
    case 'applying':
    case 'reverting':
      return <JobProgress reference={job} label={t(status)} />;
    case 'refused':
      return (
        <Alert color="red" role="alert" title={t('status_refused')}>
          <Text>{codes(knownCode(error?.code))}</Text>
          <Text size="sm" className="wrap">
            <ServiceText>{error?.message}</ServiceText>
          </Text>
          {error?.at && error.at !== found.name && (
            <Text size="sm" className="wrap">
              {t('place')}: {error.at}
            </Text>
          )}
        </Alert>
      );
    case 'planned': {
      const { created = 0, replaced = 0 } = found.totals ?? {};
      return (
        <Alert variant="default" title={t(created + replaced === 0 ? 'planned_nothing' : 'planned_title')}>
          <Totals found={found} />
          {created + replaced > 0 && <ApplyButton found={found} />}
        </Alert>
      );
    }
    default:
      return (
        <Outcome found={found}>
          <Totals found={found} />
        </Outcome>
      );
  }
}

function Totals({ found: { totals } }: { found: Import }) {
  const t = useImportTexts();
  if (!totals) return null;
  const { lost = 0, approximated = 0, kept_aside: kept = 0 } = totals.notes ?? {};
  return (
    <Stack gap={4} my="xs">
      <Group gap="lg" component="ul" p={0} m={0} style={{ listStyle: 'none', rowGap: 4 }}>
        {RESULTS.map((result) => (
          <li key={result}>
            <Text component="span" fw={700} size="xl">
              {numberOf(totals[result] ?? 0)}
            </Text>{' '}
            {t(`result_${result}_help`)}
          </li>
        ))}
      </Group>
      <Text size="sm">{t('notes_summary', numberOf(lost), numberOf(approximated), numberOf(kept))}</Text>
    </Stack>
  );
}
