import { Button, Fieldset, Group, NativeSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { Input } from '../../operations/call';
import { momentOf } from '../../texts/days';
import type { useAddress } from '../../ui/use-address';
import { STATUSES, useSessionsTexts } from './texts';

type Address = ReturnType<typeof useAddress>;

const LISTS = ['learner', 'activity', 'item'] as const;
const ALL = ['learner', 'activity', 'item', 'question', 'session', 'status', 'from', 'to'] as const;

/** The filters of the address, as parameters of the operation. */
export function filterOf({ get, list }: Address): Omit<Input<'get sessions/statuses'>, 'include'> {
  const some = (values: string[]) => (values.length > 0 ? values : undefined);
  return {
    user_id: some(list('learner')),
    activity_id: some(list('activity')),
    items: some(list('item')),
    session_id: some(list('session')),
    status: some(list('status')),
    mintime_started: momentOf(get('from'), 'first'),
    maxtime_started: momentOf(get('to'), 'last'),
  };
}

export const isFiltered = ({ list }: Address): boolean => ALL.some((name) => list(name).length > 0);

/** The filters in the address. */
export function Filters({
  address,
  lists = LISTS,
}: {
  address: Address;
  lists?: readonly ('learner' | 'activity' | 'item' | 'question')[];
}) {
  const t = useSessionsTexts();
  const { get, list, set } = address;
  const labels = { learner: t('learners'), activity: t('activities'), item: t('items'), question: t('questions') };
  return (
    <Fieldset legend={t('filters')} variant="default" p="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 6 }} spacing="sm" style={{ alignItems: 'end' }}>
        {lists.map((name) => (
          <TagsInput
            key={name}
            label={labels[name]}
            description={t('several_help')}
            value={list(name)}
            maxTags={100}
            onChange={(values) => set({ [name]: values })}
            splitChars={[]}
            acceptValueOnBlur
          />
        ))}
        <NativeSelect
          label={t('status')}
          value={get('status')}
          onChange={({ currentTarget }) => set({ status: currentTarget.value })}
          data={[{ value: '', label: t('any') }, ...STATUSES.map((value) => ({ value, label: t(value) }))]}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={t(name)}
            value={get(name)}
            onChange={({ currentTarget }) => set({ [name]: currentTarget.value }, true)}
          />
        ))}
      </SimpleGrid>
      {isFiltered(address) && (
        <Group mt="sm">
          <Button
            variant="default"
            size="xs"
            onClick={() => set(Object.fromEntries(ALL.map((name) => [name, undefined])))}
          >
            {t('clear')}
          </Button>
        </Group>
      )}
    </Fieldset>
  );
}
