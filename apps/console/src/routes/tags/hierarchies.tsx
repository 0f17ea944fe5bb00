import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf, read } from '../../operations/call';
import { useMay } from '../../session/session';
import { AddButton } from '../../ui/add-button';
import { Ask, Dialog } from '../../ui/dialog';
import { Loaded } from '../../ui/loaded';
import { useAddress } from '../../ui/use-address';
import { HierarchyForm } from './hierarchy-form';
import { HierarchyTree } from './hierarchy-tree';
import { ItemsLink } from './items-link';
import { useTagTexts } from './texts';

/**
 * The hierarchies, each as a tree. The address says which one is changed (`hierarchy`),
 * or that a new one is made (`make`).
 */
export function Hierarchies() {
  const t = useTagTexts();
  const address = useAddress();
  const queries = useQueryClient();
  const mayChange = useMay()('set itembank/tagging/hierarchies');
  const [removed, setRemoved] = useState<string | null>(null);
  const close = () => address.set({ hierarchy: undefined, make: undefined });
  const hierarchies = useQuery(read('get itembank/tagging/hierarchies', {}));
  const opened = hierarchies.data?.data.find(({ reference }) => reference === address.get('hierarchy'));
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('hierarchies')}
        </Title>
        {mayChange && (
          <AddButton variant="default" onClick={() => address.set({ make: 'yes' })}>
            {t('create_hierarchy')}
          </AddButton>
        )}
      </Group>
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
                  {mayChange && (
                    <Group gap="xs" my={6}>
                      <Button
                        variant="default"
                        size="xs"
                        aria-label={t('change_hierarchy', hierarchy.reference)}
                        onClick={() => address.set({ hierarchy: hierarchy.reference })}
                      >
                        {t('change')}
                      </Button>
                      <Button
                        variant="default"
                        size="xs"
                        aria-label={t('remove_hierarchy', hierarchy.reference)}
                        onClick={() => setRemoved(hierarchy.reference)}
                      >
                        {t('remove')}
                      </Button>
                    </Group>
                  )}
                  <HierarchyTree hierarchy={hierarchy}>
                    {({ type, name }) => (
                      <>
                        <Text size="sm" className="wrap">
                          {name}
                        </Text>
                        <ItemsLink type={type} name={name} />
                      </>
                    )}
                  </HierarchyTree>
                </Box>
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Dialog title={t('create_hierarchy')} isOpen={mayChange && address.get('make') !== ''} close={close}>
        <HierarchyForm close={close} />
      </Dialog>
      <Dialog
        title={t('change_hierarchy', address.get('hierarchy'))}
        isOpen={mayChange && opened !== undefined}
        close={close}
      >
        {opened && <HierarchyForm key={opened.reference} hierarchy={opened} close={close} />}
      </Dialog>
      <Ask
        title={t('remove_hierarchy', removed ?? '')}
        text={t('remove_hierarchy_text')}
        action={t('remove')}
        isOpen={removed !== null}
        close={() => setRemoved(null)}
        work={async () => {
          await call('set itembank/tagging/hierarchies', { tag_hierarchies: [], remove: [removed!] });
          await queries.invalidateQueries({ queryKey: keyOf('get itembank/tagging/hierarchies') });
        }}
      />
    </Stack>
  );
}
