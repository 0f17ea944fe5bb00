import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../operations/call';
import type { Item } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import { FaultAlert } from '../../ui/fault-alert';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { changedItem } from './bulk/bulk-run';
import { useItemTexts } from './texts';
import { Dialog } from '../../ui/dialog';

/** Publishes an item, or takes it back. Reviewers and operators may. */
export function PublishButton({ item, changed }: { item: Item; changed: () => Promise<void> }) {
  const t = useItemTexts();
  const { organisation } = useWorkplace();
  const { run, isBusy, fault, clear } = useTask();
  const [isAsking, setAsking] = useState(false);
  if (!organisation.roles.some((role) => role === 'reviewer' || role === 'operator')) return null;
  const wanted = item.status === 'published' ? 'unpublished' : 'published';
  const label = t(wanted === 'published' ? 'publish' : 'unpublish');

  async function apply() {
    const isDone = await run(async () => {
      await call('set itembank/items', { items: [changedItem(item, { status: wanted })] });
      await changed();
    });
    if (!isDone) return setAsking(true);
    setAsking(false);
    toast(t(wanted));
  }

  return (
    <>
      <Button loading={isBusy} onClick={() => void apply()}>
        {label}
      </Button>
      <Dialog
        isOpen={isAsking && fault !== null}
        size="md"
        close={() => {
          setAsking(false);
          clear();
        }}
        title={label}
      >
        <Stack>
          <FaultAlert fault={fault} />
        </Stack>
      </Dialog>
    </>
  );
}
