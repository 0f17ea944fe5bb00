import { Button, Checkbox, Fieldset, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import {
  type Data,
  type FormProps,
  isOn,
  listOf,
  replaced,
  rightValueOf,
  textOf,
  validationOf,
  withMembers,
  without,
  withRightValue,
} from './data';
import { Feedback, RowButtons, Scoring, StimulusField } from './fields';
import { useFormTexts } from './texts';

/** A short answer, with further accepted answers that may give other points. */
export function ShorttextForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const validation = validationOf(data);
  const others = listOf<Data>(validation.alt_responses);
  const setOthers = (list: Data[]) =>
    change({ ...data, validation: withMembers(validation, { alt_responses: list.length > 0 ? list : undefined }) });
  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <TextInput
        label={t('answer')}
        value={textOf(rightValueOf(data))}
        onChange={(event) => change(withRightValue(data, event.currentTarget.value))}
      />
      <Fieldset legend={t('alternatives')}>
        <Stack gap="xs">
          {others.map((other, index) => {
            const name = t('alternative', index + 1);
            return (
              <Group key={index} wrap="nowrap" align="flex-end" gap="xs">
                <TextInput
                  label={name}
                  value={textOf(other.value)}
                  onChange={(event) =>
                    setOthers(replaced(others, index, { ...other, value: event.currentTarget.value }))
                  }
                  style={{ flex: 1 }}
                />
                <NumberInput
                  label={t('score')}
                  w={90}
                  min={0}
                  value={Number(other.score ?? 1)}
                  onChange={(score) => setOthers(replaced(others, index, { ...other, score: Number(score) || 0 }))}
                />
                <RowButtons
                  name={name}
                  index={index}
                  count={others.length}
                  min={0}
                  move={(from, to) => {
                    const next = [...others];
                    next.splice(to, 0, ...next.splice(from, 1));
                    setOthers(next);
                  }}
                  remove={(at) => setOthers(without(others, at))}
                />
              </Group>
            );
          })}
          <Button variant="default" onClick={() => setOthers([...others, { score: 1, value: '' }])}>
            {t('add_alternative')}
          </Button>
        </Stack>
      </Fieldset>
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
      <Scoring data={data} change={change} types={['exactMatch']} hasAlternatives />
      <Feedback data={data} change={change} />
    </Stack>
  );
}
