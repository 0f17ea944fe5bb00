import { Alert, List, Text } from '@mantine/core';
import { Fault, Unreachable } from '../operations/fault';
import { useLanguage } from '../texts/texts';
import { summaryOf } from './fault-summaries';
import { ServiceText } from './service-text';
import { useUiTexts } from './texts';

/** Shows an error with the places that the service named. Shows nothing for null. */
export function FaultAlert({ fault, title }: { fault: unknown; title?: string }) {
  const t = useUiTexts();
  const language = useLanguage();
  if (fault === null || fault === undefined) return null;
  const places = fault instanceof Fault ? fault.places : [];
  const ownMessage =
    fault instanceof Unreachable ? t('unreachable') : fault instanceof Error ? fault.message : t('error');
  const summary = fault instanceof Fault ? summaryOf(language, fault.code) : undefined;
  return (
    <Alert color="red" title={title ?? t('error')} role="alert">
      {summary && <Text size="sm">{summary}</Text>}
      {places.length > 1 ? (
        <List size="sm">
          {places.map(({ pointer, message: text }, index) => (
            <List.Item key={index}>
              {pointer !== '' && <code>{pointer}</code>} <ServiceText>{text}</ServiceText>
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">{fault instanceof Fault ? <ServiceText>{fault.message}</ServiceText> : ownMessage}</Text>
      )}
      {fault instanceof Fault && fault.status >= 500 && fault.requestId && (
        <Text size="xs">{t('request', fault.requestId)}</Text>
      )}
    </Alert>
  );
}
