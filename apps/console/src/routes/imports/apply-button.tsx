import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Import } from '../../operations/operations';
import { useMay } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { Ask } from '../../ui/dialog';
import { useImportTexts } from './texts';
import { useBegin } from './use-begin';

/** Applies the plan, after confirmation. */
export function ApplyButton({ found }: { found: Import }) {
  const t = useImportTexts();
  const may = useMay();
  const { apply } = useBegin(found);
  const [isOpen, dialog] = useDisclosure();
  if (!may('set itembank/imports/apply')) return null;
  const { created = 0, replaced = 0, skipped = 0, refused = 0 } = found.totals ?? {};
  const numbers = [created, replaced, skipped, refused].map((count) => numberOf(count));
  return (
    <>
      <Button onClick={dialog.open}>{t('apply')}</Button>
      <Ask
        title={t('apply_title')}
        text={t('apply_text', ...numbers)}
        action={t('apply')}
        isOpen={isOpen}
        close={dialog.close}
        work={apply}
        color="blue"
      />
    </>
  );
}
