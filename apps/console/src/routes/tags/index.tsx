import { Anchor, Divider, Grid, NavLink, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read, readPages } from '../../operations/call';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { AddButton } from '../../ui/add-button';
import { type Column, RowLink } from '../../ui/data-table';
import { DelayedText } from '../../ui/delayed-text';
import { Dialog } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { PagedTable, rowsOf } from '../../ui/paged-table';
import { ChangesLink } from '../audit/changes-link';
import { Hierarchies } from './hierarchies';
import { ItemsLink } from './items-link';
import { RenameForm } from './rename-form';
import { type Tag, TagForm } from './tag-form';
import { useTagTexts } from './texts';

/** The maximum length of a name. */
const MAX_LENGTH = 255;

/**
 * Tags by type. The address says which type is shown (`type`), what its tags contain (`text`), and which tag is changed
 * (`tag`).
 */
export default function Screen() {
  const t = useTagTexts();
  const may = useMay();
  const address = useAddress();
  const type = address.get('type');
  const mayCreate = may('set itembank/tagging/tags');
  const types = useQuery(read('get itembank/tags', {}));
  const close = () => address.set({ create: undefined });
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ChangesLink subject="tag" />
          {mayCreate && <AddButton onClick={() => address.set({ create: 'yes' })}>{t('create')}</AddButton>}
        </>
      }
    >
      <Loaded query={types}>
        {({ data }) =>
          Object.keys(data).length === 0 ? (
            <Empty title={t('no_tags')} help={t('no_tags_help')} />
          ) : (
            <Grid>
              <Grid.Col span={{ base: 12, md: 3 }}>
                <Types counts={Object.entries(data).map(([name, { length }]) => [name, length])} chosen={type} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 9 }}>
                {type === '' ? <Text c="dimmed">{t('choose')}</Text> : <TagsOfType key={type} type={type} />}
              </Grid.Col>
            </Grid>
          )
        }
      </Loaded>
      <Divider />
      <Hierarchies />
      <Dialog title={t('create')} isOpen={mayCreate && address.get('create') !== ''} close={close}>
        <TagForm type={type} cancel={close} done={(made) => address.set({ create: undefined, type: made })} />
      </Dialog>
    </Page>
  );
}

function Types({ counts, chosen }: { counts: [name: string, count: number][]; chosen: string }) {
  const t = useTagTexts();
  const sorted = counts.sort(([one], [other]) => one.localeCompare(other));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('types')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('types_help')}
      </Text>
      <nav aria-label={t('types')}>
        {sorted.map(([name, count]) => (
          <NavLink
            key={name}
            renderRoot={(props) => <Link to="." search={{ type: name } as never} {...props} />}
            label={`${name} – ${t('count', numberOf(count))}`}
            active={name === chosen}
            styles={{ label: { overflowWrap: 'anywhere' } }}
          />
        ))}
      </nav>
    </Stack>
  );
}

function TagsOfType({ type }: { type: string }) {
  const t = useTagTexts();
  const may = useMay();
  const address = useAddress();
  const text = address.get('text').slice(0, MAX_LENGTH);
  const pages = useInfiniteQuery(
    readPages('get itembank/tagging/tags', {
      types: [type],
      sort_field: 'sort_key',
      sort: 'asc',
      limit: 50,
      ...(text === '' ? {} : { name_contains: text }),
      include: { tags: ['revision', 'uses'] },
    }),
  );
  const rows = rowsOf(pages);
  const name = address.get('tag');
  const renamed = address.get('rename');
  // The list may not have reached the tags of the address.
  const wanted = [name, renamed].filter((each) => each !== '');
  const named = useQuery({
    ...read('get itembank/tagging/tags', { types: [type], names: wanted, include: { tags: ['revision', 'uses'] } }),
    enabled: wanted.length > 0,
  });
  const known = [...rows, ...(named.data?.data ?? [])];
  const opened = known.find((tag) => tag.name === name);
  const renamedTag = known.find((tag) => tag.name === renamed);
  const mayChange = may('set itembank/tagging/tags');
  const mayRename = may('update itembank/tagging/tags');
  const close = () => address.set({ tag: undefined });
  return (
    <Stack>
      <Title order={2} size="h4" className="wrap">
        {t('tags_of', type)}
      </Title>
      <DelayedText
        type="search"
        label={t('search')}
        value={text}
        change={(typed) => address.set({ text: typed }, true)}
        maw={420}
        maxLength={MAX_LENGTH}
      />
      <PagedTable
        label={t('tags_of', type)}
        columns={columnsOf(t, mayChange, mayRename)}
        query={pages}
        keyOf={(tag) => tag.name}
        open={mayChange ? (tag) => address.set({ tag: tag.name }) : undefined}
        none={text === '' ? t('no_tags_here') : t('none_with', text)}
        help={text === '' ? undefined : t('none_with_help')}
      />
      <Dialog title={t('edit', name)} isOpen={mayChange && opened !== undefined} close={close}>
        {opened && <TagForm key={opened.name} tag={opened} type={type} cancel={close} done={close} />}
      </Dialog>
      <Dialog
        title={t('rename_tag', renamed)}
        isOpen={mayRename && renamed !== ''}
        close={() => address.set({ rename: undefined })}
      >
        <RenameForm
          key={renamed}
          tag={renamedTag ?? { type, name: renamed }}
          close={() => address.set({ rename: undefined })}
        />
      </Dialog>
    </Stack>
  );
}

const columnsOf = (t: ReturnType<typeof useTagTexts>, mayChange: boolean, mayRename: boolean): Column<Tag>[] => [
  {
    key: 'name',
    title: t('name'),
    width: 200,
    render: ({ name }) => (mayChange ? <RowLink search={{ tag: name }}>{name}</RowLink> : name),
  },
  { key: 'description', title: t('description'), width: 240, render: ({ description }) => description ?? '' },
  { key: 'sort_key', title: t('sort_key'), width: 150, render: ({ sort_key: key }) => numberOf(key) },
  {
    key: 'used_by',
    title: t('used_by'),
    width: 190,
    render: ({ type, name, uses }) => (
      <>
        <ItemsLink type={type} name={name} count={uses?.items} />
        {uses && (
          <Text size="xs" c="dimmed">
            {t('uses', numberOf(uses.activities), numberOf(uses.pools))}
          </Text>
        )}
      </>
    ),
  },
  ...(mayRename
    ? [
        {
          key: 'rename',
          title: t('rename_title'),
          width: 150,
          render: ({ name }: Tag) => (
            <Anchor
              component={Link}
              to="."
              search={((before: object) => ({ ...before, rename: name })) as never}
              size="sm"
              aria-label={t('rename_tag', name)}
            >
              {t('rename_or_merge')}
            </Anchor>
          ),
        },
      ]
    : []),
];
