import { Drawer, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogTexts } from './dialog';
import { useUnsaved } from './use-unsaved';

interface Props {
  title: string;
  isOpen: boolean;
  close: () => void;
  size?: 'lg' | 'xl';
  children: ReactNode;
}

/** The details of a row, beside its list. Asks before Escape, a click outside or the back button discards what is typed in a form. */
export function SidePanel({ title, isOpen, close, size = 'lg', children }: Props) {
  const t = useDialogTexts();
  const unsaved = useUnsaved(t('unsaved'));

  function leave() {
    if (!unsaved.mayLeave()) return;
    unsaved.forget();
    close();
  }

  return (
    <Drawer
      opened={isOpen}
      onClose={leave}
      position="right"
      size={size}
      title={
        <Text span fw={600} className="wrap">
          {title}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('close') }}
      attributes={{ header: { role: 'presentation' } }}
    >
      <div onInput={unsaved.noteTyping} onSubmit={unsaved.forget}>
        {children}
      </div>
    </Drawer>
  );
}
