import { Drawer, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogTexts } from './dialog';

interface Props {
  title: string;
  isOpen: boolean;
  close: () => void;
  size?: 'lg' | 'xl';
  children: ReactNode;
}

/** The details of a row, beside its list. */
export function SidePanel({ title, isOpen, close, size = 'lg', children }: Props) {
  const t = useDialogTexts();
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
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
      {children}
    </Drawer>
  );
}
