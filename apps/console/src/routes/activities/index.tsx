import { Box, Button, Group, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Input, readPages } from '../../operations/call';
import type { Activity } from '../../operations/operations';
import { useMay } from '../../session/session';
import { momentOf } from '../../texts/days';
import { dateOf, numberOf } from '../../texts/texts';
import { type Column, RowLink } from '../../ui/data-table';
import { fieldOf } from '../../ui/field-of';
import { Page } from '../../ui/page';
import { tagOf, TagsField, tagTexts } from '../../ui/tags-field';
import { useAddress } from '../../ui/use-address';
import { PagedTable } from '../../ui/paged-table';
import { CreateActivity } from './create';
import { allItems, STATUSES } from './model';
import { namesIn } from './names';
import { useActivityTexts } from './texts';
import { inPath } from '../../ui/in-path';
import { authorName } from '../../texts/author-name';

type Address = ReturnType<typeof useAddress>;

/** Filters that take effect with the button. The others take effect at once. */
const TYPED = ['references', 'item', 'from', 'to'] as const;
const FILTERS = [...TYPED, 'tags', 'status', 'sort'] as const;

/** The filters of the address, as parameters of the operation. */
function inputOf({ get, list }: Address): Input<'get itembank/activities'> {
  const status = STATUSES.find((each) => each === get('status'));
  const tags = list('tags').map(tagOf);
  const references = namesIn(get('references'));
  const items = namesIn(get('item'));
  return {
    limit: 50,
    sort_field: get('sort') === 'created' ? 'created' : 'updated',
    populate_userdata: true,
    include: { activities: ['title', 'dt_created', 'dt_updated', 'created_by', 'last_updated_by'] },
    status: get('status') === 'all' ? [...STATUSES] : status ? [status] : ['published', 'unpublished'],
    ...(references.length > 0 ? { references } : {}),
    ...(items.length > 0 ? { item_references: { all: items } } : {}),
    ...(tags.length > 0 ? { advanced_tags: { all: tags } } : {}),
    mintime: momentOf(get('from'), 'first'),
    maxtime: momentOf(get('to'), 'last'),
  };
}

/** The activities of the bank. */
export default function ActivitiesScreen() {
  const t = useActivityTexts();
  const may = useMay();
  const address = useAddress();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const pages = useInfiniteQuery(readPages('get itembank/activities', inputOf(address)));
  const isFiltered = FILTERS.some((name) => name !== 'sort' && address.list(name).length > 0);
  const to = (reference: string) => `/activities/${inPath(reference)}`;
  const columns: Column<Activity>[] = [
    {
      key: 'title',
      title: t('activity'),
      width: 280,
      render: ({ reference, title }) => <RowLink to={to(reference)}>{title ?? reference}</RowLink>,
    },
    { key: 'reference', title: t('reference'), width: 200, render: ({ reference }) => reference },
    { key: 'status', title: t('status'), width: 150, render: ({ status }) => t(status) },
    { key: 'items', title: t('items'), width: 90, render: ({ data }) => numberOf(allItems(data).length) },
    { key: 'tags', title: t('tags'), width: 180, render: ({ tags }) => tagTexts(tags).join(', ') || '–' },
    {
      key: 'author',
      title: t('author'),
      width: 150,
      render: ({ last_updated_by: by = '–' }) => (typeof by === 'string' ? by : authorName(by)),
    },
    { key: 'updated', title: t('updated'), width: 190, render: ({ dt_updated: time }) => dateOf(time) },
  ];
  return (
    <Page
      title={t('activities')}
      actions={may('set itembank/activities') && <Button onClick={() => setCreating(true)}>{t('create')}</Button>}
    >
      <Filters key={TYPED.map((name) => address.get(name)).join('\n')} address={address} isFiltered={isFiltered} />
      <PagedTable
        label={t('activities')}
        columns={columns}
        query={pages}
        keyOf={({ reference }) => reference}
        open={({ reference }) => void navigate({ to: to(reference) })}
        none={t(isFiltered ? 'none_found' : 'none')}
        help={t(isFiltered ? 'none_found_help' : 'none_help')}
      />
      {isCreating && <CreateActivity close={() => setCreating(false)} />}
    </Page>
  );
}

function Filters({ address, isFiltered }: { address: Address; isFiltered: boolean }) {
  const t = useActivityTexts();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    address.set(Object.fromEntries(TYPED.map((name) => [name, fieldOf(form, name)])));
  };
  const statuses = [
    { value: '', label: t('status_any') },
    ...STATUSES.map((value) => ({ value, label: t(value) })),
    { value: 'all', label: t('status_all') },
  ];
  return (
    <form onSubmit={submit} role="search" aria-label={t('filters')}>
      <Group align="flex-end" gap="xs">
        <TextInput
          name="references"
          label={t('references')}
          defaultValue={address.get('references')}
          w={{ base: '100%', xs: 200 }}
        />
        <TextInput
          name="item"
          label={t('holds_item')}
          defaultValue={address.get('item')}
          w={{ base: '100%', xs: 180 }}
        />
        <Box w={{ base: '100%', xs: 260 }}>
          <TagsField label={t('tags')} value={address.list('tags')} change={(tags) => address.set({ tags })} />
        </Box>
        <Select
          label={t('status')}
          data={statuses}
          value={address.get('status')}
          onChange={(status) => address.set({ status: status ?? '' })}
          allowDeselect={false}
          w={{ base: '100%', xs: 260 }}
        />
        <Select
          label={t('time_of')}
          data={[
            { value: '', label: t('time_updated') },
            { value: 'created', label: t('time_created') },
          ]}
          value={address.get('sort')}
          onChange={(sort) => address.set({ sort: sort ?? '' })}
          allowDeselect={false}
          w={{ base: '100%', xs: 180 }}
        />
        <TextInput name="from" type="date" label={t('from')} defaultValue={address.get('from')} />
        <TextInput name="to" type="date" label={t('to')} defaultValue={address.get('to')} />
        <Button type="submit" variant="default">
          {t('filter')}
        </Button>
        {isFiltered && (
          <Button variant="subtle" onClick={() => address.set(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>
            {t('clear')}
          </Button>
        )}
      </Group>
    </form>
  );
}
