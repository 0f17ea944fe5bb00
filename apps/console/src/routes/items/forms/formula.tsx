import { Fieldset, Stack } from '@mantine/core';
import { Alternatives } from './alternatives';
import { type FormProps, listOf, rightValueOf, withMembers, withRightValue } from './data';
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
  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <Fieldset legend={t('rules')}>
        <AcceptedFormula value={rightValueOf(data)} change={(rules) => change(withRightValue(data, rules))} />
      </Fieldset>
      <Alternatives data={data} change={change} fresh={[NEW_RULE]}>
        {(value, set) => <AcceptedFormula value={value} change={set} />}
      </Alternatives>
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
