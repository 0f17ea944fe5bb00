import { ActionIcon, Anchor, Badge, Group, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Item } from '../../operations/operations';
import { numberOf } from '../../texts/texts';
import type { Standing } from './item-facts';
import { type Entry, referenceOf } from './model';
import { useActivityTexts } from './texts';
import { inPath } from '../../ui/in-path';

interface ItemRowProps {
  entry: Entry;
  number: number;
  item?: Item;
  standing: Standing;
  mayEdit: boolean;
  /** Whether the dragged item would be dropped before this row. */
  isTarget: boolean;
  /** Whether the dragged item would be dropped after this row, which is the last of its list. */
  isLastTarget: boolean;
  canMoveUp: boolean;
  canMoveDown: boolean;
  move: (step: 1 | -1) => void;
  remove: () => void;
  drag: () => void;
  over: (isLower: boolean) => void;
  endDrag: () => void;
}

/** An item of an activity, with the buttons that move and remove it. */
export function ItemRow({ entry, number, item, standing, mayEdit, isTarget, isLastTarget, ...can }: ItemRowProps) {
  const t = useActivityTexts();
  const reference = referenceOf(entry);
  const line = '3px solid var(--mantine-primary-color-filled)';
  const thin = '1px solid var(--mantine-color-default-border)';
  return (
    <li
      draggable={mayEdit}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', reference);
        can.drag();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        can.over(event.clientY > top + height / 2);
      }}
      onDragEnd={can.endDrag}
      style={{ borderTop: isTarget ? line : thin, borderBottom: isLastTarget ? line : undefined }}
    >
      <Group justify="space-between" gap="xs" py={6}>
        <Group gap="xs" wrap="nowrap" style={{ flex: '1 1 220px', minWidth: 0 }}>
          {mayEdit && <IconGripVertical size={16} aria-hidden style={{ cursor: 'grab', flex: 'none' }} />}
          <Text span c="dimmed" w={28} ta="right" style={{ flex: 'none' }}>
            {number}
          </Text>
          <div className="wrap" style={{ minWidth: 0 }}>
            <Anchor component={Link} to={`/items/${inPath(reference)}`}>
              {reference}
            </Anchor>
            {item?.title && (
              <Text size="sm" c="dimmed">
                {item.title}
              </Text>
            )}
          </div>
        </Group>
        <Group gap={6}>
          {standing !== 'present' && standing !== 'unknown' && (
            <Badge variant="default" tt="none" style={{ flex: 'none' }}>
              {t(`standing_${standing}`)}
            </Badge>
          )}
          <Text span size="sm">
            {item?.max_score === undefined ? '–' : t('points', numberOf(item.max_score))}
          </Text>
          {mayEdit && (
            <>
              <ActionIcon
                variant="default"
                aria-label={t('up', reference)}
                data-move="up"
                data-reference={reference}
                disabled={!can.canMoveUp}
                onClick={() => can.move(-1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="default"
                aria-label={t('down', reference)}
                data-move="down"
                data-reference={reference}
                disabled={!can.canMoveDown}
                onClick={() => can.move(1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon variant="default" aria-label={t('remove', reference)} onClick={can.remove}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </>
          )}
        </Group>
      </Group>
    </li>
  );
}
