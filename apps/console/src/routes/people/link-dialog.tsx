import { Button, Group, Stack, Text } from '@mantine/core';
import { dateOf } from '../../texts/texts';
import { CopyField } from '../../ui/copy-field';
import { Dialog } from '../../ui/dialog';
import type { NewLink } from './people';
import { usePeopleTexts } from './texts';

/** A link as an address that works in any browser. The service knows only the part below its own address. */
export const addressOf = ({ path }: NewLink): string => location.origin + path;

/** Shows a new link, which cannot be displayed again. */
export function LinkDialog({ title, link, close }: { title: string; link: NewLink | undefined; close: () => void }) {
  const t = usePeopleTexts();
  return (
    <Dialog title={title} isOpen={link !== undefined} close={close} mustBeClosed>
      {link && (
        <Stack>
          <Text>
            {t('link_help', dateOf(link.ends_at))} {t('no_mail')}
          </Text>
          <CopyField label={t('link')} value={addressOf(link)} />
          <Group justify="flex-end">
            <Button onClick={close}>{t('close')}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
