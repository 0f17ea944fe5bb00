import { Modal, type ModalProps } from '@mantine/core';
import { useUnsaved } from './use-unsaved';

interface Props extends ModalProps {
  /** Asked before Escape, a click outside or the back button discards what a person has typed. */
  unsaved?: string;
}

/** A modal window with a title. */
export default function ModalWindow({ unsaved: question, onClose, children, ...props }: Props) {
  const unsaved = useUnsaved(question);

  function leave() {
    if (!unsaved.mayLeave()) return;
    unsaved.forget();
    onClose();
  }

  return (
    <Modal
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere', lineHeight: 1.3 } }}
      {...props}
      onClose={leave}
    >
      <div onInput={unsaved.noteTyping}>{children}</div>
    </Modal>
  );
}
