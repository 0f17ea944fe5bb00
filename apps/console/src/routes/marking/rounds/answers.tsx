import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Output, readPages } from '../../../operations/call';
import { authorName } from '../../../texts/author-name';
import { numberOf } from '../../../texts/texts';
import { type Column, RowLink } from '../../../ui/data-table';
import { PagedTable } from '../../../ui/paged-table';
import { useRoundTexts } from './texts';
import { inPath } from '../../../ui/in-path';

type Answer = Output<'get sessions/marking/marks'>[number];
type Stage = 'first' | 'second' | 'third' | 'settled';

/** The answers of a round, with their marks and the resulting scores. */
export function Answers({ round, stages, none }: { round: string; stages?: Stage[]; none: string }) {
  const t = useRoundTexts();
  const answers = useInfiniteQuery({
    ...readPages('get sessions/marking/marks', { round, ...(stages ? { stages } : {}) }),
    staleTime: 0,
  });
  const columns: Column<Answer>[] = [
    {
      key: 'session',
      title: t('session'),
      render: ({ session_id: session }) => <RowLink to={`/sessions/${inPath(session)}`}>{session}</RowLink>,
    },
    { key: 'stage', title: t('stage'), width: 220, render: ({ stage }) => t(stage) },
    {
      key: 'marks',
      title: t('marks'),
      render: ({ marks }) => {
        const text = marks.map((mark) => `${t('mark_by', numberOf(mark.score), authorName(mark.author))}${said(mark)}`);
        return <span title={text.join('\n')}>{text.join('; ')}</span>;
      },
    },
    {
      key: 'score',
      title: t('score'),
      width: 100,
      render: ({ score }) => (typeof score === 'number' ? numberOf(score) : '–'),
    },
  ];
  return (
    <Stack>
      <PagedTable
        label={t('results')}
        columns={columns}
        query={answers}
        keyOf={({ reference }) => reference}
        none={none}
      />
    </Stack>
  );
}

const said = ({ comment }: Answer['marks'][number]): string => (comment ? ` (${comment})` : '');
