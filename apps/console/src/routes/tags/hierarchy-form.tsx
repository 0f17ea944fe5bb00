import { ActionIcon, Autocomplete, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf, type Output, read } from '../../operations/call';
import { numberOf } from '../../texts/texts';
import { AddButton } from '../../ui/add-button';
import { Actions } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { useTagTexts } from './texts';
import { moved } from '../items/forms/data';

export type Hierarchy = Output<'get itembank/tagging/hierarchies'>[number];

interface Level {
  /** Stable key of the level while its name is edited. */
  key: number;
  name: string;
  description: string;
}

const AT = '/tag_hierarchies/0';
let keys = 0;
const level = (name = '', description: string | null = null): Level => ({
  key: ++keys,
  name,
  description: description ?? '',
});

interface HierarchyFormProps {
  /** Absent for a new one. */
  hierarchy?: Hierarchy;
  close: () => void;
}

/** The levels of a hierarchy, ordered by dragging or by the buttons of each level. */
export function HierarchyForm({ hierarchy, close }: HierarchyFormProps) {
  const t = useTagTexts();
  const queries = useQueryClient();
  const types = useQuery(read('get itembank/tags', {}));
  const [reference, setReference] = useState(hierarchy?.reference ?? '');
  const [levels, setLevels] = useState(
    () => hierarchy?.tag_types.map(({ name, description }) => level(name, description)) ?? [level()],
  );
  // Keeps the hierarchy as it was when the form opened, because the list is read again meanwhile.
  const [base] = useState(hierarchy);
  const [dragged, setDragged] = useState<number | null>(null);
  const [news, setNews] = useState('');
  const { run, isBusy, fault } = useTask();
  const counts = new Map(
    Object.entries(types.data?.data ?? {}).map(([name, { length }]) => [name.toLowerCase(), length]),
  );

  const change = (key: number, changes: Partial<Level>) =>
    setLevels(levels.map((each) => (each.key === key ? { ...each, ...changes } : each)));
  const move = (from: number, to: number) => {
    setLevels(moved(levels, from, to));
    setNews(t('level_moved', levels[from]!.name || t('level', from + 1), to + 1));
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      const tagTypes = levels.map(({ name, description }) => ({ name: name.trim(), description: description || null }));
      await call('set itembank/tagging/hierarchies', {
        // Never replaces a hierarchy that somebody else has made or changed meanwhile.
        tag_hierarchies: [{ reference, tag_types: tagTypes, if_revision: base?.revision ?? 0 }],
      });
      await Promise.all([
        queries.invalidateQueries({ queryKey: keyOf('get itembank/tagging/hierarchies') }),
        queries.invalidateQueries({ queryKey: keyOf('get itembank/tagging/hierarchies/nodes') }),
      ]);
      toast(t('hierarchy_saved', reference));
      close();
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        {!hierarchy && (
          <TextInput
            label={t('hierarchy_reference')}
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
            error={messageAt(fault, `${AT}/reference`)}
            required
            data-autofocus
          />
        )}
        <Text size="sm" c="dimmed">
          {t('levels_help')}
        </Text>
        <VisuallyHidden role="status">{news}</VisuallyHidden>
        <ol style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label={t('levels_list')}>
          {levels.map((each, index) => (
            <li
              key={each.key}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== null && dragged !== index) move(dragged, index);
                setDragged(null);
              }}
              style={{ paddingBlock: 8, borderTop: '1px solid var(--mantine-color-default-border)' }}
            >
              <Group gap="xs" align="flex-start">
                <div
                  draggable
                  title={t('drag')}
                  style={{ cursor: 'grab', paddingTop: 32 }}
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    event.dataTransfer.setData('text/plain', each.name);
                    setDragged(index);
                  }}
                  onDragEnd={() => setDragged(null)}
                >
                  <IconGripVertical size={16} aria-hidden />
                </div>
                <Stack gap="xs" style={{ flex: '1 1 200px', minWidth: 0 }}>
                  <Autocomplete
                    label={t('level', index + 1)}
                    description={t('type_count', numberOf(counts.get(each.name.trim().toLowerCase()) ?? 0))}
                    data={Object.keys(types.data?.data ?? {})}
                    value={each.name}
                    onChange={(name) => change(each.key, { name })}
                    error={messageAt(fault, `${AT}/tag_types/${index}/name`)}
                    required
                  />
                  <TextInput
                    label={t('level_description', index + 1)}
                    value={each.description}
                    onChange={(event) => change(each.key, { description: event.currentTarget.value })}
                    error={messageAt(fault, `${AT}/tag_types/${index}/description`)}
                  />
                </Stack>
                <Group gap={6} pt={28} wrap="nowrap">
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={t('level_up', index + 1)}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={t('level_down', index + 1)}
                    disabled={index === levels.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <IconArrowDown size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={t('level_remove', index + 1)}
                    disabled={levels.length === 1}
                    onClick={() => setLevels(levels.filter(({ key }) => key !== each.key))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Group>
              </Group>
            </li>
          ))}
        </ol>
        <Group>
          <AddButton variant="default" onClick={() => setLevels([...levels, level()])}>
            {t('add_level')}
          </AddButton>
        </Group>
        <FaultAlert fault={besides(fault, [`${AT}/reference`, `${AT}/tag_types`])} />
        <Actions cancel={close} loading={isBusy}>
          {t('save')}
        </Actions>
      </Stack>
    </form>
  );
}
