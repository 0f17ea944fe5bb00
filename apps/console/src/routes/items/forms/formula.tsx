import { Button, CloseButton, Fieldset, Group, NumberInput, Stack } from '@mantine/core';
import {
  type Data,
  type FormProps,
  listOf,
  replaced,
  rightValueOf,
  validationOf,
  withMembers,
  without,
  withRightValue,
} from './data';
import { Feedback, Scoring, StimulusField } from './fields';
import { AcceptedFormula, NEW_RULE } from './formula-rules';
import { useFormulaTexts } from './formula-texts';
import { KnownChoices } from './known-choices';

const SYMBOLS = [
  'basic',
  'basic_junior',
  'qwerty',
  'algebra',
  'trig',
  'geometry',
  'calculus',
  'greek',
  'sets',
] as const;

/** A formula, with the rules for accepted answers. */
export function FormulaForm({ data, change }: FormProps) {
  const t = useFormulaTexts();
  const validation = validationOf(data);
  const others = listOf<Data>(validation.alt_responses);
  const setOthers = (list: Data[]) =>
    change({ ...data, validation: withMembers(validation, { alt_responses: list.length > 0 ? list : undefined }) });
  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <Fieldset legend={t('rules')}>
        <AcceptedFormula value={rightValueOf(data)} change={(rules) => change(withRightValue(data, rules))} />
      </Fieldset>
      {others.map((other, index) => (
        <Fieldset key={index} legend={t('alternative', index + 1)}>
          <Stack gap="xs">
            <AcceptedFormula
              value={other.value}
              change={(value) => setOthers(replaced(others, index, { ...other, value }))}
            />
            <Group align="flex-end">
              <NumberInput
                label={t('score')}
                w={90}
                min={0}
                value={Number(other.score ?? 1)}
                onChange={(score) => setOthers(replaced(others, index, { ...other, score: Number(score) || 0 }))}
              />
              <CloseButton
                aria-label={t('remove', t('alternative', index + 1))}
                onClick={() => setOthers(without(others, index))}
              />
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <Button variant="default" onClick={() => setOthers([...others, { score: 1, value: [NEW_RULE] }])}>
        {t('add_alternative')}
      </Button>
      <KnownChoices
        label={t('symbols')}
        description={t('symbols_help')}
        names={Object.fromEntries(SYMBOLS.map((name) => [name, t(`is_${name}`)]))}
        list={listOf(data.symbols)}
        change={(list) => change(withMembers(data, { symbols: list.length > 0 ? list : undefined }))}
      />
      <Scoring data={data} change={change} types={['exactMatch']} />
      <Feedback data={data} change={change} />
    </Stack>
  );
}
