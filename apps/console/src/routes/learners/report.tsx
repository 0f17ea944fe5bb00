import { List, Table, Text, Title } from '@mantine/core';
import { numberOf } from '../../texts/texts';
import { CopyField } from '../../ui/copy-field';
import type { Report } from './learners';
import { useLearnerTexts } from './texts';

/** How much of each kind is stored, or was erased. */
export function Counts({ report, label }: { report: Report; label: string }) {
  const t = useLearnerTexts();
  const rows = [
    ['sessions_removed', report.sessions.removed],
    ['sessions_anonymised', report.sessions.anonymised],
    ['attempts', report.attempts],
    ['score_changes', report.score_changes],
    ['session_tags', report.session_tags],
    ['marks', report.marks],
    ['rescored_sessions', report.rescored_sessions],
    ['audit_entries', report.audit_entries],
    ['events_removed', report.events.removed],
    ['events_emptied', report.events.emptied],
    ['deliveries', report.events.deliveries],
    ['jobs_changed', report.jobs.changed],
    ['jobs_put_back', report.jobs.put_back],
    ['kept_answers', report.kept_answers],
    ['files', report.files.length],
  ] as const;
  return (
    <Table withTableBorder aria-label={label} maw={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('kind')}</Table.Th>
          <Table.Th ta="right">{t('count')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows
          .filter(([, count]) => count > 0)
          .map(([name, count]) => (
            <Table.Tr key={name}>
              <Table.Td>{t(name)}</Table.Td>
              <Table.Td ta="right">{numberOf(count)}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

/** The proof that the learner asked for. */
export function ErasureReport({ report }: { report: Report }) {
  const t = useLearnerTexts();
  return (
    <>
      <Counts report={report} label={t('report')} />
      {report.sessions_meanwhile > 0 && <Text fw={600}>{t('meanwhile', report.sessions_meanwhile)}</Text>}
      {report.is_author && <Text>{t('author')}</Text>}
      <CopyField label={t('hash')} value={report.learner_sha256} />
      <Title order={3} size="h5">
        {t('outside')}
      </Title>
      <List size="sm">
        <List.Item>{t('outside_events')}</List.Item>
        <List.Item>{t('outside_files')}</List.Item>
        <List.Item>{t('outside_logs')}</List.Item>
      </List>
    </>
  );
}
