import { Text } from '@mantine/core';
import { Fault, Unreachable } from '../operations/fault';
import { texts } from '../texts/texts';
import { FaultAlert } from './fault-alert';

const useTexts = texts({
  en: {
    perhaps: 'It may have been created all the same. Close this window and look at the list before you try again.',
  },
  de: {
    perhaps:
      'Vielleicht wurde es trotzdem angelegt. Schließen Sie dieses Fenster, und sehen Sie in der Liste nach, bevor Sie es erneut versuchen.',
  },
});

/** Shows the error of a call that creates something. Says so when it may have succeeded although its answer was lost. */
export function UnsureFault({ fault }: { fault: unknown }) {
  const t = useTexts();
  const isUnsure = fault instanceof Unreachable || (fault instanceof Fault && fault.status >= 500);
  return (
    <>
      <FaultAlert fault={fault} />
      {isUnsure && <Text>{t('perhaps')}</Text>}
    </>
  );
}
