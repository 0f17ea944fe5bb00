import { Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../operations/call';
import type { PoolFill } from '../../operations/operations';
import { timeOf } from '../history/times';
import { Loaded } from '../../ui/loaded';
import { useAddress } from '../../ui/use-address';
import { ChangesView } from './fill-progress';
import { usePoolTexts } from './texts';

/** The difference between two fills of a pool. */
export function Compare({ pool }: { pool: string }) {
  const t = usePoolTexts();
  const query = useQuery(read('get itembank/pools/fills', { reference: pool }));
  return (
    <Loaded query={query}>
      {({ data }) => (data.length < 2 ? <Text>{t('one_fill')}</Text> : <Chosen pool={pool} fills={data} />)}
    </Loaded>
  );
}

/** @param fills at least two, newest first */
function Chosen({ pool, fills }: { pool: string; fills: readonly PoolFill[] }) {
  const t = usePoolTexts();
  const address = useAddress();
  const indexOf = (name: string) => fills.findIndex(({ job_reference: job }) => job === address.get(name));
  const later = Math.min(Math.max(indexOf('to'), 0), fills.length - 2);
  const earlier = Math.max(indexOf('from'), later + 1);
  const [from, to] = [fills[earlier]!.job_reference, fills[later]!.job_reference];
  const options = fills.map(({ job_reference, dt_filled, content_hash }, at) => ({
    value: job_reference,
    label: `${fills.length - at}. ${timeOf(dt_filled)} · ${content_hash.slice(0, 8)}`,
  }));
  const query = useQuery(read('get itembank/pools/changes', { reference: pool, from, to }));
  return (
    <Stack gap="xs" maw={760}>
      <Text size="sm" c="dimmed">
        {t('compare_help')}
      </Text>
      <Group align="end">
        <Select
          w={330}
          label={t('earlier_fill')}
          data={options.slice(later + 1)}
          value={from}
          onChange={(value) => address.set({ from: value ?? '' }, true)}
          allowDeselect={false}
        />
        <Select
          w={330}
          label={t('later_fill')}
          data={options.slice(0, -1)}
          value={to}
          onChange={(value) => address.set({ to: value ?? '' }, true)}
          allowDeselect={false}
        />
      </Group>
      <Loaded query={query}>{({ data }) => <ChangesView changes={data} />}</Loaded>
    </Stack>
  );
}
