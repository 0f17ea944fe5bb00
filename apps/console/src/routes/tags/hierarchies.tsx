import { ActionIcon, Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Output, read } from '../../operations/call';
import { Loaded } from '../../ui/loaded';
import { ItemsLink } from './items-link';
import { useTagTexts } from './texts';

type Hierarchy = Output<'get itembank/tagging/hierarchies'>[number];
type Path = readonly { type: string; name: string }[];

/** The hierarchies, each as a tree whose levels are read when they are opened. */
export function Hierarchies() {
  const t = useTagTexts();
  const hierarchies = useQuery(read('get itembank/tagging/hierarchies', {}));
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('hierarchies')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('hierarchies_help')}
      </Text>
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
                  <Text size="sm" c="dimmed" className="wrap">
                    {t('levels', hierarchy.tag_types.map(({ name }) => name).join(' › '))}
                  </Text>
                  <Nodes hierarchy={hierarchy} path={[]} />
                </Box>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Nodes({ hierarchy, path }: { hierarchy: Hierarchy; path: Path }) {
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
              <Node key={name} hierarchy={hierarchy} path={[...path, { type, name }]} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Node({ hierarchy, path }: { hierarchy: Hierarchy; path: Path }) {
  const t = useTagTexts();
  const [isOpen, setOpen] = useState(false);
  const { type, name } = path.at(-1)!;
  const hasMore = path.length < hierarchy.tag_types.length;
  return (
    <li>
      <Group gap="xs" wrap="nowrap">
        {hasMore ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-label={t('expand', name)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          </ActionIcon>
        ) : (
          <Box w={28} />
        )}
        <Text size="sm" className="wrap">
          {name}
        </Text>
        <ItemsLink type={type} name={name} />
      </Group>
      {isOpen && <Nodes hierarchy={hierarchy} path={path} />}
    </li>
  );
}
