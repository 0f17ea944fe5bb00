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
  const rows = differences(mine, theirs);
  return (
    <Stack>
      <Text>{t('conflict_help')}</Text>
      <Table.ScrollContainer minWidth={500}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th />
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
      </Table.ScrollContainer>
      <Group justify="flex-end">
        <Button variant="default" onClick={takeTheirs}>
          {t('conflict_theirs')}
        </Button>
        <Button onClick={keepMine}>{t('conflict_mine')}</Button>
      </Group>
    </Stack>
  );
}

interface Difference {
  place: string;
  mine: string;
  theirs: string;
}

/** The members that differ, with those of each widget one by one. */
function differences(mine: Draft, theirs: Draft): Difference[] {
  const { widgets: myWidgets, ...myItem } = mine;
  const { widgets: theirWidgets, ...theirItem } = theirs;
  const known = new Map(theirWidgets.map(({ reference, data }) => [reference, data]));
  return [
    ...membersThatDiffer('', myItem, theirItem),
    ...myWidgets.flatMap(({ reference, data }) =>
      membersThatDiffer(`${reference}: `, data, known.get(reference) ?? {}),
    ),
  ];
}

function membersThatDiffer(prefix: string, a: object, b: object): Difference[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) => {
    const [mine, theirs] = [a, b].map((each) => spelled((each as Record<string, unknown>)[name])) as [string, string];
    return mine === theirs ? [] : [{ place: prefix + name, mine, theirs }];
  });
}

const spelled = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
