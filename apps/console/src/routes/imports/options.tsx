import { Radio, Select, Stack } from '@mantine/core';
import { useImportTexts } from './texts';
import { COLLISION_RULES, FORMATS, type ImportOptions } from './upload';

interface OptionsProps {
  options: ImportOptions;
  change: (options: ImportOptions) => void;
}

/** Options of an import: how the file is read, and how existing records are treated. */
export function Options({ options, change }: OptionsProps) {
  const t = useImportTexts();
  return (
    <>
      <Select
        label={t('format')}
        description={t('format_help')}
        data={[
          { value: '', label: t('recognise') },
          ...FORMATS.map((value) => ({ value, label: t(`format_${value}`) })),
        ]}
        value={options.format ?? ''}
        allowDeselect={false}
        onChange={(value) => change({ ...options, format: FORMATS.find((each) => each === value) })}
        maw={400}
      />
      <Radio.Group
        label={t('rule')}
        value={options.rule}
        onChange={(value) => change({ ...options, rule: COLLISION_RULES.find((each) => each === value) ?? 'fail' })}
      >
        <Stack gap="xs" mt="xs">
          {COLLISION_RULES.map((rule) => (
            <Radio key={rule} value={rule} label={t(`rule_${rule}`)} description={t(`rule_${rule}_help`)} />
          ))}
        </Stack>
      </Radio.Group>
    </>
  );
}
