import { Stack, Text, Title } from '@mantine/core';
import { textOfMarkup } from '../../texts/markup';
import { numberOf } from '../../texts/texts';
import { useMarkingTexts } from './texts';
import { objectOf } from '../../ui/member-path';

/** The marking guidance of the question, as plain text. */
export function Guide({ data, max }: { data: Record<string, unknown>; max: number }) {
  const t = useMarkingTexts();
  const parts = (
    [
      [t('rubric'), memberOf(data, 'rubric')],
      [t('sample_answer'), memberOf(data, 'sample_answer')],
      [t('notes'), memberOf(data, 'instructor_stimulus')],
    ] as const
  ).filter(([, text]) => text !== '');
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('guide')}
      </Title>
      <Text size="sm">
        {t('max')}: <b>{numberOf(max)}</b>
      </Text>
      {parts.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('no_guide')}
        </Text>
      )}
      {parts.map(([name, text]) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="sm" className="wrap" style={{ whiteSpace: 'pre-line' }}>
            {text}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

/** A member of the question or of its metadata. */
const memberOf = (data: Record<string, unknown>, name: string): string =>
  plain(data[name] ?? objectOf(data.metadata)[name]);

/** The text of markup, line by line. */
function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(plain).join('\n');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${plain(each)}`)
      .join('\n');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  const inLines = value.replace(/<(?:br|\/p|\/li|\/div|\/tr)\b/gi, '\n$&');
  return textOfMarkup(inLines)
    .replace(/\n\s*\n/g, '\n')
    .trim();
}
