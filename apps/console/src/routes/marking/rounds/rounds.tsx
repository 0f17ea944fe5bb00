import { Group, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Output, readPages } from '../../../operations/call';
import { useMay } from '../../../session/session';
import { dateOf } from '../../../texts/texts';
import { AddButton } from '../../../ui/add-button';
import { type Column, RowLink } from '../../../ui/data-table';
import { Dialog } from '../../../ui/dialog';
import { useAddress } from '../../../ui/use-address';
import { PagedTable } from '../../../ui/paged-table';
import { CreateRound } from './create-round';
import { useRoundTexts } from './texts';
import { inPath } from '../../../ui/in-path';

export type Round = Output<'get sessions/marking/rounds'>[number];

/** The interval in which the page reads rounds again while a job collects answers. */
const INTERVAL_MS = 1_000;

/** The marking rounds, newest first. */
export function Rounds() {
  const t = useRoundTexts();
  const mayCreate = useMay()('set sessions/marking/rounds');
  const { get, set } = useAddress();
  const rounds = useInfiniteQuery({
    ...readPages('get sessions/marking/rounds', {}),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(({ status }) => status === 'collecting')) ? INTERVAL_MS : false,
  });
  const columns: Column<Round>[] = [
    {
      key: 'name',
      title: t('name'),
      render: ({ reference, name }) => <RowLink to={`/marking/${inPath(reference)}`}>{name}</RowLink>,
    },
    { key: 'question', title: t('question'), render: ({ question }) => question },
    { key: 'state', title: t('state'), width: 140, render: ({ status }) => t(status) },
    {
      key: 'progress',
      title: t('progress'),
      width: 170,
      render: ({ progress: { settled, answers } }) => t('settled_of', settled ?? 0, answers ?? 0),
    },
    { key: 'created', title: t('created_at'), width: 190, render: ({ dt_created: at }) => dateOf(at) },
  ];
  return (
    <Stack>
      {mayCreate && (
        <Group>
          <AddButton onClick={() => set({ create: 'yes' })}>{t('new_round')}</AddButton>
        </Group>
      )}
      <PagedTable
        label={t('rounds')}
        columns={columns}
        query={rounds}
        keyOf={({ reference }) => reference}
        none={t('none')}
        help={t('none_help')}
      />
      <Dialog
        title={t('new_round')}
        isOpen={mayCreate && get('create') === 'yes'}
        close={() => set({ create: undefined })}
      >
        <CreateRound />
      </Dialog>
    </Stack>
  );
}
