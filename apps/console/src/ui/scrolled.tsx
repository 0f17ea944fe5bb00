import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table in a region of its own. If it is wider than the screen, the region scrolls, also by keyboard. */
export function Scrolled({ label, heads, children }: { label: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <div role="region" aria-label={label} tabIndex={0} style={{ overflowX: 'auto' }}>
      <Table aria-label={label} withTableBorder>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}
