import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says why there is nothing to see, and what can be done. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs">
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Center>
  );
}
