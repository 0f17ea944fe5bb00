import { Button, Code, Group, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Input, readPages } from '../../operations/call';
import type { Pool } from '../../operations/operations';
import { useMay } from '../../session/session';
import { dateOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { fieldOf } from '../../ui/field-of';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { PagedTable } from '../../ui/paged-table';
import { namesIn } from '../activities/names';
import { FillForm } from './fill-form';
import { STATUSES } from './model';
import { usePoolTexts } from './texts';
import { inPath } from '../../ui/in-path';

/** The pools of the bank. */
export default function PoolsScreen() {
  const t = usePoolTexts();
  const may = useMay();
  const navigate = useNavigate();
  const address = useAddress();
  const [isCreating, setCreating] = useState(false);
  const references = namesIn(address.get('references'));
  const status = STATUSES.find((each) => each === address.get('status'));
  const isFiltered = references.length > 0 || status !== undefined;
  const input: Input<'get itembank/pools'> = {
    limit: 50,
    sort_field: 'updated',
    ...(references.length > 0 ? { references } : {}),
    ...(status ? { status: [status] } : {}),
  };
  const pages = useInfiniteQuery(readPages('get itembank/pools', input));
  const to = (reference: string) => `/pools/${inPath(reference)}`;
  const columns: Column<Pool>[] = [
    {
      key: 'name',
      title: t('name'),
      width: 260,
      render: ({ reference, name }) => <RowLink to={to(reference)}>{name}</RowLink>,
    },
    { key: 'reference', title: t('reference'), width: 200, render: ({ reference }) => reference },
    { key: 'status', title: t('status'), width: 140, render: ({ status: each }) => t(each) },
    {
      key: 'hash',
      title: t('hash'),
      width: 180,
      render: ({ content_hash: hash }) => (hash ? <Code title={hash}>{hash.slice(0, 12)}…</Code> : t('no_hash')),
    },
    { key: 'updated', title: t('updated'), width: 190, render: ({ dt_updated: time }) => dateOf(time) },
  ];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    address.set({ references: fieldOf(event.currentTarget, 'references') });
  };
  return (
    <Page
      title={t('pools')}
      actions={may('set itembank/pools') && <Button onClick={() => setCreating(true)}>{t('create')}</Button>}
    >
      <form key={address.get('references')} onSubmit={submit} role="search" aria-label={t('filters')}>
        <Group align="flex-end" gap="xs">
          <TextInput name="references" label={t('references')} defaultValue={address.get('references')} w={240} />
          <Select
            label={t('status')}
            data={[{ value: '', label: t('any_status') }, ...STATUSES.map((value) => ({ value, label: t(value) }))]}
            value={status ?? ''}
            onChange={(value) => address.set({ status: value ?? '' })}
            allowDeselect={false}
            w={190}
          />
          <Button type="submit" variant="default">
            {t('filter')}
          </Button>
          {isFiltered && (
            <Button variant="subtle" onClick={() => address.set({ references: '', status: '' })}>
              {t('clear')}
            </Button>
          )}
        </Group>
      </form>
      <PagedTable
        label={t('pools')}
        columns={columns}
        query={pages}
        keyOf={({ reference }) => reference}
        open={({ reference }) => void navigate({ to: to(reference) })}
        none={t(isFiltered ? 'none_found' : 'none')}
        help={isFiltered ? undefined : t('none_help')}
      />
      <Dialog title={t('create')} isOpen={isCreating} close={() => setCreating(false)} size="xl">
        <FillForm
          started={({ pool_reference: reference, job_reference: job }) =>
            void navigate({ to: to(reference), search: { tab: 'fill', job } })
          }
        />
      </Dialog>
    </Page>
  );
}
