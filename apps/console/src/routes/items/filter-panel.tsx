import {
  Button,
  Checkbox,
  Collapse,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { read } from '../../operations/call';
import { type BankSearch, isFiltered, SORTS, STATUSES } from './filters';
import { useItemTexts } from './texts';

interface FilterPanelProps {
  search: BankSearch;
  change: (changes: Partial<BankSearch>) => void;
}

const QUESTION_TYPES = [
  'mcq',
  'choicematrix',
  'clozetext',
  'clozedropdown',
  'clozeassociation',
  'association',
  'classification',
  'orderlist',
  'sortlist',
  'shorttext',
  'longtextV2',
  'plaintext',
  'formulaV2',
  'hotspot',
  'numberline',
  'tokenhighlight',
  'imageclozetext',
  'imageclozedropdown',
  'imageclozeassociationV2',
  'gridded',
  'simpleshading',
  'rating',
  'highlight',
  'fileupload',
];

/** The filters of the bank. Each stands in the address. */
export function FilterPanel({ search, change }: FilterPanelProps) {
  const t = useItemTexts();
  const more = useId();
  const [isOpen, disclosure] = useDisclosure(
    Boolean(
      search.workflow ?? search.author ?? search.from ?? search.to ?? search.sort ?? search.match ?? search.without,
    ),
  );
  const tags = useQuery(read('get itembank/tagging/tags', { limit: 1000 }));
  const known = tags.data?.data.map(({ type, name }) => `${type}:${name}`) ?? [];
  const none = (text: string) => (text === '' ? undefined : text);
  const some = <T,>(list: T[]) => (list.length === 0 ? undefined : list);

  return (
    <search>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs">
        <DelayedText label={t('text')} value={search.text ?? ''} change={(text) => change({ text: none(text) })} />
        <TagsInput
          label={t('tags')}
          placeholder={search.tags ? undefined : t('tags_help')}
          data={known}
          limit={50}
          value={search.tags ?? []}
          onChange={(list) => change({ tags: some(list.filter((tag) => tag.includes(':'))) })}
          clearable
        />
        <MultiSelect
          label={t('status')}
          placeholder={search.status ? undefined : t('any_status')}
          data={STATUSES.map((value) => ({ value, label: t(value) }))}
          value={search.status ?? []}
          onChange={(list) => change({ status: some(list) })}
        />
        <MultiSelect
          label={t('types')}
          data={QUESTION_TYPES}
          searchable
          value={search.types ?? []}
          onChange={(list) => change({ types: some(list) })}
        />
      </SimpleGrid>
      <Group mt="xs" gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-controls={more}
          onClick={disclosure.toggle}
        >
          {t('more_filters')}
        </Button>
        {isFiltered(search) && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() =>
              change({
                text: undefined,
                tags: undefined,
                match: undefined,
                without: undefined,
                status: undefined,
                types: undefined,
                workflow: undefined,
                state: undefined,
                author: undefined,
                from: undefined,
                to: undefined,
              })
            }
          >
            {t('clear')}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen} id={more}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs">
          <Select
            label={t('match')}
            data={[
              { value: 'all', label: t('match_all') },
              { value: 'any', label: t('match_any') },
            ]}
            value={search.match ?? 'all'}
            allowDeselect={false}
            onChange={(value) => change({ match: value === 'any' ? value : undefined })}
          />
          <TagsInput
            label={t('without')}
            description={search.tags ? undefined : t('without_help')}
            disabled={!search.tags}
            data={known}
            limit={50}
            value={search.without ?? []}
            onChange={(list) => change({ without: some(list.filter((tag) => tag.includes(':'))) })}
          />
          <DelayedText
            label={t('workflow')}
            value={search.workflow ?? ''}
            change={(text) => change({ workflow: none(text) })}
          />
          <DelayedText label={t('state')} value={search.state ?? ''} change={(text) => change({ state: none(text) })} />
          <DelayedText
            label={t('author')}
            value={search.author ?? ''}
            change={(text) => change({ author: none(text) })}
          />
          <TextInput
            type="date"
            label={t('from')}
            value={search.from ?? ''}
            onChange={(event) => change({ from: none(event.currentTarget.value) })}
          />
          <TextInput
            type="date"
            label={t('to')}
            value={search.to ?? ''}
            onChange={(event) => change({ to: none(event.currentTarget.value) })}
          />
          <Select
            label={t('sort')}
            data={SORTS.map((value) => ({ value, label: t(`sort_${value}`) }))}
            value={search.sort ?? 'updated'}
            disabled={search.text !== undefined}
            allowDeselect={false}
            onChange={(value) => change({ sort: SORTS.find((each) => each === value && each !== 'updated') })}
          />
          <Checkbox
            label={t('ascending')}
            checked={search.ascending ?? false}
            onChange={(event) => change({ ascending: event.currentTarget.checked || undefined })}
            mt={{ base: 0, xs: 30 }}
          />
        </SimpleGrid>
      </Collapse>
    </search>
  );
}

/** A text that takes effect shortly after typing ends. */
function DelayedText({ label, value, change }: { label: string; value: string; change: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  const send = useDebouncedCallback((text: string) => change(text.trim()), 300);
  // The address changed by other means, such as a link or a cleared filter.
  if (value !== given) {
    setGiven(value);
    if (value !== typed.trim()) setTyped(value);
  }
  return (
    <TextInput
      label={label}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
