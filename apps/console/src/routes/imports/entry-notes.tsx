import { Badge, CloseButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useNoteText } from './note-texts';
import type { PlanEntry, PlanNote, Severity } from './plan-file';
import { useImportTexts } from './texts';

const COLOURS: Record<Severity, string> = { lost: 'red', approximated: 'orange', 'kept aside': 'gray' };

/** Shows the notes of an entry: changes during the import, and possible remedies. */
export function EntryNotes({ entry, close }: { entry: PlanEntry; close: () => void }) {
  const t = useImportTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const name = entry.reference || entry.source;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('entry', name)}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={4} size="h5" ref={heading} tabIndex={-1} className="wrap" style={{ outline: 'none' }}>
          {t('entry', name)}
        </Title>
        <CloseButton aria-label={t('close')} onClick={close} />
      </Group>
      <Text size="sm" c="dimmed" className="wrap">
        {t(`result_${entry.result}`)} · {entry.source}
      </Text>
      {entry.notes.length === 0 ? (
        <Text mt="xs">{t('entry_no_notes')}</Text>
      ) : (
        <Stack component="ul" gap="md" mt="sm" p={0} style={{ listStyle: 'none' }}>
          {entry.notes.map((note, index) => (
            <Note key={index} note={note} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

function Note({ note }: { note: PlanNote }) {
  const t = useImportTexts();
  const { message, remedy } = useNoteText()(note);
  return (
    <li>
      <Group gap="xs">
        <Badge color={COLOURS[note.severity]} variant="dot" tt="none">
          {t(`severity_${note.severity}`)}
        </Badge>
        <Text size="sm" c="dimmed">
          {t(`severity_${note.severity}_help`)}
        </Text>
      </Group>
      <Text className="wrap">{message}</Text>
      <Text size="sm" className="wrap">
        <b>{t('consequence')}:</b> {t(`consequence_${note.consequence}`)}
      </Text>
      <Text size="sm" className="wrap">
        <b>{t('remedy')}:</b> {remedy}
      </Text>
      {note.at !== '' && (
        <Text size="sm" c="dimmed" className="wrap">
          {t('place')}: {note.at}
        </Text>
      )}
    </li>
  );
}
