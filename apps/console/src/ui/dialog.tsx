import { Button, type ButtonProps, Group, type ModalProps, Stack, Text } from '@mantine/core';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { FaultAlert } from './fault-alert';
import { part } from './part';
import { useUiTexts } from './texts';
import { useTask } from './use-task';

/** A modal window. If its code cannot be loaded, a window of the browser shows the error. */
export const ModalWindow = part(() => import('./modal-window'), BrowserWindow);

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal();

function BrowserWindow({ opened, title, onClose, children }: ModalProps) {
  const t = useUiTexts();
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
  /** False while work runs that must end first. Then there is no X. */
  mayClose?: boolean;
}

/** A modal dialog. Its code is loaded when it opens. It appears with its whole content, so that its first field has the focus. */
export function Dialog({
  title,
  isOpen,
  close,
  children,
  size = 'lg',
  mustBeClosed = false,
  mayClose = true,
}: DialogProps) {
  const t = useUiTexts();
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
        withCloseButton={mayClose}
        closeOnClickOutside={mayClose && !mustBeClosed}
        closeOnEscape={mayClose && !mustBeClosed}
      >
        {isOpen && children}
      </ModalWindow>
    </Suspense>
  );
}

interface ActionsProps extends Pick<ButtonProps, 'children' | 'color' | 'disabled' | 'loading'> {
  cancel: () => void;
  /** Absent: the button sends the form. */
  onClick?: () => void;
}

/** The buttons at the end of a dialog: one leaves it, one does what it is for. The first one has the focus before danger. */
export function Actions({ cancel, ...action }: ActionsProps) {
  const t = useUiTexts();
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={cancel} data-autofocus={action.color === 'red' || undefined}>
        {t('cancel')}
      </Button>
      <Button type={action.onClick ? 'button' : 'submit'} {...action} />
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
  /** `red` for what cannot be taken back. */
  color?: 'red' | 'blue';
  /** Shows why the work was refused. */
  Refusal?: ComponentType<{ fault: unknown }>;
}

/** Asks for confirmation of an action, runs it, and shows a refusal. */
export function Ask({ title, text, action, isOpen, close, work, color = 'red', Refusal = FaultAlert }: AskProps) {
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
        <Refusal fault={fault} />
        <Actions
          cancel={leave}
          color={color}
          loading={isBusy}
          onClick={() => void run(work).then((isDone) => isDone && leave())}
        >
          {action}
        </Actions>
      </Stack>
    </Dialog>
  );
}
