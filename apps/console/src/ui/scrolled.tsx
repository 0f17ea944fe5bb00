import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScrolledProps {
  label: string;
  /** The heads of the columns. A column of heads of rows has none. */
  heads: readonly string[];
  /** The width below which the table scrolls, where its words could wrap further. */
  minWidth?: number;
  children: ReactNode;
}

/** A table that scrolls, also by keyboard, if it is wider than the screen. */
export function Scrolled({ label, heads, minWidth, children }: ScrolledProps) {
  return (
    <div role="group" aria-label={label} tabIndex={0} style={{ overflowX: 'auto' }}>
      <Table aria-label={label} miw={minWidth} withTableBorder>
        <Heads of={heads} />
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}

/** The heads of the columns of a table. */
export const Heads = ({ of }: { of: readonly string[] }) => (
  <Table.Thead>
    <Table.Tr>
      {of.map((head, index) => (head === '' ? <Table.Td key={index} /> : <Table.Th key={index}>{head}</Table.Th>))}
    </Table.Tr>
  </Table.Thead>
);
