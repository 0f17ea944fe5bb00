import { Button, CloseButton, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { SettingField, type SettingKind } from '../../../ui/setting-field';
import { type Data, isOn, listOf, objectOf, replaced, textOf, withMembers, without } from './data';
import { useFormulaTexts } from './formula-texts';

/** The methods, and whether they compare with a formula. */
const METHODS = {
  equivSymbolic: true,
  equivLiteral: true,
  equivValue: true,
  equivSyntax: false,
  isSimplified: false,
  isFactorised: false,
  isExpanded: false,
  isUnit: true,
  isTrue: false,
  stringMatch: true,
} as const;
type Method = keyof typeof METHODS;

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
  return (
    <Group align="flex-end" gap="xs" flex={1}>
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
      {(!isKnown(method) || METHODS[method]) && (
        <TextInput
          flex="1 1 15rem"
          label={t(method === 'isUnit' || method === 'stringMatch' ? `of_${method}` : 'value')}
          value={textOf(rule.value)}
          onChange={(event) => change({ ...rule, value: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}

/** The rule with another method, without the known options that this method lacks. */
function withMethod(rule: Data, method: string): Data {
  const kept = isKnown(method) ? optionsOf(method) : ALL_OPTIONS;
  const options = Object.entries(objectOf(rule.options)).filter(
    ([name]) => kept.some((each) => each === name) || !ALL_OPTIONS.some((each) => each === name),
  );
  return { ...rule, method, options: Object.fromEntries(options) };
}

const OF_FORMULAS = [
  'setDecimalSeparator',
  'allowThousandsSeparator',
  'setThousandsSeparator',
  'ignoreText',
  'treatLettersAsVariables',
  'allowInterval',
] as const;
const OF_TEXTS = ['ignoreLeadingAndTrailingSpaces', 'treatMultipleSpacesAsOne'] as const;
/** The options that not all methods have. */
const OF_METHODS = {
  equivSymbolic: ['decimalPlaces', 'compareSides'],
  equivLiteral: ['ignoreTrailingZeros', 'ignoreCoefficientOne'],
  equivValue: ['decimalPlaces', 'compareSides'],
  equivSyntax: ['syntax'],
  isFactorised: ['field'],
  isTrue: ['decimalPlaces'],
  isSimplified: [],
  isExpanded: [],
  isUnit: [],
} as const;

type Option =
  | 'inverseResult'
  | (typeof OF_FORMULAS)[number]
  | (typeof OF_TEXTS)[number]
  | (typeof OF_METHODS)[keyof typeof OF_METHODS][number];

const optionsOf = (method: Method): readonly Option[] =>
  method === 'stringMatch' ? [...OF_TEXTS, 'inverseResult'] : [...OF_METHODS[method], ...OF_FORMULAS, 'inverseResult'];

const ALL_OPTIONS: readonly Option[] = [
  ...new Set((Object.keys(METHODS) as Method[]).flatMap((method) => optionsOf(method))),
];

function Options({ index, rule, change }: RuleProps & { index: number }) {
  const t = useFormulaTexts();
  const method = methodOf(rule);
  if (!isKnown(method)) return null;
  const options = objectOf(rule.options);
  const kinds: Partial<Record<Option, SettingKind>> = {
    decimalPlaces: { kind: 'number', isWhole: true },
    syntax: { kind: 'text' },
    field: { kind: 'choice', choices: choices(t, 'rational', 'integer', 'real', 'complex') },
    setDecimalSeparator: {
      kind: 'choice',
      choices: [
        { value: '.', label: t('point') },
        { value: ',', label: t('comma') },
        { value: '[".",","]', label: t('both') },
      ],
    },
    setThousandsSeparator: {
      kind: 'choice',
      choices: [
        { value: ',', label: t('thousands_comma') },
        { value: '.', label: t('thousands_point') },
        { value: ' ', label: t('thousands_space') },
      ],
    },
    ignoreLeadingAndTrailingSpaces: { kind: 'flag', byDefault: true },
    treatMultipleSpacesAsOne: { kind: 'flag', byDefault: true },
  };
  const shown = optionsOf(method).filter(
    (name) => name !== 'setThousandsSeparator' || isOn(options.allowThousandsSeparator),
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

const choices = (t: ReturnType<typeof useFormulaTexts>, ...values: Parameters<typeof t>[0][]) =>
  values.map((value) => ({ value, label: t(value) }));

/** A list of separators is chosen by its JSON. */
const parsed = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('[') ? (JSON.parse(value) as unknown) : value;
