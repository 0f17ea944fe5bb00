import { Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { moved, replaced, textOf, without } from './data';
import { RowButtons } from './fields';

interface TextListProps {
  legend: string;
  /** The name of the entry at a position, counted from 1. */
  nameOf: (number: number) => string;
  add: string;
  list: readonly string[];
  min?: number;
  /** @param order the former position of each entry; -1 for a new entry. */
  change: (list: string[], order: number[]) => void;
}

/** A list of short texts that people can edit, move, add and remove. */
export function TextList({ legend, nameOf, add, list, min = 1, change }: TextListProps) {
  const places = list.map((_, index) => index);
  return (
    <Fieldset legend={legend}>
      <Stack gap="xs">
        {list.map((text, index) => (
          <Group key={index} align="flex-end" gap="xs">
            <TextInput
              label={nameOf(index + 1)}
              value={textOf(text)}
              onChange={(event) => change(replaced(list, index, event.currentTarget.value), places)}
              style={{ flex: '1 1 9rem' }}
            />
            <RowButtons
              name={nameOf(index + 1)}
              index={index}
              count={list.length}
              min={min}
              move={(from, to) => change(moved(list, from, to), moved(places, from, to))}
              remove={(at) => change(without(list, at), without(places, at))}
            />
          </Group>
        ))}
        <Button variant="default" onClick={() => change([...list, ''], [...places, -1])}>
          {add}
        </Button>
      </Stack>
    </Fieldset>
  );
}
