import { NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormProps, objectOf, textOf, validationOf, withMembers } from './data';
import { HtmlField } from './fields';
import { useFormTexts } from './texts';

/** An essay, which people mark. */
export function LongtextForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const metadata = objectOf(data.metadata);
  const setMetadata = (name: string, text: string) =>
    change(withMembers(data, { metadata: withMembers(metadata, { [name]: text === '' ? undefined : text }) }));
  return (
    <Stack>
      <HtmlField
        label={t('stimulus')}
        value={textOf(data.stimulus)}
        change={(stimulus) => change({ ...data, stimulus })}
      />
      <NumberInput
        label={t('max_score')}
        min={0}
        value={Number(validationOf(data).max_score ?? 0)}
        onChange={(value) => change({ ...data, validation: { ...validationOf(data), max_score: Number(value) || 0 } })}
      />
      <NumberInput
        label={t('max_words')}
        min={1}
        value={Number(data.max_length) || ''}
        onChange={(value) => change(withMembers(data, { max_length: Number(value) || undefined }))}
      />
      <TextInput
        label={t('placeholder')}
        value={textOf(data.placeholder)}
        onChange={(event) => change(withMembers(data, { placeholder: event.currentTarget.value || undefined }))}
      />
      <HtmlField label={t('rubric')} value={textOf(metadata.rubric)} change={(text) => setMetadata('rubric', text)} />
      <HtmlField
        label={t('sample_answer')}
        value={textOf(metadata.sample_answer)}
        change={(text) => setMetadata('sample_answer', text)}
      />
    </Stack>
  );
}
