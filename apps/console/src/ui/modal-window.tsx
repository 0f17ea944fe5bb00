import { Modal, type ModalProps } from '@mantine/core';

/** A modal window with a title. */
export default function ModalWindow(props: ModalProps) {
  return (
    <Modal
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere', lineHeight: 1.3 } }}
      {...props}
    />
  );
}
