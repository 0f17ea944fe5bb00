import { List, Paper, Stack, Text, Title } from '@mantine/core';
import type { User } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import { authorName } from '../../texts/author-name';
import { dateOf, numberOf } from '../../texts/texts';
import type { Reasons, Response } from '../sessions/shown-session';
import { useMarkingTexts } from './texts';

interface GivenMarksProps {
  response: Response;
  reasons: Reasons | undefined;
  /** Hides marks of others. */
  isBlind: boolean;
}

/** The person who gave an answer its score, and the earlier scores with their authors. */
export function GivenMarks({ response, reasons, isBlind }: GivenMarksProps) {
  const t = useMarkingTexts();
  const { person } = useWorkplace().session;
  const who = (author: User | null) =>
    author === null ? t('somebody') : author.id === person.id ? t('you') : authorName(author);
  const points = (score: number | null | undefined) => (typeof score === 'number' ? numberOf(score) : '–');
  if (!reasons) return null;
  const { scored_by: by, marked_by: marker, changes } = reasons;
  const isHidden = isBlind && by === 'person' && marker?.id !== person.id;
  const told = changes.filter((change) => !isBlind || change.author === person.id);
  if (typeof response.score !== 'number' && told.length === 0) return null;
  return (
    <Paper withBorder p="sm">
      <Stack gap={4}>
        <Title order={3} size="h5">
          {t('marks')}
        </Title>
        {isHidden ? (
          <Text size="sm">{t('hidden_marks')}</Text>
        ) : (
          typeof response.score === 'number' && (
            <Text size="sm" className="wrap">
              {t('mark_now', numberOf(response.score), by === 'person' ? who(marker) : t('rules'))}
            </Text>
          )
        )}
        {told.length > 0 && (
          <List size="sm" className="wrap">
            {told.map(({ dt_changed: at, score_before: from, score_after: to, cause, changed_by: by }, index) => (
              <List.Item key={index}>
                {t('mark_then', dateOf(at), points(from), points(to), cause === 'manual' ? who(by) : t('rules'))}
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Paper>
  );
}
