import { Fieldset, Select, Stack } from '@mantine/core';
import { useRef } from 'react';
import { type FormProps, listOf, replaced, rightValueOf, textOf, withRightValue } from './data';
import { Feedback, Scoring, ShuffleField, StimulusField } from './fields';
import { TextList } from './text-list';
import { useFormTexts } from './texts';

/** Matches: each entry of the left side belongs to one of the right side. */
export function AssociationForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const left = listOf<string>(data.stimulus_list);
  const choices = listOf<string>(data.possible_responses);
  const right = left.map((_, index) => textOf(listOf(rightValueOf(data))[index]));
  // The key names choices by their text. While somebody types, two of them can have the same one.
  const places = useRef<readonly number[]>([]);
  const rightPlaces = right.map((text, index) => {
    const place = places.current[index] ?? -1;
    if (text === '') return -1;
    return choices[place] === text ? place : choices.indexOf(text);
  });
  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <TextList
        legend={t('prompts')}
        nameOf={(number) => t('prompt', number)}
        add={t('add_row')}
        list={left}
        change={(list, order) =>
          change(
            withRightValue(
              { ...data, stimulus_list: list },
              order.map((from) => right[from] ?? ''),
            ),
          )
        }
      />
      <TextList
        legend={t('choices')}
        nameOf={(number) => t('choice', number)}
        add={t('add_option')}
        list={choices}
        min={2}
        change={(list, order) => {
          const next = rightPlaces.map((place) => (place < 0 ? -1 : order.indexOf(place)));
          places.current = next;
          change(
            withRightValue(
              { ...data, possible_responses: list },
              next.map((place) => list[place] ?? ''),
            ),
          );
        }}
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
