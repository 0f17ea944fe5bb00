import { SimpleGrid, Stack } from '@mantine/core';
import { valueAt, withValue } from '../../../ui/member-path';
import { SettingField } from '../../../ui/setting-field';
import { type FormProps, textOf } from './data';
import { HtmlField } from './html-field';
import { useSettingTexts } from './setting-texts';
import { type Setting, SETTINGS } from './settings';

/** The settings of a type that its form does not show. */
export function MoreSettings({ type, data, change }: FormProps & { type: string }) {
  const t = useSettingTexts();
  const settings = SETTINGS[type] ?? [];
  const field = (setting: Setting) => (
    <Field
      key={setting.path}
      setting={setting}
      value={valueAt(data, setting.path.split('.'))}
      set={(value) => change(withValue(data, setting.path.split('.'), value))}
    />
  );
  return (
    <details>
      <summary>{t('more')}</summary>
      <Stack mt="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>{settings.filter(({ kind }) => kind !== 'html').map(field)}</SimpleGrid>
        {settings.filter(({ kind }) => kind === 'html').map(field)}
      </Stack>
    </details>
  );
}

interface FieldProps {
  setting: Setting;
  value: unknown;
  set: (value: unknown) => void;
}

function Field({ setting, value, set }: FieldProps) {
  const t = useSettingTexts();
  const common = { label: t(setting.path), value, set };
  switch (setting.kind) {
    case 'html':
      return <HtmlField {...common} rows={2} value={textOf(value)} change={(text) => set(text || undefined)} />;
    case 'pixels': {
      const text = textOf(value);
      // A length may have another unit.
      if (!/^(?:\d+(?:\.\d+)?(?:px)?)?$/.test(text)) return <SettingField {...common} kind="text" />;
      const inPixels = (number: unknown) => set(typeof number === 'number' ? `${number}px` : undefined);
      return <SettingField {...common} kind="number" value={text.replace('px', '')} set={inPixels} />;
    }
    case 'choice': {
      const choices = setting.values.map((each) => ({ value: each, label: t(`is_${each}`) }));
      return <SettingField {...common} kind="choice" choices={choices} />;
    }
    default:
      return <SettingField {...common} {...setting} />;
  }
}
