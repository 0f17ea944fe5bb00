import { Drawer, Text } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { useUnsaved } from './use-unsaved';
import { useUiTexts } from './texts';

interface Props {
  title: string;
  isOpen: boolean;
  close: () => void;
  size?: 'lg' | 'xl';
  children: ReactNode;
}

const SavedContext = createContext<() => void>(() => {});

/** A form that stays in a side panel tells it here that what was typed is saved. */
export const useSaved = (): (() => void) => useContext(SavedContext);

/** The details of a row, beside its list. Asks before Escape, a click outside or the back button discards what is typed in a form. */
export function SidePanel({ title, isOpen, close, size = 'lg', children }: Props) {
  const t = useUiTexts();
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
      <SavedContext value={unsaved.forget}>
        <div onInput={unsaved.noteTyping}>{children}</div>
      </SavedContext>
    </Drawer>
  );
}
