import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Dialog } from '../../ui/dialog';
import { useItemTexts } from './texts';
import { part } from '../../ui/part';

const NewItemForm = part(() => import('./new-item-form'));

/** The button that makes an item, with its dialog. */
export function NewItem() {
  const t = useItemTexts();
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>{t('new_item')}</Button>
      <Dialog isOpen={isOpen} close={dialog.close} title={t('new_item')} size="md">
        <NewItemForm close={dialog.close} />
      </Dialog>
    </>
  );
}
