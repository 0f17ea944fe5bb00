import { Alert, List, Text } from '@mantine/core';
import { Fault, Unreachable } from '../operations/fault';
import { useUiTexts } from './texts';

/**
 * Shows an error with the places that the service named. Shows nothing for null. The service writes English, so its
 * messages say so to screen readers.
 */
export function FaultAlert({ fault, title }: { fault: unknown; title?: string }) {
  const t = useUiTexts();
  if (fault === null || fault === undefined) return null;
  const places = fault instanceof Fault ? fault.places : [];
  const message = fault instanceof Unreachable ? t('unreachable') : fault instanceof Error ? fault.message : t('error');
  return (
    <Alert color="red" title={title ?? t('error')} role="alert">
      {places.length > 1 ? (
        <List size="sm">
          {places.map(({ pointer, message: text }, index) => (
            <List.Item key={index}>
              {pointer !== '' && <code>{pointer}</code>} <span lang="en">{text}</span>
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm" lang={fault instanceof Fault ? 'en' : undefined}>
          {message}
        </Text>
      )}
      {fault instanceof Fault && fault.status >= 500 && fault.requestId && (
        <Text size="xs">{t('request', fault.requestId)}</Text>
      )}
    </Alert>
  );
}
