import { NumberInput, Stack, TextInput } from '@mantine/core';
import { toolsNamed, USUAL_TOOLS } from '#renderer/tool-names';
import { type FormProps, objectOf, textOf, validationOf, withMembers } from './data';
import { TOOL_NAMES, useEssayTools } from './essay-tools';
import { StimulusField } from './fields';
import { HtmlField } from './html-field';
import { KnownChoices } from './known-choices';
import { useFormTexts } from './texts';

/** An essay, which people mark. */
export function LongtextForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const metadata = objectOf(data.metadata);
  const setMetadata = (name: string, text: string) =>
    change(withMembers(data, { metadata: withMembers(metadata, { [name]: text === '' ? undefined : text }) }));
  return (
    <Stack>
      <StimulusField data={data} change={change} />
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
      <Tools data={data} change={change} />
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

/** The buttons that learners have. */
function Tools({ data, change }: FormProps) {
  const t = useFormTexts();
  const tool = useEssayTools();
  return (
    <KnownChoices
      label={t('tools')}
      description={t('tools_help')}
      names={Object.fromEntries(TOOL_NAMES.map((name) => [name, tool(name)]))}
      list={toolsNamed(Array.isArray(data.formatting_options) ? data.formatting_options : USUAL_TOOLS)}
      change={(list) => change({ ...data, formatting_options: list })}
    />
  );
}
