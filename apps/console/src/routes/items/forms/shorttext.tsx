import { Stack, TextInput } from '@mantine/core';
import { Alternatives } from './alternatives';
import { type FormProps, rightValueOf, textOf, withMembers, withRightValue } from './data';
import { Feedback, Scoring, StimulusField, TypingFields } from './fields';
import { useFormTexts } from './texts';

/** A short answer, with further accepted answers that may give other points. */
export function ShorttextForm({ data, change }: FormProps) {
  const t = useFormTexts();
  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <TextInput
        label={t('answer')}
        value={textOf(rightValueOf(data))}
        onChange={(event) => change(withRightValue(data, event.currentTarget.value))}
      />
      <Alternatives data={data} change={change} fresh="">
        {(value, set) => (
          <TextInput label={t('answer')} value={textOf(value)} onChange={(event) => set(event.currentTarget.value)} />
        )}
      </Alternatives>
      <TypingFields data={data} change={change} />
      <TextInput
        label={t('placeholder')}
        value={textOf(data.placeholder)}
        onChange={(event) => change(withMembers(data, { placeholder: event.currentTarget.value || undefined }))}
      />
      <Scoring data={data} change={change} types={['exactMatch']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}
