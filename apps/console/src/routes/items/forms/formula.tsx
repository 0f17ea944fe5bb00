import { Group, Select, Stack, TextInput } from '@mantine/core';
import { type Data, type FormProps, listOf, rightValueOf, textOf, withRightValue } from './data';
import { Feedback, Scoring, StimulusField } from './fields';
import { useFormTexts } from './texts';

const METHODS = ['equivSymbolic', 'equivLiteral', 'equivValue'] as const;

/** A formula. Rules beside the first one are kept; the JSON shows them. */
export function FormulaForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const [first = { method: 'equivSymbolic', value: '' }, ...others] = listOf<Data>(rightValueOf(data));
  const set = (members: Data) => change(withRightValue(data, [{ ...first, ...members }, ...others]));
  const method = textOf(first.method);
  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <Group grow align="flex-end">
        <TextInput
          label={t('latex')}
          value={textOf(first.value)}
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
        <Select
          label={t('method')}
          data={[
            ...METHODS.map((value) => ({ value, label: t(value) })),
            ...(METHODS.some((each) => each === method) ? [] : [{ value: method, label: method }]),
          ]}
          value={method}
          allowDeselect={false}
          onChange={(value) => set({ method: value })}
        />
      </Group>
      <Scoring data={data} change={change} types={['exactMatch']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}
