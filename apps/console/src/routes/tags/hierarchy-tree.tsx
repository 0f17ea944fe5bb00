import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Output, read } from '../../operations/call';
import { Loaded } from '../../ui/loaded';
import { useTagTexts } from './texts';

interface Tag {
  type: string;
  name: string;
}

interface TreeProps {
  hierarchy: Output<'get itembank/tagging/hierarchies'>[number];
  /** The tags above; absent at the top. */
  path?: readonly Tag[];
  /** Shows a tag. */
  children: (tag: Tag) => ReactNode;
}

/** The tags of a hierarchy as a tree. Each level is read when it is opened. */
export function HierarchyTree({ hierarchy, path = [], children }: TreeProps) {
  const t = useTagTexts();
  const { reference } = hierarchy;
  const nodes = useQuery(read('get itembank/tagging/hierarchies/nodes', { reference, path: [...path] }));
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
              <Node key={name} hierarchy={hierarchy} path={[...path, { type, name }]}>
                {children}
              </Node>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Node({ hierarchy, path, children }: TreeProps & { path: readonly Tag[] }) {
  const t = useTagTexts();
  const [isOpen, setOpen] = useState(false);
  const tag = path.at(-1)!;
  return (
    <li>
      <Group gap="xs" wrap="nowrap">
        {path.length < hierarchy.tag_types.length ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-label={t('expand', tag.name)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          </ActionIcon>
        ) : (
          <Box w={28} />
        )}
        {children(tag)}
      </Group>
      {isOpen && (
        <HierarchyTree hierarchy={hierarchy} path={path}>
          {children}
        </HierarchyTree>
      )}
    </li>
  );
}
