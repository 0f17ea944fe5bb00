import { Fieldset, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Fault } from '../../operations/fault';
import { valueAt, withValue } from '../../ui/member-path';
import { SettingField, type SettingKind } from '../../ui/setting-field';
import { TagsField } from '../../ui/tags-field';
import { type Draft, STATUSES } from './model';
import { type Setting, SETTINGS } from './settings-list';
import { useSettingTexts } from './settings-texts';
import { StartTimeField } from './start-time-field';
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
            needsName
            error={errorAt('tags')}
          />
        </Stack>
      </Fieldset>
      {SETTINGS.map(({ group, settings }) => (
        <Fieldset key={group} legend={s(`group_${group}`)} disabled={!mayEdit}>
          <Stack>
            {settings.map((setting) => {
              const member = {
                value: valueAt(draft.data, setting.path),
                set: (value: unknown) => change({ data: withValue(draft.data, setting.path, value) }),
                error: errorAt(`data/${setting.path.join('/')}`),
              };
              const kind = kindOf(setting, s);
              return kind ? (
                <SettingField
                  key={setting.name}
                  {...kind}
                  {...member}
                  label={s(setting.name)}
                  description={s(`${setting.name}_help`)}
                />
              ) : (
                <StartTimeField key={setting.name} {...member} />
              );
            })}
          </Stack>
        </Fieldset>
      ))}
      <Text size="sm" c="dimmed">
        {t('settings_rest')}
      </Text>
    </Stack>
  );
}

/** The kind of field, with the texts of its choices; undefined for a setting with a field of its own. */
function kindOf(
  { kind, byDefault, choices = [] }: Setting,
  s: ReturnType<typeof useSettingTexts>,
): SettingKind | undefined {
  if (kind === 'start') return undefined;
  if (kind === 'flag') return { kind, byDefault };
  if (kind === 'number') return { kind, isWhole: true };
  if (kind !== 'choice') return { kind };
  const known = choices.map((value) => ({ value: value as string, label: s(`choice_${value}`) }));
  return { kind, choices: [{ value: '', label: s('as_usual') }, ...known] };
}
