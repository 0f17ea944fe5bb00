import { TextInput } from '@mantine/core';
import { objectOf } from '../../ui/member-path';
import { SettingField } from '../../ui/setting-field';
import { localTime, momentIn } from '../history/times';
import { useSettingTexts } from './settings-texts';

interface StartTimeFieldProps {
  /** `config.time.start_time` of the activity. */
  value: unknown;
  set: (value: object | undefined) => void;
  error?: string;
}

/** Edits when a test begins. The time is stored in UTC, as `20260815-1305`, and shown in the time zone of the author. */
export function StartTimeField({ value: startTime, set, error }: StartTimeFieldProps) {
  const s = useSettingTexts();
  const { type, value } = objectOf(startTime);
  const iso = momentIn(String(value).replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5Z'));
  return (
    <>
      <SettingField
        kind="choice"
        choices={[
          { value: '', label: s('as_usual') },
          { value: 'hard', label: s('choice_start_hard') },
          { value: 'soft', label: s('choice_start_soft') },
        ]}
        label={s('start_time')}
        description={s('start_time_help')}
        value={type}
        set={(next) => set(next === undefined ? undefined : { type: next })}
        error={error}
      />
      {type === 'hard' && (
        <TextInput
          type="datetime-local"
          label={s('start_value')}
          description={s('start_value_help')}
          value={localTime(iso).slice(0, 'YYYY-MM-DDTHH:MM'.length)}
          onChange={({ currentTarget }) => {
            const next = momentIn(currentTarget.value)?.replace(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+).*/, '$1$2$3-$4$5');
            set({ type, ...(next && { value: next }) });
          }}
          error={iso === undefined && s('start_value_missing')}
          maw={240}
        />
      )}
    </>
  );
}
