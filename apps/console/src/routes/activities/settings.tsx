import { Fieldset, NumberInput, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { Fault } from '../../operations/fault';
import { TagsField } from '../../ui/tags-field';
import { type Draft, STATUSES, valueAt, withValue } from './model';
import { type Setting, SETTINGS } from './settings-list';
import { useSettingTexts } from './settings-texts';
import { useActivityTexts } from './texts';

interface SettingsProps {
  draft: Draft;
  change: (next: Partial<Draft>) => void;
  mayEdit: boolean;
  fault: unknown;
}

/** Edits the title, status and tags of an activity, and its settings for the player. */
export function Settings({ draft, change, mayEdit, fault }: SettingsProps) {
  const t = useActivityTexts();
  const s = useSettingTexts();
  const errorAt = (member: string) =>
    fault instanceof Fault
      ? fault.places.find(({ pointer }) => pointer.startsWith(`/activities/0/${member}`))?.message
      : undefined;
  return (
    <Stack maw={760}>
      <Fieldset legend={t('activity')} disabled={!mayEdit}>
        <Stack>
          <TextInput
            label={t('title')}
            description={t('title_help')}
            value={draft.title}
            onChange={({ currentTarget: { value } }) => change({ title: value })}
            error={errorAt('title')}
          />
          <Textarea
            label={t('description')}
            description={t('description_help')}
            value={draft.description}
            onChange={({ currentTarget: { value } }) => change({ description: value })}
            error={errorAt('description')}
            autosize
            minRows={2}
          />
          <Select
            label={t('status')}
            description={t('status_help')}
            data={STATUSES.map((value) => ({ value, label: t(value) }))}
            value={draft.status}
            onChange={(status) => status && change({ status })}
            allowDeselect={false}
            error={errorAt('status')}
          />
          <TagsField
            label={t('tags')}
            description={t('tags_help')}
            value={draft.tags}
            change={(tags) => change({ tags })}
            isDisabled={!mayEdit}
            error={errorAt('tags')}
          />
        </Stack>
      </Fieldset>
      {SETTINGS.map(({ group, settings }) => (
        <Fieldset key={group} legend={s(`group_${group}`)} disabled={!mayEdit}>
          <Stack>
            {settings.map((setting) => (
              <SettingField
                key={setting.name}
                setting={setting}
                value={valueAt(draft.data, setting.path)}
                set={(value) => change({ data: withValue(draft.data, setting.path, value) })}
                error={errorAt(`data/${setting.path.join('/')}`)}
              />
            ))}
          </Stack>
        </Fieldset>
      ))}
      <Text size="sm" c="dimmed">
        {t('settings_rest')}
      </Text>
    </Stack>
  );
}

interface SettingFieldProps {
  setting: Setting;
  value: unknown;
  set: (value: unknown) => void;
  error?: string;
}

function SettingField({
  setting: { name, kind, byDefault = false, choices = [] },
  value,
  set,
  error,
}: SettingFieldProps) {
  const s = useSettingTexts();
  const common = { label: s(name), description: s(`${name}_help`), error };
  if (kind === 'flag') {
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
  if (kind === 'number')
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        onChange={(next) => set(typeof next === 'number' ? next : undefined)}
        min={0}
        allowDecimal={false}
        maw={240}
      />
    );
  if (kind === 'choice') {
    const present = typeof value === 'string' ? value : '';
    const known = choices.find((each) => each === present);
    return (
      <Select
        {...common}
        data={[
          { value: '', label: s('as_usual') },
          ...choices.map((each) => ({ value: each, label: s(`choice_${each}`) })),
          ...(present !== '' && known === undefined ? [{ value: present, label: present }] : []),
        ]}
        value={present}
        onChange={(next) => set(next || undefined)}
        allowDeselect={false}
        maw={420}
      />
    );
  }
  return (
    <TextInput
      {...common}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget: { value: next } }) => set(next || undefined)}
    />
  );
}
