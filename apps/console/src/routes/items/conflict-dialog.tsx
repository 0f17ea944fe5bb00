import { Button, Group, Stack, Table, Text } from '@mantine/core';
import type { Draft } from './draft';
import { useItemTexts } from './texts';

interface ConflictProps {
  mine: Draft;
  theirs: Draft;
  keepMine: () => void;
  takeTheirs: () => void;
}

/** Shows what differs between a draft and what somebody else saved meanwhile. */
export function ConflictDialog({ mine, theirs, keepMine, takeTheirs }: ConflictProps) {
  const t = useItemTexts();
  const rows = differences(mine, theirs, (member) => {
    const field = FIELDS.find((each) => each === member);
    return field === undefined ? member : t(field);
  });
  return (
    <Stack>
      <Text>{t('conflict_help')}</Text>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th>{t('mine')}</Table.Th>
            <Table.Th>{t('theirs')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ place, mine: a, theirs: b }) => (
            <Table.Tr key={place}>
              <Table.Th scope="row" className="wrap">
                {place}
              </Table.Th>
              <Table.Td className="wrap">{a}</Table.Td>
              <Table.Td className="wrap">{b}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end">
        <Button variant="default" onClick={takeTheirs}>
          {t('conflict_theirs')}
        </Button>
        <Button onClick={keepMine}>{t('conflict_mine')}</Button>
      </Group>
    </Stack>
  );
}

/** Members of a draft that have a field with a name. */
const FIELDS = ['title', 'description', 'note', 'source', 'status', 'tags', 'columns'] as const;

interface Difference {
  place: string;
  mine: string;
  theirs: string;
}

/** The members that differ, with those of each widget one by one. */
function differences(mine: Draft, theirs: Draft, nameOf: (member: string) => string): Difference[] {
  const { widgets: myWidgets, ...myItem } = mine;
  const { widgets: theirWidgets, ...theirItem } = theirs;
  const known = new Map(theirWidgets.map(({ reference, data }) => [reference, data]));
  return [
    ...membersThatDiffer(myItem, theirItem, nameOf),
    ...myWidgets.flatMap(({ reference, data }) =>
      membersThatDiffer(data, known.get(reference) ?? {}, (member) => `${reference}: ${member}`),
    ),
  ];
}

function membersThatDiffer(a: object, b: object, nameOf: (member: string) => string): Difference[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) => {
    const [mine, theirs] = [a, b].map((each) => spelled((each as Record<string, unknown>)[name])) as [string, string];
    return mine === theirs ? [] : [{ place: nameOf(name), mine, theirs }];
  });
}

const spelled = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
