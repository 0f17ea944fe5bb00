import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Workflow } from './diagram';
import { numberOf } from '../../texts/texts';
import { useWorkflowTexts } from './texts';
import { Scrolled } from '../../ui/scrolled';

/** The states with their moves in words. Each links to its items: the queue of the people who work on that state. */
export function StatesTable({ workflow }: { workflow: Workflow }) {
  const t = useWorkflowTexts();
  const marks = (reference: string) =>
    [
      reference === workflow.initial_state_reference && t('is_initial'),
      reference === workflow.final_state_reference && t('is_final'),
    ]
      .filter(Boolean)
      .join(', ');
  return (
    <Scrolled label={t('states')} heads={[t('state'), t('moves'), t('queue')]} minWidth={400}>
      {workflow.workflow_states.map(
        ({ reference, label, description, workflow_transitions: moves, num_items: count }) => (
          <Table.Tr key={reference}>
            <Table.Td className="wrap">
              <Text size="sm" fw={500}>
                {label || reference}
              </Text>
              <Text size="xs" c="dimmed">
                {[marks(reference), description].filter(Boolean).join(' – ')}
              </Text>
            </Table.Td>
            <Table.Td className="wrap">
              {moves.map((move) => move.to_state_label || move.to_state_reference).join(', ') || t('no_moves')}
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <Anchor
                component={Link}
                to="/items"
                search={{ workflow: workflow.reference, state: reference, sort: 'updated', ascending: true } as never}
                size="sm"
                aria-label={t('items_in', label || reference, numberOf(count ?? 0))}
              >
                {t('items_n', numberOf(count ?? 0))}
              </Anchor>
            </Table.Td>
          </Table.Tr>
        ),
      )}
    </Scrolled>
  );
}
