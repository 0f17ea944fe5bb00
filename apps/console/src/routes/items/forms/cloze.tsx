import { Button, Checkbox, Fieldset, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import {
  fitted,
  type FormProps,
  gapsIn,
  isOn,
  listOf,
  movedWithGaps,
  replaced,
  rightValueOf,
  textOf,
  withAnswers,
  withMembers,
  withPlaces,
  withRightValue,
} from './data';
import { Feedback, Scoring, ShuffleField, StimulusField } from './fields';
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
  const right = fitted(listOf<string>(rightValueOf(data)), gaps, '');
  return (
    <Stack>
      <ClozeTexts
        data={data}
        change={change}
        align={(next) =>
          withPlaces(next, (list, fresh) => movedWithGaps(list, data.template, next.template, fresh), '')
        }
      />
      <Fieldset legend={t('answer')}>
        <Stack gap="xs">
          {gaps === 0 && <Text>{t('no_gaps')}</Text>}
          {right.map((text, index) => (
            <TextInput
              key={index}
              label={t('gap_answer', index + 1)}
              value={textOf(text)}
              onChange={(event) => change(withRightValue(data, replaced(right, index, event.currentTarget.value)))}
            />
          ))}
        </Stack>
      </Fieldset>
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
      <Scoring data={data} change={change} types={['exactMatch', 'partialMatch', 'partialMatchV2']} />
      <Feedback data={data} change={change} />
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
            <Select
              label={t('gap_answer', index + 1)}
              data={[...new Set(listOf<string>(list).filter((choice) => choice !== ''))]}
              value={textOf(right[index]) || null}
              onChange={(value) => change(withRightValue(data, replaced(right, index, value ?? '')))}
            />
          </Stack>
        </Fieldset>
      ))}
      <ShuffleField data={data} change={change} />
      <Scoring data={data} change={change} types={['exactMatch', 'partialMatch', 'partialMatchV2']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}

/** The former positions of lines: unchanged ones before and after the change keep theirs, and a single changed line too. */
function orderOfLines(before: readonly string[], after: readonly string[]): number[] {
  const common = Math.min(before.length, after.length);
  let start = 0;
  while (start < common && before[start] === after[start]) start++;
  let end = 0;
  while (end < common - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const isOneLine = before.length === after.length && start + end === before.length - 1;
  return after.map((text, at) => {
    if (at < start || isOneLine) return at;
    if (at >= after.length - end) return at - after.length + before.length;
    return before.slice(0, before.length - end).indexOf(text, start);
  });
}
