import { Alert, Button, Group, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useWorkplace } from '../../session/session';
import { numberOf, useLanguage } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { Page } from '../../ui/page';
import { Scrolled } from '../../ui/scrolled';
import { nameIn } from './names';
import { sentenceIn } from './sentences';
import { useVerificationTexts } from './texts';
import { MAX_SHOWN, type Run, useVerification } from './use-verification';

/** Checks the stored data of the organisation. */
export default function Screen() {
  const { organisation } = useWorkplace();
  return <OfOrganisation key={organisation.id} id={organisation.id} />;
}

function OfOrganisation({ id }: { id: number }) {
  const t = useVerificationTexts();
  const { run, start, stop } = useVerification(id);
  const isRunning = run?.state === 'running';
  return (
    <Page title={t('title')}>
      <Text maw={720}>{t('about')}</Text>
      <Group>
        {isRunning ? (
          <Button variant="default" onClick={stop}>
            {t('stop')}
          </Button>
        ) : (
          <Button onClick={start}>{t('start')}</Button>
        )}
        {isRunning && (
          <Text size="sm" c="dimmed">
            {t('leave')}
          </Text>
        )}
      </Group>
      {run && <Shown run={run} />}
    </Page>
  );
}

function Shown({ run }: { run: Run }) {
  const t = useVerificationTexts();
  const language = useLanguage();
  return (
    <Stack>
      {run.state === 'running' && <Progress value={100} animated aria-label={t('title')} />}
      <Outcome run={run} />
      {run.findings.length > 0 && (
        <section>
          <Title order={2} size="h4" mb="xs">
            {t('findings')}
          </Title>
          {run.found > MAX_SHOWN && <Text size="sm">{t('first', MAX_SHOWN)}</Text>}
          <Scrolled label={t('findings')} heads={[t('kind'), t('reference'), t('is'), t('expected')]}>
            {run.findings.map(({ kind, reference, found, expected }, index) => (
              <Table.Tr key={index}>
                <Table.Td>{nameIn(language, kind)}</Table.Td>
                <Table.Td className="wrap">{reference}</Table.Td>
                <Table.Td className="wrap" miw={200}>
                  {sentenceIn(language, found)}
                </Table.Td>
                <Table.Td className="wrap" miw={200}>
                  {sentenceIn(language, expected)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Scrolled>
          <Text size="sm" mt="xs">
            {t('help')}
          </Text>
        </section>
      )}
      <section>
        <Title order={2} size="h4" mb="xs">
          {t('checks')}
        </Title>
        <Scrolled label={t('checks')} heads={[t('check'), t('rows')]}>
          {Object.entries(run.checks).map(([check, rows]) => (
            <Table.Tr key={check}>
              <Table.Td>{nameIn(language, check)}</Table.Td>
              <Table.Td>{numberOf(rows)}</Table.Td>
            </Table.Tr>
          ))}
        </Scrolled>
      </section>
    </Stack>
  );
}

function Outcome({ run: { state, current, found, rows, fault } }: { run: Run }) {
  const t = useVerificationTexts();
  const language = useLanguage();
  if (state === 'failed') return <FaultAlert fault={fault} />;
  if (state === 'running') return <Text role="status">{t('checking', nameIn(language, current))}</Text>;
  if (state === 'ended')
    return (
      <Alert color={found === 0 ? 'green' : 'red'} role="status">
        {found === 0 ? t('clean', numberOf(rows)) : t('found', numberOf(found), numberOf(rows))}
      </Alert>
    );
  return (
    <Alert color="yellow" role="alert">
      {t(state)}
    </Alert>
  );
}
