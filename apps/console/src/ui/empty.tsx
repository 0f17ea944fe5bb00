import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Explains why a view is empty, and what the person can do. */
export function Empty({ title, help, children }: { title: string; help?: string; children?: ReactNode }) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs" ta="center">
        <Text fw={600}>{title}</Text>
        {help && <Text>{help}</Text>}
        {children}
      </Stack>
    </Center>
  );
}
