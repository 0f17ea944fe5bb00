import { NumberInput, Select, Switch, TextInput } from '@mantine/core';

/** A member of stored data that needs one field. */
export type SettingKind =
  | { kind: 'flag'; byDefault?: boolean }
  | { kind: 'number'; min?: number; isWhole?: boolean }
  | { kind: 'text' }
  /** The first value applies when the data has none. */
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] };

type SettingFieldProps = SettingKind & {
  label: string;
  description?: string;
  error?: string;
  value: unknown;
  /** Receives undefined when the member is to go. */
  set: (value: unknown) => void;
};

/** Edits one member of stored data. Usual values are not stored. */
export function SettingField({ label, description, error, value, set, ...setting }: SettingFieldProps) {
  const common = { label, description, error };
  const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  switch (setting.kind) {
    case 'flag': {
      const { byDefault = false } = setting;
      const isOn =
        value === undefined || value === null ? byDefault : value !== false && value !== 'false' && value !== 0;
      return (
        <Switch
          {...common}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => set(checked === byDefault ? undefined : checked)}
        />
      );
    }
    case 'number':
      return (
        <NumberInput
          {...common}
          value={shown}
          onChange={(next) => set(typeof next === 'number' ? next : undefined)}
          min={setting.min ?? 0}
          allowDecimal={setting.isWhole !== true}
          maw={240}
        />
      );
    case 'choice': {
      const { choices } = setting;
      const isKnown = shown === '' || choices.some((each) => each.value === shown);
      return (
        <Select
          {...common}
          data={isKnown ? choices : [...choices, { value: shown, label: shown }]}
          value={shown || choices[0]!.value}
          onChange={(next) => set(next === choices[0]!.value ? undefined : next)}
          allowDeselect={false}
          maw={420}
        />
      );
    }
    case 'text':
      return (
        <TextInput
          {...common}
          value={shown}
          onChange={({ currentTarget: { value: next } }) => set(next || undefined)}
        />
      );
  }
}
