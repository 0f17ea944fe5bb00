import { Box, Checkbox, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../operations/call';
import { Dialog } from '../../ui/dialog';
import { Loaded } from '../../ui/loaded';
import { HierarchyTree } from '../tags/hierarchy-tree';
import { useBankTexts } from './bank-texts';

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
                  <HierarchyTree hierarchy={hierarchy}>
                    {({ type, name }) => {
                      const tag = `${type}:${name}`;
                      const isChosen = tags.includes(tag);
                      return (
                        <Checkbox
                          label={name}
                          checked={isChosen}
                          onChange={() => change(isChosen ? tags.filter((each) => each !== tag) : [...tags, tag])}
                        />
                      );
                    }}
                  </HierarchyTree>
                </Box>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Dialog>
  );
}
