import { Button, Checkbox, Fieldset, Group, Paper, Radio, Stack } from '@mantine/core';
import { plainText } from '../model';
import { Alternatives } from './alternatives';
import {
  type Data,
  type FormProps,
  isOn,
  listOf,
  moved,
  objectOf,
  replaced,
  rightValueOf,
  textOf,
  validationOf,
  withAnswers,
  withMembers,
  without,
  withRightValue,
} from './data';
import { Feedback, RowButtons, Scoring, ShuffleField, StimulusField } from './fields';
import { HtmlField } from './html-field';
import { useFormTexts } from './texts';

interface Option {
  label: string;
  value: string;
}

/** Multiple choice, with one or several right answers. */
export function McqForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const options = listOf<Option>(data.options);
  const right = valuesOf(rightValueOf(data));
  const isMultiple = isOn(data.multiple_responses);
  const metadata = objectOf(data.metadata);
  const rationales = listOf<string>(metadata.distractor_rationale_response_level);

  function setOptions(next: Option[], nextRationales: string[]) {
    const hasRationale = nextRationales.some((text) => textOf(text) !== '');
    const values = new Set(next.map(({ value }) => value));
    const changed: Data = {
      ...data,
      options: next,
      ...(hasRationale || rationales.length > 0
        ? {
            metadata: withMembers(metadata, {
              distractor_rationale_response_level: hasRationale ? nextRationales : undefined,
            }),
          }
        : {}),
    };
    change(withAnswers(changed, (answer) => valuesOf(answer).filter((value) => values.has(value))));
  }
  const aligned = options.map((_, index) => textOf(rationales[index]));

  function setSeveral(several: boolean) {
    const next = { ...data, multiple_responses: several };
    if (several) return change(withRightValue(next, right));
    // An answer that is a single option has no parts that could count.
    const single = withAnswers(next, (answer) => answer.slice(0, 1));
    change({ ...single, validation: { ...validationOf(single), scoring_type: 'exactMatch' } });
  }

  const Choice = isMultiple ? Checkbox : Radio;
  /** The values of an accepted answer after somebody has chosen an option, or no longer. */
  const chosenOf = (answer: readonly string[], value: string, isChosen: boolean): string[] =>
    isMultiple
      ? options.map((option) => option.value).filter((each) => (each === value ? isChosen : answer.includes(each)))
      : [value];

  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <Checkbox
        label={t('several')}
        checked={isMultiple}
        onChange={(event) => setSeveral(event.currentTarget.checked)}
      />
      <Fieldset legend={t('options')}>
        <Stack gap="sm">
          {options.map((option, index) => {
            const name = t('option', index + 1);
            return (
              <Paper withBorder p="xs" key={index}>
                <Group justify="space-between">
                  <Choice
                    label={`${name}: ${t('is_right')}`}
                    checked={right.includes(option.value)}
                    onChange={(event) =>
                      change(withRightValue(data, chosenOf(right, option.value, event.currentTarget.checked)))
                    }
                  />
                  <RowButtons
                    name={name}
                    index={index}
                    count={options.length}
                    min={2}
                    move={(from, to) => setOptions(moved(options, from, to), moved(aligned, from, to))}
                    remove={(at) => setOptions(without(options, at), without(aligned, at))}
                  />
                </Group>
                <HtmlField
                  label={name}
                  rows={1}
                  value={textOf(option.label)}
                  change={(label) => setOptions(replaced(options, index, { ...option, label }), aligned)}
                />
                <HtmlField
                  label={t('rationale', index + 1)}
                  rows={1}
                  value={aligned[index]!}
                  change={(text) => setOptions(options, replaced(aligned, index, text))}
                />
              </Paper>
            );
          })}
          <Button
            variant="default"
            onClick={() => setOptions([...options, { label: '', value: freeValue(options) }], [...aligned, ''])}
          >
            {t('add_option')}
          </Button>
        </Stack>
      </Fieldset>
      <Alternatives data={data} change={change} fresh={[]}>
        {(value, set) => (
          <Stack gap="xs">
            {options.map((option, index) => (
              <Choice
                key={index}
                label={[t('option', index + 1), plainText(option.label)].filter(Boolean).join(': ')}
                checked={valuesOf(value).includes(option.value)}
                onChange={(event) => set(chosenOf(valuesOf(value), option.value, event.currentTarget.checked))}
              />
            ))}
          </Stack>
        )}
      </Alternatives>
      <ShuffleField data={data} change={change} />
      <Scoring
        data={data}
        change={change}
        types={isMultiple ? ['exactMatch', 'partialMatch', 'partialMatchV2'] : ['exactMatch']}
      />
      <Feedback data={data} change={change} />
    </Stack>
  );
}

/** The values of options that an accepted answer has. */
const valuesOf = (answer: unknown): string[] => listOf(answer).map(textOf);

/** A value that no option has. Values stay when options move, so that stored responses keep their meaning. */
function freeValue(options: readonly Option[]): string {
  const taken = new Set(options.map(({ value }) => textOf(value)));
  let number = options.length;
  while (taken.has(String(number))) number++;
  return String(number);
}
