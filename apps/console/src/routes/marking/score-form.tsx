import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { numberOf } from '../../texts/texts';
import { fieldOf } from '../../ui/field-of';
import type { Mark } from './marks';
import { useMarkingTexts } from './texts';
import { ServiceText } from '../../ui/service-text';

interface ScoreFormProps {
  /** Names the answer. The field is empty for another answer, and keeps the focus. */
  answer: string;
  max: number;
  score: number | null;
  /** Whether there is a score that must not be shown. */
  isHidden: boolean;
  mark: Mark | undefined;
  /** The fault of the entered score; null for none. */
  fault: ReactNode;
  give: (score: number) => void;
  refuse: (message: string) => void;
  dismiss: (id: string) => void;
}

/** The maximum number of buttons. More would be no quicker than typing the number. */
const MAX_BUTTONS = 10;

/** Gives an answer its score by a button for each whole score, or by a typed number. */
export function ScoreForm({ answer, max, score, isHidden, mark, fault, give, refuse, dismiss }: ScoreFormProps) {
  const t = useMarkingTexts();
  const [typed, setTyped] = useState({ answer, text: '' });
  const whole = Array.from({ length: Math.min(Math.floor(max), MAX_BUTTONS - 1) + 1 }, (_, points) => points);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = fieldOf(event.currentTarget, 'score').trim().replace(',', '.');
    const points = Number(entered);
    if (entered === '' || Number.isNaN(points)) refuse(t('no_number'));
    else give(points);
  }

  return (
    <Stack gap="xs">
      <Text role="status" fw={600}>
        {score === null ? t('unmarked') : isHidden ? t('hidden_marks') : t('present', numberOf(score))}
        {mark && (mark.status === 'waiting' || mark.status === 'sent') && ` – ${t('saving')}`}
        {mark?.status === 'saved' && ` – ${t('saved')}`}
      </Text>
      <Group gap={6} role="group" aria-label={t('score')}>
        {whole.map((points) => (
          <Button
            key={points}
            variant={!isHidden && score === points ? 'filled' : 'default'}
            aria-pressed={!isHidden && score === points}
            aria-label={t('give', points)}
            px="sm"
            miw={44}
            // The second click of a double click would mark the next answer.
            onClick={({ detail }) => detail < 2 && give(points)}
          >
            {points}
          </Button>
        ))}
      </Group>
      <form onSubmit={submit} noValidate>
        <Group align="flex-end" gap="xs">
          <TextInput
            name="score"
            inputMode="decimal"
            label={t('other')}
            value={typed.answer === answer ? typed.text : ''}
            onChange={({ currentTarget }) => setTyped({ answer, text: currentTarget.value })}
            onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
            error={fault}
            w={150}
          />
          <Button type="submit" variant="default">
            {t('save')}
          </Button>
        </Group>
      </form>
      {mark?.status === 'refused' && <RefusedMark mark={mark} dismiss={dismiss} />}
    </Stack>
  );
}

/** Why the service refused a mark. */
export function RefusedMark({ mark: { id, score, message }, dismiss }: { mark: Mark; dismiss: (id: string) => void }) {
  const t = useMarkingTexts();
  return (
    <Alert color="red" role="alert" title={t('refused', score === null ? '–' : numberOf(score))}>
      <Text size="sm" className="wrap">
        <ServiceText>{message}</ServiceText>
      </Text>
      <Button size="xs" mt="xs" variant="default" onClick={() => dismiss(id)}>
        {t('dismiss')}
      </Button>
    </Alert>
  );
}
