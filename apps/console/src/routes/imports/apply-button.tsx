import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Import } from '../../operations/operations';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { useTask } from '../../ui/use-task';
import { useImportTexts } from './texts';
import { useBegin } from './use-begin';

/** Applies the plan, after confirmation. */
export function ApplyButton({ found }: { found: Import }) {
  const t = useImportTexts();
  const may = useMay();
  const { apply } = useBegin(found);
  const [isOpen, dialog] = useDisclosure();
  const { run, isBusy, fault, clear } = useTask();
  if (!may('set itembank/imports/apply')) return null;
  const { created = 0, replaced = 0, skipped = 0, refused = 0 } = found.totals ?? {};
  const numbers = [created, replaced, skipped, refused].map((count) => numberOf(count));
  const close = () => {
    clear();
    dialog.close();
  };
  return (
    <>
      <Button onClick={dialog.open}>{t('apply')}</Button>
      <Dialog title={t('apply_title')} isOpen={isOpen} close={close} size="md">
        <Stack>
          <Text>{t('apply_text', ...numbers)}</Text>
          <FaultAlert fault={fault} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button loading={isBusy} onClick={() => void run(apply).then((isDone) => isDone && close())}>
              {t('apply')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
