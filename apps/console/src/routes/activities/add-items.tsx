import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Input, readPages } from '../../operations/call';
import type { Item } from '../../operations/operations';
import { numberOf } from '../../texts/texts';
import type { Column } from '../../ui/data-table';
import { Actions, Dialog } from '../../ui/dialog';
import { fieldOf } from '../../ui/field-of';
import { PagedTable, rowsOf } from '../../ui/paged-table';
import { tagOf, TagsField, tagTexts } from '../../ui/tags-field';
import { namesIn } from './names';
import { useActivityTexts } from './texts';

interface AddItemsProps {
  /** The items that the activity holds. An activity holds an item once. */
  known: readonly string[];
  add: (references: string[]) => void;
  close: () => void;
}

/** Finds items by their references or tags, to add some of them. */
export function AddItems({ known, add, close }: AddItemsProps) {
  const t = useActivityTexts();
  const [names, setNames] = useState<string[]>([]);
  const [tags, setTags] = useState<string[]>([]);
  const [chosen, setChosen] = useState<Set<string>>(new Set());
  const input: Input<'get itembank/items'> = {
    limit: 50,
    sort_field: 'updated',
    include: { items: ['max_score'] },
    ...(names.length > 0 ? { references: names } : {}),
    ...(tags.length > 0 ? { advanced_tags: { all: tags.map(tagOf) } } : {}),
  };
  const pages = useInfiniteQuery(readPages('get itembank/items', input));
  const found = rowsOf(pages);
  const held = new Set(known.map((name) => name.toLowerCase()));
  const rows = found.filter(({ reference }) => !held.has(reference.toLowerCase()));
  const asked = names.filter((name) => held.has(name.toLowerCase()));
  const unknown = names.filter(
    (name) => !found.some(({ reference }) => reference.toLowerCase() === name.toLowerCase()),
  );

  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setNames(namesIn(fieldOf(event.currentTarget, 'references')));
  };
  const columns: Column<Item>[] = [
    { key: 'reference', title: t('reference'), width: 220, render: ({ reference }) => reference },
    { key: 'title', title: t('title'), width: 220, render: ({ title }) => title ?? '–' },
    { key: 'status', title: t('status'), width: 120, render: ({ status }) => t(status) },
    {
      key: 'score',
      title: t('points_short'),
      width: 80,
      render: ({ max_score: n }) => (n === undefined ? '–' : numberOf(n)),
    },
    { key: 'tags', title: t('tags'), width: 200, render: ({ tags: each }) => tagTexts(each).join(', ') || '–' },
  ];
  return (
    <Dialog title={t('add_items')} isOpen close={close} size="xl">
      <Stack>
        <form onSubmit={search}>
          <Group align="flex-end" gap="xs">
            <TextInput
              name="references"
              label={t('references')}
              description={t('references_help')}
              style={{ flex: '1 1 240px' }}
              data-autofocus
            />
            <Button type="submit" variant="default">
              {t('find')}
            </Button>
          </Group>
        </form>
        <TagsField label={t('tags')} description={t('tags_help')} value={tags} change={setTags} />
        {asked.length > 0 && <Text size="sm">{t('held_already', asked.join(', '))}</Text>}
        {names.length > 0 && !pages.isLoading && !pages.hasNextPage && unknown.length > 0 && (
          <Text size="sm" role="alert">
            {t('not_found', unknown.join(', '))}
          </Text>
        )}
        <PagedTable
          label={t('found_items')}
          columns={columns}
          query={pages}
          rows={rows}
          keyOf={({ reference }) => reference}
          selected={chosen}
          select={setChosen}
          height={320}
          none={t('no_match')}
          help={t('no_match_help')}
        />
        <Actions cancel={close} disabled={chosen.size === 0} onClick={() => add([...chosen])}>
          {t('add_chosen', chosen.size)}
        </Actions>
      </Stack>
    </Dialog>
  );
}
