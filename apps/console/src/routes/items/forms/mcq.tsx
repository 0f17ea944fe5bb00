import { Button, Checkbox, Fieldset, Group, Paper, Radio, Stack } from '@mantine/core';
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
  const right = listOf<string>(rightValueOf(data)).map(textOf);
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
    change(
      withRightValue(
        changed,
        right.filter((value) => values.has(value)),
      ),
    );
  }
  const aligned = options.map((_, index) => textOf(rationales[index]));

  function setRight(value: string, isRight: boolean) {
    const chosen = isMultiple
      ? options.map((option) => option.value).filter((each) => (each === value ? isRight : right.includes(each)))
      : [value];
    change(withRightValue(data, chosen));
  }

  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <Checkbox
        label={t('several')}
        checked={isMultiple}
        onChange={(event) => {
          const several = event.currentTarget.checked;
          change(withRightValue({ ...data, multiple_responses: several }, several ? right : right.slice(0, 1)));
        }}
      />
      <Fieldset legend={t('options')}>
        <Stack gap="sm">
          {options.map((option, index) => {
            const name = t('option', index + 1);
            const Choice = isMultiple ? Checkbox : Radio;
            return (
              <Paper withBorder p="xs" key={index}>
                <Group justify="space-between">
                  <Choice
                    label={`${name}: ${t('is_right')}`}
                    checked={right.includes(textOf(option.value))}
                    onChange={(event) => setRight(textOf(option.value), event.currentTarget.checked)}
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

/** A value that no option has. Values stay when options move, so that stored responses keep their meaning. */
function freeValue(options: readonly Option[]): string {
  const taken = new Set(options.map(({ value }) => textOf(value)));
  let number = options.length;
  while (taken.has(String(number))) number++;
  return String(number);
}
