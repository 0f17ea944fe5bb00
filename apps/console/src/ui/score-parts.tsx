import { Table } from '@mantine/core';
import type { ResponseScore } from '../operations/operations';
import { spelled } from '../texts/spelled';
import { numberOf } from '../texts/texts';
import { Scrolled } from './scrolled';
import { ServiceText } from './service-text';

type Part = NonNullable<ResponseScore['reasons']>['parts'][number];

const COLUMNS = ['part', 'given', 'accepted', 'verdict', 'points'] as const;

interface ScorePartsProps {
  question: string;
  parts: readonly Part[];
  /** The words of the screen. */
  t: (key: (typeof COLUMNS)[number] | Part['verdict']) => string;
}

/** The parts of a response: what was given and accepted, and the points. */
export function ScoreParts({ question, parts, t }: ScorePartsProps) {
  return (
    <Scrolled label={`${t('verdict')}: ${question}`} heads={COLUMNS.map((key) => t(key))} minWidth={420}>
      {parts.map(({ at, given, accepted, verdict, points, note }, index) => (
        <Table.Tr key={index}>
          <Table.Td>{(at ?? index) + 1}</Table.Td>
          <Table.Td className="wrap">{spelled(given)}</Table.Td>
          <Table.Td className="wrap">{spelled(accepted)}</Table.Td>
          <Table.Td>
            {t(verdict)}
            {note && <ServiceText> ({note})</ServiceText>}
          </Table.Td>
          <Table.Td>{points === null ? '–' : numberOf(points)}</Table.Td>
        </Table.Tr>
      ))}
    </Scrolled>
  );
}
