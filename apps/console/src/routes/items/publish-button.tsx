import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { WholeItem } from '../../frame/shown-items';
import { call } from '../../operations/call';
import { useWorkplace } from '../../session/session';
import { FaultAlert } from '../../ui/fault-alert';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { changedItem } from './bulk/bulk-run';
import { useHasUnsaved } from './draft';
import { useItemTexts } from './texts';
import { Dialog } from '../../ui/dialog';

/** Publishes an item, or takes it back. Reviewers and operators may. */
export function PublishButton({ whole, changed }: { whole: WholeItem; changed: () => Promise<void> }) {
  const t = useItemTexts();
  const navigate = useNavigate();
  const { organisation } = useWorkplace();
  const { run, isBusy, fault, clear } = useTask();
  const hasUnsaved = useHasUnsaved(whole);
  const [told, setTold] = useState<'refused' | 'unsaved'>();
  if (!organisation.roles.some((role) => role === 'reviewer' || role === 'operator')) return null;
  const { item } = whole;
  const wanted = item.status === 'published' ? 'unpublished' : 'published';
  const label = t(wanted === 'published' ? 'publish' : 'unpublish');

  async function apply() {
    // A save would meet the new status as a change of somebody else.
    if (hasUnsaved()) return setTold('unsaved');
    const isDone = await run(async () => {
      await call('set itembank/items', { items: [changedItem(item, { status: wanted })] });
      await changed();
    });
    if (!isDone) return setTold('refused');
    setTold(undefined);
    toast(t(wanted));
  }

  const close = () => {
    setTold(undefined);
    clear();
  };
  return (
    <>
      <Button loading={isBusy} onClick={() => void apply()}>
        {label}
      </Button>
      <Dialog isOpen={told !== undefined} size="md" close={close} title={label}>
        {told === 'unsaved' ? (
          <Stack>
            <Text>{t('save_first')}</Text>
            <Group justify="flex-end">
              <Button
                onClick={() => {
                  close();
                  void navigate({ to: '.', search: { tab: 'edit' }, replace: true });
                }}
              >
                {t('go_to_changes')}
              </Button>
            </Group>
          </Stack>
        ) : (
          <FaultAlert fault={fault} />
        )}
      </Dialog>
    </>
  );
}
