import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogTexts } from './dialog';

interface Props {
  cancel: () => void;
  isBusy?: boolean;
  color?: 'red';
  /** The text of the button that sends the form. */
  children: ReactNode;
}

/** The buttons at the end of a form: one leaves it, one sends it. */
export function FormActions({ cancel, isBusy, color, children }: Props) {
  const common = useDialogTexts();
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={cancel}>
        {common('cancel')}
      </Button>
      <Button type="submit" color={color} loading={isBusy}>
        {children}
      </Button>
    </Group>
  );
}
