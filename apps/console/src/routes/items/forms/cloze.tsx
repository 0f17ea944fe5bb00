import { Button, Fieldset, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Alternatives } from './alternatives';
import {
  fitted,
  type FormProps,
  gapsIn,
  listOf,
  movedWithGaps,
  replaced,
  rightValueOf,
  textOf,
  unchangedEnds,
  withAnswers,
  withPlaces,
  withRightValue,
} from './data';
import { Feedback, Scoring, ShuffleField, StimulusField, TypingFields } from './fields';
import { HtmlField } from './html-field';
import { useFormTexts } from './texts';
import { useChosen } from './use-chosen';

const GAP = '{{response}}';

/** The stimulus and the text with gaps. */
function ClozeTexts({ data, change, align }: FormProps & { align: (data: FormProps['data']) => FormProps['data'] }) {
  const t = useFormTexts();
  return (
    <>
      <StimulusField data={data} change={change} />
      <HtmlField
        label={t('template')}
        value={textOf(data.template)}
        change={(template) => change(align({ ...data, template }))}
        buttons={(insert) => (
          <Button size="compact-xs" variant="light" onClick={() => insert(GAP)}>
            {t('add_gap')}
          </Button>
        )}
      />
    </>
  );
}

/** Gaps that learners fill by typing. */
export function ClozetextForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const gaps = gapsIn(data.template);
  return (
    <Stack>
      <ClozeTexts
        data={data}
        change={change}
        align={(next) =>
          withPlaces(next, (list, fresh) => movedWithGaps(list, data.template, next.template, fresh), '')
        }
      />
      {gaps === 0 && <Text>{t('no_gaps')}</Text>}
      <Fieldset legend={t('answer')}>
        <GapTexts gaps={gaps} value={rightValueOf(data)} change={(answers) => change(withRightValue(data, answers))} />
      </Fieldset>
      <Alternatives data={data} change={change} fresh={[]}>
        {(value, set) => <GapTexts gaps={gaps} value={value} change={set} />}
      </Alternatives>
      <TypingFields data={data} change={change} />
      <Scoring data={data} change={change} types={['exactMatch', 'partialMatch', 'partialMatchV2']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}

interface GapTextsProps {
  gaps: number;
  /** An accepted answer: a list with a text for each gap. */
  value: unknown;
  change: (answers: string[]) => void;
}

function GapTexts({ gaps, value, change }: GapTextsProps) {
  const t = useFormTexts();
  const answers = fitted(listOf<string>(value), gaps, '');
  return (
    <Stack gap="xs">
      {answers.map((text, index) => (
        <TextInput
          key={index}
          label={t('gap_answer', index + 1)}
          value={textOf(text)}
          onChange={(event) => change(replaced(answers, index, event.currentTarget.value))}
        />
      ))}
    </Stack>
  );
}

/** Gaps with a list of choices each. */
export function ClozedropdownForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const gaps = gapsIn(data.template);
  const choices = fitted(listOf<string[]>(data.possible_responses), gaps, []);
  const right = fitted(listOf<string>(rightValueOf(data)), gaps, '');

  const chosen = useChosen();

  function setChoices(gap: number, next: string[]) {
    const before = listOf<string>(choices[gap]);
    const order = orderOfLines(before, next);
    change(
      withAnswers({ ...data, possible_responses: replaced(choices, gap, next) }, (answer, at) => {
        const texts = fitted(answer, gaps, '');
        const text = textOf(texts[gap]);
        // A line that was cut out may be pasted elsewhere.
        return replaced(texts, gap, chosen.follow(`${at} ${gap}`, text, before, next, order) ?? text);
      }),
    );
  }

  return (
    <Stack>
      <ClozeTexts
        data={data}
        change={change}
        align={(next) =>
          withPlaces(
            { ...next, possible_responses: movedWithGaps(choices, data.template, next.template, []) },
            (list, fresh) => movedWithGaps(list, data.template, next.template, fresh),
            '',
          )
        }
      />
      {gaps === 0 && <Text>{t('no_gaps')}</Text>}
      {choices.map((list, index) => (
        <Fieldset key={index} legend={t('gap', index + 1)}>
          <Stack gap="xs">
            <Textarea
              label={t('gap_options', index + 1)}
              autosize
              minRows={2}
              value={listOf<string>(list).join('\n')}
              onChange={(event) => setChoices(index, event.currentTarget.value.split('\n'))}
            />
            <GapChoice
              gap={index}
              choices={choices}
              answers={right}
              change={(answers) => change(withRightValue(data, answers))}
            />
          </Stack>
        </Fieldset>
      ))}
      <Alternatives data={data} change={change} fresh={[]}>
        {(value, set) => (
          <Stack gap="xs">
            {choices.map((_, index) => (
              <GapChoice
                key={index}
                gap={index}
                choices={choices}
                answers={fitted(listOf<string>(value), gaps, '')}
                change={set}
              />
            ))}
          </Stack>
        )}
      </Alternatives>
      <ShuffleField data={data} change={change} />
      <Scoring data={data} change={change} types={['exactMatch', 'partialMatch', 'partialMatchV2']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}

interface GapChoiceProps {
  gap: number;
  choices: readonly string[][];
  answers: readonly string[];
  change: (answers: string[]) => void;
}

/** The choice of a gap in an accepted answer. */
function GapChoice({ gap, choices, answers, change }: GapChoiceProps) {
  const t = useFormTexts();
  return (
    <Select
      label={t('gap_answer', gap + 1)}
      data={[...new Set(listOf<string>(choices[gap]).filter((choice) => choice !== ''))]}
      value={textOf(answers[gap]) || null}
      onChange={(value) => change(replaced(answers, gap, value ?? ''))}
    />
  );
}

/** The former positions of lines; -1 for a new one. A single changed line keeps its position. */
function orderOfLines(before: readonly string[], after: readonly string[]): number[] {
  const { start, end } = unchangedEnds(before, after);
  const isOneLine = before.length === after.length && start + end === before.length - 1;
  return after.map((text, at) => {
    if (at < start || isOneLine) return at;
    if (at >= after.length - end) return at - after.length + before.length;
    return before.slice(0, before.length - end).indexOf(text, start);
  });
}
