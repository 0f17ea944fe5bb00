import { Anchor, Box, CloseButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../ui/loaded';
import { itemPath } from './columns';
import { wholeItem } from './model';
import { ItemPreview } from './preview';
import { useItemTexts } from './texts';

/** The preview of an item beside the list. */
export default function PreviewPanel({ reference, close }: { reference: string; close: () => void }) {
  const t = useItemTexts();
  const query = useQuery(wholeItem(reference));
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      aria-label={t('preview')}
      style={{ position: 'sticky', top: 72, maxHeight: 'max(180px, 100vh - 90px)', overflow: 'auto' }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Anchor renderRoot={(props) => <Link to={itemPath(reference)} {...props} />} className="wrap" fw={600}>
          {reference}
        </Anchor>
        <CloseButton aria-label={t('close')} onClick={close} />
      </Group>
      <Loaded query={query}>
        {(whole) =>
          whole ? (
            <Stack gap="xs">
              {whole.item.title && <Text className="wrap">{whole.item.title}</Text>}
              <ItemPreview whole={whole} />
              <Box>
                {Object.entries(whole.item.tags).map(([type, names]) => (
                  <Text key={type} size="sm" className="wrap">
                    <b>{type}:</b> {names.join(', ')}
                  </Text>
                ))}
              </Box>
            </Stack>
          ) : (
            <Text>{t('not_found')}</Text>
          )
        }
      </Loaded>
    </Paper>
  );
}
