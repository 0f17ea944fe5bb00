import { ActionIcon, Checkbox, Fieldset, Group, NumberInput, Select, SimpleGrid } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { type Data, type FormProps, isOn, objectOf, textOf, validationOf, withMembers } from './data';
import { HtmlField } from './html-field';
import { useFormTexts } from './texts';

interface RowButtonsProps {
  name: string;
  index: number;
  count: number;
  /** The fewest entries that must stay. */
  min?: number;
  move: (from: number, to: number) => void;
  /** Absent: entries are only moved. */
  remove?: (index: number) => void;
}

/** Moves and removes an entry of a list, without dragging. */
export function RowButtons({ name, index, count, min = 1, move, remove }: RowButtonsProps) {
  const t = useFormTexts();
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        aria-label={t('up', name)}
        disabled={index === 0}
        onClick={() => move(index, index - 1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        aria-label={t('down', name)}
        disabled={index === count - 1}
        onClick={() => move(index, index + 1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      {remove && (
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={t('remove', name)}
          disabled={count <= min}
          onClick={() => remove(index)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

export function StimulusField({ data, change }: FormProps) {
  const t = useFormTexts();
  const stimulus = textOf(data.stimulus);
  return <HtmlField label={t('stimulus')} value={stimulus} change={(next) => change({ ...data, stimulus: next })} />;
}

/** Whether learners see the options in another order each time. */
export function ShuffleField({ data, change }: FormProps) {
  const t = useFormTexts();
  return (
    <Checkbox
      label={t('shuffle')}
      checked={isOn(data.shuffle_options)}
      onChange={(event) => change({ ...data, shuffle_options: event.currentTarget.checked })}
    />
  );
}

/** How short texts are typed and compared. */
export function TypingFields({ data, change }: FormProps) {
  const t = useFormTexts();
  return (
    <>
      <Checkbox
        label={t('case_sensitive')}
        checked={isOn(data.case_sensitive)}
        onChange={(event) => change({ ...data, case_sensitive: event.currentTarget.checked })}
      />
      <NumberInput
        label={t('max_length')}
        min={1}
        max={250}
        value={Number(data.max_length) || ''}
        onChange={(value) => change(withMembers(data, { max_length: Number(value) || undefined }))}
      />
    </>
  );
}

interface ScoringProps extends FormProps {
  /** The ways in which parts of this type may count. */
  types: readonly ('exactMatch' | 'partialMatch' | 'partialMatchV2' | 'partialMatchPairwise')[];
}

/** How an automatically scored question gives points. */
export function Scoring({ data, change, types }: ScoringProps) {
  const t = useFormTexts();
  const validation = validationOf(data);
  const valid = objectOf(validation.valid_response);
  const type = textOf(validation.scoring_type) || 'exactMatch';
  const known = types.map((value) => ({ value: value as string, label: t(value) }));
  const set = (members: Data) => change({ ...data, validation: withMembers(validation, members) });
  const isEach = type === 'partialMatch' || type === 'partialMatchPairwise';
  return (
    <Fieldset legend={t('scoring')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label={t('scoring_type')}
          data={known.some(({ value }) => value === type) ? known : [...known, { value: type, label: type }]}
          value={type}
          allowDeselect={false}
          onChange={(value) => set({ scoring_type: value })}
        />
        <NumberInput
          label={t(isEach ? 'score_each' : 'score')}
          min={0}
          value={Number(valid.score ?? 1)}
          onChange={(score) => set({ valid_response: { ...valid, score: Number(score) || 0 } })}
        />
        <NumberInput
          label={t('penalty')}
          min={0}
          value={Number(validation.penalty ?? 0)}
          onChange={(penalty) => set({ penalty: Number(penalty) || undefined })}
        />
      </SimpleGrid>
      <Checkbox
        mt="sm"
        label={t('unscored')}
        checked={isOn(validation.unscored)}
        onChange={(event) => set({ unscored: event.currentTarget.checked || undefined })}
      />
    </Fieldset>
  );
}

/** The explanation that learners see after they have answered. */
export function Feedback({ data, change }: FormProps) {
  const t = useFormTexts();
  const metadata = objectOf(data.metadata);
  const value = typeof metadata.distractor_rationale === 'string' ? metadata.distractor_rationale : '';
  return (
    <HtmlField
      label={t('feedback')}
      rows={2}
      value={value}
      change={(text) =>
        change(
          withMembers(data, {
            metadata: withMembers(metadata, { distractor_rationale: text === '' ? undefined : text }),
          }),
        )
      }
    />
  );
}
