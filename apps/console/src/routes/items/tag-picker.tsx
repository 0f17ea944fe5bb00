import { ActionIcon, Box, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Output, read } from '../../operations/call';
import { Dialog } from '../../ui/dialog';
import { Loaded } from '../../ui/loaded';
import { useBankTexts } from './bank-texts';

type Hierarchy = Output<'get itembank/tagging/hierarchies'>[number];
type Path = readonly { type: string; name: string }[];

interface TagPickerProps {
  /** Tags as `Type:Name`. */
  tags: readonly string[];
  change: (tags: string[]) => void;
  close: () => void;
}

/** Chooses tags by walking down the hierarchies. */
export default function TagPicker({ tags, change, close }: TagPickerProps) {
  const t = useBankTexts();
  const hierarchies = useQuery(read('get itembank/tagging/hierarchies', {}));
  return (
    <Dialog isOpen close={close} title={t('choose_tags_title')} size="md">
      <Loaded query={hierarchies}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>{t('no_hierarchies')}</Text>
          ) : (
            <Stack>
              {data.map((hierarchy) => (
                <Box key={hierarchy.reference}>
                  <Title order={3} size="h5" className="wrap">
                    {hierarchy.reference}
                  </Title>
                  <Nodes hierarchy={hierarchy} path={[]} tags={tags} change={change} />
                </Box>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface NodesProps extends Omit<TagPickerProps, 'close'> {
  hierarchy: Hierarchy;
  path: Path;
}

function Nodes({ hierarchy, path, ...chosen }: NodesProps) {
  const t = useBankTexts();
  const nodes = useQuery(
    read('get itembank/tagging/hierarchies/nodes', { reference: hierarchy.reference, path: [...path] }),
  );
  return (
    <Loaded query={nodes}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm" c="dimmed" pl="md">
            {t('nothing_below')}
          </Text>
        ) : (
          <ul style={{ listStyle: 'none', paddingInlineStart: path.length === 0 ? 0 : 24, margin: 0 }}>
            {data.map(({ type, name }) => (
              <Node key={name} hierarchy={hierarchy} path={[...path, { type, name }]} {...chosen} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Node({ hierarchy, path, tags, change }: NodesProps) {
  const t = useBankTexts();
  const [isOpen, setOpen] = useState(false);
  const { type, name } = path.at(-1)!;
  const tag = `${type}:${name}`;
  const isChosen = tags.includes(tag);
  return (
    <li>
      <Group gap="xs" wrap="nowrap">
        {path.length < hierarchy.tag_types.length ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-label={t('open_node', name)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          </ActionIcon>
        ) : (
          <Box w={28} />
        )}
        <Checkbox
          label={name}
          checked={isChosen}
          onChange={() => change(isChosen ? tags.filter((each) => each !== tag) : [...tags, tag])}
        />
      </Group>
      {isOpen && <Nodes hierarchy={hierarchy} path={path} tags={tags} change={change} />}
    </li>
  );
}
