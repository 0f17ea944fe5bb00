import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useMay } from '../../session/session';
import { dateOf, numberOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { Page } from '../../ui/page';
import { PagedTable, rowsOf } from '../../ui/paged-table';
import { part } from '../../ui/part';
import { SidePanel } from '../../ui/side-panel';
import { useAddress } from '../../ui/use-address';
import { ChangeStatus } from './change-status';
import { filterOf, Filters, isFiltered } from './filters';
import { distinct, sessionPages, type SessionRow } from './sessions-query';
import { StatusBadge } from './status-badge';
import { useSessionsTexts } from './texts';
import { inPath } from '../../ui/in-path';
import { useAnswersTexts } from './answers-texts';

const BringIn = part(() => import('./bring-in'));

/** Finds sessions of learners by learner, activity and time. */
export default function SessionsScreen() {
  const t = useSessionsTexts();
  const answers = useAnswersTexts();
  const may = useMay();
  const navigate = useNavigate();
  const address = useAddress();
  const query = useInfiniteQuery(sessionPages(filterOf(address)));
  const rows = distinct(rowsOf(query));
  const [selected, setSelected] = useState<Set<string>>(new Set());
  const chosen = rows.filter(({ session_id }) => selected.has(session_id));
  const columns = useColumns();
  const mayChange = may('update jobs/sessions/statuses');
  const mayBringIn = may('set sessions');

  return (
    <Page
      title={t('title')}
      actions={
        <>
          {mayBringIn && (
            <Button variant="default" onClick={() => address.set({ answers: 'yes' })}>
              {answers('bring_in')}
            </Button>
          )}
          {chosen.length > 0 && <ChangeStatus sessions={chosen} />}
        </>
      }
    >
      <Filters address={address} />
      <PagedTable
        label={t('title')}
        columns={columns}
        query={query}
        rows={rows}
        keyOf={({ session_id }) => session_id}
        selected={mayChange ? selected : undefined}
        select={setSelected}
        open={({ session_id }) => void navigate({ to: pathOf(session_id) })}
        none={t(isFiltered(address) ? 'none' : 'none_yet')}
        help={t(isFiltered(address) ? 'none_help' : 'none_yet_help')}
      />
      <SidePanel
        title={answers('bring_in')}
        isOpen={mayBringIn && address.get('answers') !== ''}
        close={() => address.set({ answers: undefined })}
      >
        <Suspense>
          <BringIn />
        </Suspense>
      </SidePanel>
    </Page>
  );
}

const pathOf = (session: string): string => `/sessions/${inPath(session)}`;

function useColumns(): Column<SessionRow>[] {
  const t = useSessionsTexts();
  return [
    {
      key: 'learner',
      title: t('learner'),
      width: 200,
      render: ({ user_id, session_id }) => <RowLink to={pathOf(session_id)}>{user_id}</RowLink>,
    },
    {
      key: 'activity',
      title: t('activity'),
      width: 170,
      render: ({ activity_id }) => <span title={activity_id}>{activity_id}</span>,
    },
    { key: 'status', title: t('status'), width: 170, render: ({ status }) => <StatusBadge status={status} /> },
    { key: 'started', title: t('started'), width: 190, render: ({ dt_started }) => dateOf(dt_started) },
    { key: 'completed', title: t('completed'), width: 190, render: ({ dt_completed }) => dateOf(dt_completed) },
    {
      key: 'score',
      title: t('score'),
      width: 110,
      render: ({ score, max_score }) =>
        score === undefined || max_score === undefined ? (
          <Text span>–</Text>
        ) : (
          t('of', numberOf(score), numberOf(max_score))
        ),
    },
    {
      key: 'answered',
      title: t('answered'),
      width: 110,
      render: ({ num_attempted, num_questions }) => t('of', num_attempted, num_questions),
    },
  ];
}
