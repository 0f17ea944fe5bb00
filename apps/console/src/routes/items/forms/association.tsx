import { Fieldset, Select, Stack } from '@mantine/core';
import { Alternatives } from './alternatives';
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
        <Matches
          left={left}
          choices={choices}
          value={rightValueOf(data)}
          change={(answers) => change(withRightValue(data, answers))}
        />
      </Fieldset>
      <Alternatives data={data} change={change} fresh={[]}>
        {(value, set) => <Matches left={left} choices={choices} value={value} change={set} />}
      </Alternatives>
      <ShuffleField data={data} change={change} />
      <Scoring data={data} change={change} types={['exactMatch', 'partialMatch', 'partialMatchV2']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}

interface MatchesProps {
  left: readonly string[];
  choices: readonly string[];
  /** An accepted answer: the choice of each entry of the left side. */
  value: unknown;
  change: (answers: string[]) => void;
}

function Matches({ left, choices, value, change }: MatchesProps) {
  const t = useFormTexts();
  const answers = left.map((_, index) => textOf(listOf(value)[index]));
  return (
    <Stack gap="xs">
      {left.map((text, index) => (
        <Select
          key={index}
          label={t('matches', text || t('prompt', index + 1))}
          data={[...new Set(choices.filter((choice) => choice !== ''))]}
          value={answers[index] === '' ? null : answers[index]}
          onChange={(next) => change(replaced(answers, index, next ?? ''))}
        />
      ))}
    </Stack>
  );
}
