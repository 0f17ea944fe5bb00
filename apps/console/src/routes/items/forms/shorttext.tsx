import { Checkbox, NumberInput, Stack, TextInput } from '@mantine/core';
import { Alternatives } from './alternatives';
import { type FormProps, isOn, rightValueOf, textOf, withMembers, withRightValue } from './data';
import { Feedback, Scoring, StimulusField } from './fields';
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
      <Checkbox
        label={t('case_sensitive')}
        checked={isOn(data.case_sensitive)}
        onChange={(event) => change({ ...data, case_sensitive: event.currentTarget.checked })}
      />
      <NumberInput
        label={t('max_length')}
        min={1}
        max={250}
        value={Number(data.max_length) || ''}
        onChange={(value) => change(withMembers(data, { max_length: Number(value) || undefined }))}
      />
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
