import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { texts } from '../texts/texts';

const useTexts = texts({
  en: {
    unsaved: 'Discard what you typed?',
    unsaved_text: 'The form has entries that are not saved.',
    discard: 'Discard',
    keep: 'Keep editing',
  },
  de: {
    unsaved: 'Eingaben verwerfen?',
    unsaved_text: 'Das Formular hat Eingaben, die nicht gespeichert sind.',
    discard: 'Verwerfen',
    keep: 'Weiter bearbeiten',
  },
});

/** A modal window with a title. It asks before Escape or a click outside discards what a person has typed. */
export default function ModalWindow({ onClose, closeOnEscape = true, children, ...props }: ModalProps) {
  const t = useTexts();
  const typedIn = useRef<Element>(null);
  const [isAsking, setAsking] = useState(false);
  const looks = {
    attributes: { header: { role: 'presentation' } },
    styles: { title: { fontWeight: 600, overflowWrap: 'anywhere', lineHeight: 1.3 } },
  } as const;

  function noteTyping({ target }: FormEvent) {
    const field = target as HTMLInputElement;
    if (field.type !== 'search' && field.type !== 'password') typedIn.current = field.closest('form');
  }

  function discard() {
    typedIn.current = null;
    setAsking(false);
    onClose();
  }

  return (
    <>
      <Modal
        {...looks}
        {...props}
        closeOnEscape={closeOnEscape && !isAsking}
        // A form that was saved, or left by its own button, is gone.
        onClose={() => (typedIn.current?.isConnected ? setAsking(true) : onClose())}
      >
        <div onInput={noteTyping}>{children}</div>
      </Modal>
      {/* It is not rendered before, so that the key press that opens it does not close it again. */}
      {props.opened && isAsking && (
        <Modal
          {...looks}
          opened
          onClose={() => setAsking(false)}
          title={t('unsaved')}
          size="sm"
          withCloseButton={false}
        >
          <Stack>
            <Text>{t('unsaved_text')}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
                {t('keep')}
              </Button>
              <Button color="red" onClick={discard}>
                {t('discard')}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  );
}
