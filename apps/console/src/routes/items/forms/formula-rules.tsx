import { Button, CloseButton, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { SettingField, type SettingKind } from '../../../ui/setting-field';
import { type Data, isOn, listOf, objectOf, replaced, textOf, withMembers, without } from './data';
import { FormulaField } from './formula-field';
import { useFormulaTexts } from './formula-texts';

const OF_FORMULAS = [
  'setDecimalSeparator',
  'allowThousandsSeparator',
  'setThousandsSeparator',
  'ignoreText',
  'treatLettersAsVariables',
  'allowInterval',
  'inverseResult',
] as const;

/** The methods: the name of the field for the value, if they have one, and their options. */
const METHODS = {
  equivSymbolic: { value: 'value', options: ['decimalPlaces', 'compareSides', ...OF_FORMULAS] },
  equivLiteral: { value: 'value', options: ['ignoreTrailingZeros', 'ignoreCoefficientOne', ...OF_FORMULAS] },
  equivValue: { value: 'value', options: ['decimalPlaces', 'compareSides', ...OF_FORMULAS] },
  equivSyntax: { value: undefined, options: ['syntax', ...OF_FORMULAS] },
  isSimplified: { value: undefined, options: OF_FORMULAS },
  isFactorised: { value: undefined, options: ['field', ...OF_FORMULAS] },
  isExpanded: { value: undefined, options: OF_FORMULAS },
  isUnit: { value: 'unit', options: OF_FORMULAS },
  isTrue: { value: undefined, options: ['decimalPlaces', ...OF_FORMULAS] },
  stringMatch: {
    value: 'text',
    options: ['ignoreLeadingAndTrailingSpaces', 'treatMultipleSpacesAsOne', 'inverseResult'],
  },
} as const;
type Method = keyof typeof METHODS;
type Option = (typeof METHODS)[Method]['options'][number];

const ALL_OPTIONS: ReadonlySet<string> = new Set(Object.values(METHODS).flatMap(({ options }) => options));

/** The method of a rule that names none. */
const USUAL: Method = 'equivSymbolic';
export const NEW_RULE: Data = { method: USUAL, value: '', options: {} };

const isKnown = (method: string): method is Method => Object.hasOwn(METHODS, method);

interface AcceptedFormulaProps {
  /** The value of an accepted answer. */
  value: unknown;
  change: (rules: Data[]) => void;
}

/** The rules that an accepted answer meets. */
export function AcceptedFormula({ value, change }: AcceptedFormulaProps) {
  const t = useFormulaTexts();
  const stored = listOf<Data>(value);
  const rules = stored.length > 0 ? stored : [NEW_RULE];
  return (
    <Stack gap="xs">
      {rules.map((rule, index) => (
        <Stack key={index} gap="xs" role="group" aria-label={t('rule', index + 1)}>
          <Group wrap="nowrap" align="flex-end" gap="xs">
            <Rule rule={rule} change={(next) => change(replaced(rules, index, next))} />
            {rules.length > 1 && (
              <CloseButton
                aria-label={t('remove', t('rule', index + 1))}
                onClick={() => change(without(rules, index))}
              />
            )}
          </Group>
          <Options index={index} rule={rule} change={(next) => change(replaced(rules, index, next))} />
        </Stack>
      ))}
      <Button variant="default" onClick={() => change([...rules, NEW_RULE])}>
        {t('add_rule')}
      </Button>
    </Stack>
  );
}

interface RuleProps {
  rule: Data;
  change: (rule: Data) => void;
}

const methodOf = (rule: Data): string => textOf(rule.method) || USUAL;

function Rule({ rule, change }: RuleProps) {
  const t = useFormulaTexts();
  const method = methodOf(rule);
  const methods = Object.keys(METHODS) as Method[];
  const field = isKnown(method) ? METHODS[method].value : 'value';
  return (
    <Group align="flex-start" gap="xs" flex={1}>
      <Select
        flex="1 1 15rem"
        label={t('method')}
        data={[
          ...methods.map((value) => ({ value: value as string, label: t(value) })),
          ...(isKnown(method) ? [] : [{ value: method, label: method }]),
        ]}
        value={method}
        allowDeselect={false}
        onChange={(next) => change(withMethod(rule, next!))}
      />
      {field === 'value' && (
        <FormulaField label={t(field)} value={textOf(rule.value)} change={(value) => change({ ...rule, value })} />
      )}
      {(field === 'unit' || field === 'text') && (
        <TextInput
          flex="1 1 15rem"
          label={t(field)}
          value={textOf(rule.value)}
          onChange={(event) => change({ ...rule, value: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}

/** The rule with another method, without the known options that this method lacks. */
function withMethod(rule: Data, method: string): Data {
  const kept: readonly string[] = isKnown(method) ? METHODS[method].options : [...ALL_OPTIONS];
  const options = Object.entries(objectOf(rule.options)).filter(
    ([name]) => kept.includes(name) || !ALL_OPTIONS.has(name),
  );
  return { ...rule, method, options: Object.fromEntries(options) };
}

function Options({ index, rule, change }: RuleProps & { index: number }) {
  const t = useFormulaTexts();
  const method = methodOf(rule);
  if (!isKnown(method)) return null;
  const options = objectOf(rule.options);
  const kinds: Partial<Record<Option, SettingKind>> = {
    decimalPlaces: { kind: 'number', isWhole: true },
    syntax: { kind: 'text' },
    field: choice({ rational: t('rational'), integer: t('integer'), real: t('real'), complex: t('complex') }),
    setDecimalSeparator: choice({ '.': t('point'), ',': t('comma'), '[".",","]': t('both') }),
    setThousandsSeparator: choice({
      ',': t('thousands_comma'),
      '.': t('thousands_point'),
      ' ': t('thousands_space'),
    }),
    ignoreLeadingAndTrailingSpaces: { kind: 'flag', byDefault: true },
    treatMultipleSpacesAsOne: { kind: 'flag', byDefault: true },
  };
  const shown = METHODS[method].options.filter(
    (name: Option) => name !== 'setThousandsSeparator' || isOn(options.allowThousandsSeparator),
  );
  return (
    <details>
      <summary>{t('options', index + 1)}</summary>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
        {shown.map((name) => (
          <SettingField
            key={name}
            label={t(name)}
            value={Array.isArray(options[name]) ? JSON.stringify(options[name]) : options[name]}
            set={(value) => change({ ...rule, options: withMembers(options, { [name]: parsed(value) }) })}
            {...(kinds[name] ?? { kind: 'flag' })}
          />
        ))}
      </SimpleGrid>
    </details>
  );
}

/** A choice among values with these names. */
const choice = (names: Readonly<Record<string, string>>): SettingKind => ({
  kind: 'choice',
  choices: Object.entries(names).map(([value, label]) => ({ value, label })),
});

/** A list of separators is chosen by its JSON. */
const parsed = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('[') ? (JSON.parse(value) as unknown) : value;
