import { Fieldset, Select, Stack } from '@mantine/core';
import {
  fitted,
  type FormProps,
  listOf,
  reordered,
  replaced,
  rightValueOf,
  textOf,
  withAnswers,
  withPlaces,
  withRightValue,
} from './data';
import { Feedback, Scoring, ShuffleField, StimulusField } from './fields';
import { TextList } from './text-list';
import { useFormTexts } from './texts';
import { useChosen } from './use-chosen';

/** Matches: each entry of the left side belongs to one of the right side. */
export function AssociationForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const left = listOf<string>(data.stimulus_list);
  const choices = listOf<string>(data.possible_responses);
  const right = left.map((_, index) => textOf(listOf(rightValueOf(data))[index]));
  const chosen = useChosen();
  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <TextList
        legend={t('prompts')}
        nameOf={(number) => t('prompt', number)}
        add={t('add_row')}
        list={left}
        change={(list, order) =>
          change(withPlaces({ ...data, stimulus_list: list }, (each, fresh) => reordered(each, order, fresh), ''))
        }
      />
      <TextList
        legend={t('choices')}
        nameOf={(number) => t('choice', number)}
        add={t('add_option')}
        list={choices}
        min={2}
        change={(list, order) =>
          change(
            withAnswers({ ...data, possible_responses: list }, (answer, at) =>
              fitted(answer, left.length, '').map(
                (text, row) => chosen.follow(`${at} ${row}`, textOf(text), choices, list, order) ?? '',
              ),
            ),
          )
        }
      />
      <Fieldset legend={t('answer')}>
        <Stack gap="xs">
          {left.map((text, index) => (
            <Select
              key={index}
              label={t('matches', text || t('prompt', index + 1))}
              data={[...new Set(choices.filter((choice) => choice !== ''))]}
              value={right[index] === '' ? null : right[index]}
              onChange={(value) => change(withRightValue(data, replaced(right, index, value ?? '')))}
            />
          ))}
        </Stack>
      </Fieldset>
      <ShuffleField data={data} change={change} />
      <Scoring data={data} change={change} types={['exactMatch', 'partialMatch', 'partialMatchV2']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}
