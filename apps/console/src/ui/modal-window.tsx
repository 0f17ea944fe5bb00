import { Modal, type ModalProps } from '@mantine/core';
import { type FormEvent, useRef } from 'react';

interface Props extends ModalProps {
  /** Asked before Escape or a click outside discards what a person has typed. */
  unsaved?: string;
}

/** A modal window with a title. */
export default function ModalWindow({ unsaved, onClose, children, ...props }: Props) {
  const typedIn = useRef<Element>(null);

  function noteTyping({ target }: FormEvent) {
    const field = target as HTMLInputElement;
    if (field.type !== 'search' && field.type !== 'password') typedIn.current = field.closest('form');
  }

  function leave() {
    // A form that was saved is gone.
    if (unsaved !== undefined && typedIn.current?.isConnected && !confirm(unsaved)) return;
    typedIn.current = null;
    onClose();
  }

  return (
    <Modal
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere', lineHeight: 1.3 } }}
      {...props}
      onClose={leave}
    >
      <div onInput={noteTyping}>{children}</div>
    </Modal>
  );
}
