import { Checkbox, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormProps, textOf } from './data';
import { HtmlField } from './fields';
import { type Setting, SETTINGS, valueAt, withValueAt } from './settings';
import { type SettingKey, useSettingTexts } from './setting-texts';

/** The settings of a type that its form does not show. */
export function MoreSettings({ type, data, change }: FormProps & { type: string }) {
  const t = useSettingTexts();
  const settings = SETTINGS[type] ?? [];
  const isLong = ({ kind }: Setting) => kind === 'html';
  const field = (setting: Setting) => (
    <SettingField
      key={setting.path}
      setting={fitting(setting, valueAt(data, setting))}
      value={valueAt(data, setting)}
      change={(value) => change(withValueAt(data, setting, value))}
    />
  );
  return (
    <details>
      <summary>{t('more')}</summary>
      <Stack mt="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>{settings.filter((each) => !isLong(each)).map(field)}</SimpleGrid>
        {settings.filter(isLong).map(field)}
      </Stack>
    </details>
  );
}

/** A length in another unit than pixels is shown as text. */
const fitting = (setting: Setting, value: unknown): Setting =>
  setting.kind === 'pixels' && !/^(?:\d+(?:\.\d+)?(?:px)?)?$/.test(textOf(value))
    ? { path: setting.path, kind: 'text' }
    : setting;

interface SettingFieldProps {
  setting: Setting;
  value: unknown;
  change: (value: unknown) => void;
}

function SettingField({ setting, value, change }: SettingFieldProps) {
  const t = useSettingTexts();
  const label = t(setting.path as SettingKey);
  const shown = textOf(value);
  switch (setting.kind) {
    case 'flag': {
      const { isUsual = false } = setting;
      return (
        <Checkbox
          label={label}
          checked={Array.isArray(value) || (value === undefined ? isUsual : value === true || value === 'true')}
          onChange={(event) =>
            change(event.currentTarget.checked === isUsual ? undefined : event.currentTarget.checked)
          }
        />
      );
    }
    case 'number':
    case 'pixels':
      return (
        <NumberInput
          label={label}
          min={setting.kind === 'number' ? setting.min : 0}
          value={shown === '' ? '' : Number.parseFloat(shown)}
          onChange={(number) =>
            change(number === '' ? undefined : setting.kind === 'pixels' ? `${number}px` : Number(number))
          }
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          value={shown}
          onChange={(event) => change(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        />
      );
    case 'html':
      return (
        <HtmlField label={label} rows={2} value={shown} change={(text) => change(text === '' ? undefined : text)} />
      );
    case 'choice': {
      const [usual] = setting.values;
      const values = setting.values.includes(shown) || shown === '' ? setting.values : [...setting.values, shown];
      return (
        <Select
          label={label}
          allowDeselect={false}
          data={values.map((each) => ({
            value: each,
            label: setting.values.includes(each) ? t(`is_${each}` as SettingKey) : each,
          }))}
          value={shown || usual!}
          onChange={(chosen) => change(chosen === usual ? undefined : chosen)}
        />
      );
    }
  }
}
