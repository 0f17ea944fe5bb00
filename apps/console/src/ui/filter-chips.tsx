import { Chip, Group, Input, Stack } from '@mantine/core';
import { useId } from 'react';

interface FilterChipsProps<V extends string> {
  label: string;
  values: readonly V[];
  chosen: readonly V[];
  nameOf: (value: V) => string;
  choose: (chosen: V[]) => void;
}

/** A filter that takes any number of values: a chip for each. */
export function FilterChips<V extends string>({ label, values, chosen, nameOf, choose }: FilterChipsProps<V>) {
  const id = useId();
  return (
    <Stack gap={4}>
      <Input.Label component="div" id={id}>
        {label}
      </Input.Label>
      <Group gap="xs" role="group" aria-labelledby={id}>
        {values.map((each) => (
          <Chip
            key={each}
            size="sm"
            variant="outline"
            checked={chosen.includes(each)}
            onChange={(isOn) => choose(isOn ? [...chosen, each] : chosen.filter((other) => other !== each))}
          >
            {nameOf(each)}
          </Chip>
        ))}
      </Group>
    </Stack>
  );
}
