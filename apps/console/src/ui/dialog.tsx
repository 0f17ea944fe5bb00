import { Button, Group, type ModalProps, Stack, Text } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { texts } from '../texts/texts';
import { FaultAlert } from './fault-alert';
import { part } from './part';
import { useTask } from './use-task';

/** A modal window. If its code cannot be loaded, a window of the browser shows the error. */
export const ModalWindow = part(() => import('./modal-window'), BrowserWindow);

export const useDialogTexts = texts({
  en: { close: 'Close', cancel: 'Cancel', save: 'Save', unsaved: 'Discard what you typed?' },
  de: { close: 'Schließen', cancel: 'Abbrechen', save: 'Speichern', unsaved: 'Eingaben verwerfen?' },
});

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal();

function BrowserWindow({ opened, title, onClose, children }: ModalProps) {
  const t = useDialogTexts();
  if (!opened) return null;
  return (
    <dialog ref={showModal} aria-label={title as string} onClose={onClose}>
      <Stack>
        {children}
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      </Stack>
    </dialog>
  );
}

interface DialogProps {
  title: string;
  isOpen: boolean;
  close: () => void;
  children: ReactNode;
  size?: string;
  /** A click outside or Escape does not close the dialog, because its content is shown only once. */
  mustBeClosed?: boolean;
}

/** A modal dialog. Its code is loaded when it opens. It appears with its whole content, so that its first field has the focus. */
export function Dialog({ title, isOpen, close, children, size = 'lg', mustBeClosed = false }: DialogProps) {
  const t = useDialogTexts();
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <ModalWindow
        opened={isOpen}
        onClose={close}
        unsaved={t('unsaved')}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': t('close') }}
        closeOnClickOutside={!mustBeClosed}
        closeOnEscape={!mustBeClosed}
      >
        {isOpen && children}
      </ModalWindow>
    </Suspense>
  );
}

interface FormActionsProps {
  cancel: () => void;
  isBusy?: boolean;
  color?: 'red';
  /** The text of the button that sends the form. */
  children: ReactNode;
}

/** The buttons at the end of a form: one leaves it, one sends it. */
export function FormActions({ cancel, isBusy, color, children }: FormActionsProps) {
  const t = useDialogTexts();
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={cancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" color={color} loading={isBusy}>
        {children}
      </Button>
    </Group>
  );
}

interface AskProps {
  title: string;
  /** The effect, and the number of affected records. */
  text: ReactNode;
  /** The text of the confirming button. */
  action: string;
  isOpen: boolean;
  close: () => void;
  work: () => Promise<void>;
}

/** Asks for confirmation of an irreversible action, runs it, and shows a refusal. */
export function Ask({ title, text, action, isOpen, close, work }: AskProps) {
  const t = useDialogTexts();
  const { run, isBusy, fault, clear } = useTask();
  const leave = () => {
    clear();
    close();
  };
  return (
    <Dialog title={title} isOpen={isOpen} close={leave} size="md">
      <Stack>
        <Text component="div" className="wrap">
          {text}
        </Text>
        <FaultAlert fault={fault} />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color="red" loading={isBusy} onClick={() => void run(work).then((isDone) => isDone && leave())}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
