import { Stack, TextInput } from '@mantine/core';
import { type FormProps, textOf } from './data';
import { HtmlField } from './fields';
import { useFormTexts } from './texts';

/** A text that several questions share. */
export function PassageForm({ data, change }: FormProps) {
  const t = useFormTexts();
  return (
    <Stack>
      <TextInput
        label={t('heading')}
        value={textOf(data.heading)}
        onChange={(event) => change({ ...data, heading: event.currentTarget.value })}
      />
      <HtmlField
        label={t('content')}
        rows={8}
        value={textOf(data.content)}
        change={(content) => change({ ...data, content })}
      />
    </Stack>
  );
}
