import {
  Autocomplete,
  Button,
  Checkbox,
  Collapse,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { DelayedText } from '../../ui/delayed-text';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useState } from 'react';
import { readAll } from '../../operations/call';
import { numberOf } from '../../texts/texts';
import { QUESTION_TYPES } from '../../texts/type-names';
import { useTypeNames } from '../../texts/use-type-names';
import { useBankTexts } from './bank-texts';
import { type Facets } from './facets';
import { type BankSearch, isFiltered, MEDIA, NO_FILTERS, sortingOf, sortsOf, STATUSES } from './filters';
import { useItemTexts } from './texts';
import { TagsField } from '../../ui/tags-field';
import { part } from '../../ui/part';

interface FilterPanelProps {
  search: BankSearch;
  /** The numbers beside the choices. */
  facets: Facets | undefined;
  change: (changes: Partial<BankSearch>) => void;
}

/** The filters that are behind a button. */
const MORE = [
  'workflow',
  'easiest',
  'hardest',
  'unused',
  'media',
  'author',
  'from',
  'to',
  'sort',
  'match',
  'without',
] as const;

const TagPicker = part(() => import('./tag-picker'));

/** A number, with a point or a comma. */
const numberIn = (text: string): number | undefined => {
  const number = Number(text.replace(',', '.'));
  return text === '' || !Number.isFinite(number) ? undefined : number;
};

/** The filters of the bank. Each stands in the address. */
export function FilterPanel({ search, facets, change }: FilterPanelProps) {
  const t = useItemTexts();
  const bank = useBankTexts();
  const typeName = useTypeNames();
  const more = useId();
  const [isOpen, disclosure] = useDisclosure(MORE.some((name) => search[name] !== undefined));
  const [isPicking, picking] = useDisclosure();
  // The key of the text fields, so that clearing replaces them. A slow page may skip the address that holds a text just typed,
  // and a field that stays would never see its value change.
  const [clearings, setClearings] = useState(0);
  const workflows = useQuery({ ...readAll('get itembank/workflows'), enabled: isOpen });
  const workflow = workflows.data?.find(({ reference }) => reference === search.workflow);
  /** A choice with the number of its items. */
  const counted = (value: string, label: string, count: number | undefined) => ({
    value,
    label: count === undefined ? label : bank('with_count', label, numberOf(count)),
  });
  const ofTags = new Map(facets?.tag?.map(({ type, name, count }) => [`${type}:${name}`, count]));
  const stateCount = (reference: string, state?: string) => {
    const all = facets?.workflow_state?.filter(
      (each) => each.workflow === reference && (state === undefined || each.state === state),
    );
    return all?.reduce((sum, { count }) => sum + count, 0);
  };
  const none = (text: string) => (text === '' ? undefined : text);
  const some = <T,>(list: T[]) => (list.length === 0 ? undefined : list);

  return (
    <search>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs">
        <DelayedText
          key={clearings}
          label={t('text')}
          value={search.text ?? ''}
          change={(text) => change({ text: none(text) })}
        />
        <TagsField
          label={t('tags')}
          placeholder={search.tags ? undefined : t('tags_help')}
          renderOption={({ option: { value } }) => counted(value, value, ofTags.get(value)).label}
          value={search.tags ?? []}
          change={(tags) => change({ tags: some(tags) })}
          clearable
        />
        <MultiSelect
          label={t('status')}
          placeholder={search.status ? undefined : t('any_status')}
          data={STATUSES.map((value) =>
            counted(value, t(value), facets?.status?.find((each) => each.value === value)?.count),
          )}
          value={search.status ?? []}
          onChange={(list) => change({ status: some(STATUSES.filter((each) => list.includes(each))) })}
        />
        <MultiSelect
          label={t('types')}
          data={[
            ...new Set([...Object.keys(QUESTION_TYPES), ...(facets?.question_type?.map(({ value }) => value) ?? [])]),
          ].map((value) =>
            counted(value, typeName(value), facets?.question_type?.find((each) => each.value === value)?.count),
          )}
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
        <Button variant="subtle" size="compact-sm" onClick={picking.open}>
          {bank('choose_tags')}
        </Button>
        {isPicking && (
          <Suspense>
            <TagPicker tags={search.tags ?? []} change={(list) => change({ tags: some(list) })} close={picking.close} />
          </Suspense>
        )}
        {isFiltered(search) && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              change(NO_FILTERS);
              setClearings(clearings + 1);
            }}
          >
            {t('clear')}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen} id={more}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs" style={{ alignItems: 'end' }}>
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
          <TagsField
            label={t('without')}
            description={search.tags ? undefined : t('without_help')}
            placeholder=""
            isDisabled={!search.tags || !isOpen}
            value={search.without ?? []}
            change={(tags) => change({ without: some(tags) })}
          />
          <Select
            label={t('workflow')}
            data={(workflows.data ?? []).map(({ reference }) => counted(reference, reference, stateCount(reference)))}
            value={search.workflow ?? null}
            clearable
            searchable
            onChange={(value) => change({ workflow: value ?? undefined, state: undefined })}
          />
          <Select
            label={t('state')}
            placeholder={bank('any_state')}
            disabled={!workflow}
            data={(workflow?.workflow_states ?? []).map(({ reference, label }) =>
              counted(reference, label, stateCount(workflow!.reference, reference)),
            )}
            value={search.state ?? null}
            clearable
            onChange={(value) => change({ state: value ?? undefined })}
          />
          <Autocomplete
            label={t('author')}
            data={facets?.author?.flatMap(({ value }) => value ?? []) ?? []}
            renderOption={({ option: { value } }) =>
              counted(value, value, facets?.author?.find((each) => each.value === value)?.count).label
            }
            defaultValue={search.author ?? ''}
            key={search.author ?? ''}
            onOptionSubmit={(value) => change({ author: none(value) })}
            onBlur={({ currentTarget }) => {
              const author = none(currentTarget.value.trim());
              if (author !== search.author) change({ author });
            }}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          />
          <MultiSelect
            label={bank('media')}
            placeholder={search.media ? undefined : bank('any_medium')}
            data={MEDIA.map((value) => ({ value, label: bank(value) }))}
            value={search.media ?? []}
            onChange={(list) => change({ media: some(list) })}
          />
          <DelayedText
            key={`easiest ${clearings}`}
            label={bank('easiest')}
            value={search.easiest === undefined ? '' : String(search.easiest)}
            change={(text) => change({ easiest: numberIn(text) })}
          />
          <DelayedText
            key={`hardest ${clearings}`}
            label={bank('hardest')}
            value={search.hardest === undefined ? '' : String(search.hardest)}
            change={(text) => change({ hardest: numberIn(text) })}
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
            data={sortsOf(search).map((value) => ({ value, label: t(`sort_${value}`) }))}
            value={sortingOf(search).sort_field}
            disabled={search.text !== undefined}
            allowDeselect={false}
            onChange={(value) => change({ sort: sortsOf(search).find((each, at) => at > 0 && each === value) })}
          />
          <Stack gap={6} pt={{ base: 0, xs: 20 }}>
            <Checkbox
              label={bank('unused')}
              checked={search.unused ?? false}
              onChange={(event) => change({ unused: event.currentTarget.checked || undefined })}
            />
            <Checkbox
              label={t('ascending')}
              checked={search.ascending ?? false}
              onChange={(event) => change({ ascending: event.currentTarget.checked || undefined })}
            />
          </Stack>
        </SimpleGrid>
      </Collapse>
    </search>
  );
}
