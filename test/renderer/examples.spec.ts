import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject } from '#kernel';
import { maxScore, score } from '#scoring';
import { isShown } from '#delivery';
import { allowedOfQuestion } from '../../libs/delivery/src/domain/allowed-members';
import { readExamples } from '../examples/check';
import { type WidgetExample } from '../examples/shapes';
import { questionPage } from './support/suite';

/** Our own examples, and those of the folder in the environment. */
const FOLDERS = [join(__dirname, '../examples/fixtures'), process.env.EXAMPLES_DIR].filter(
  (path) => path !== undefined,
);
/** Replaces pictures and sounds of other hosts, which tests never fetch. */
const PLACEHOLDER_IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
/** A file with markup that the service removes before it stores content. */
const SANITISED = 'sanitised.json';
/** Types whose keys are rules instead of answers. */
const KEYS_ARE_RULES = new Set(['clozeformula', 'clozeformulaV2', 'formulaV2', 'imageclozeformula', 'simpleshading']);

/** The questions of a folder with supported types, each once. */
function questionsIn(path: string): WidgetExample['record'][] {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.json$/i.test(file) && file !== SANITISED,
  );
  const examples = files.sort().flatMap((file) => readExamples(join(path, file)).examples);
  const widgets = examples.flatMap((example) =>
    example.kind === 'widget' ? [example] : example.kind === 'item' ? example.embedded : [],
  );
  const found = new Map(widgets.map(({ list, record }) => [`${list} ${record.reference}`, record]));
  return [...found].flatMap(([key, record]) =>
    key.startsWith('questions') && isShown(record.type) && [record.type, undefined].includes(record.data.type as string)
      ? [record]
      : [],
  );
}

/** Some keys are empty lists. */
const hasAnswer = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasAnswer) : value !== undefined && value !== null;

/** Authors use headings of any level. */
const withoutRulesOfAuthors = (violations: string[]) =>
  violations.filter((violation) => !violation.startsWith('heading-order'));

const local = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replace(/(?:https?:)?\/\/[\w-]+(?:\.[\w-]+)+[^"'\\<>]*/g, PLACEHOLDER_IMAGE)) as T;

describe.each(FOLDERS)('questions of %s', (folder) => {
  const page = questionPage();
  const questions = questionsIn(folder);

  it('exist', () => expect(questions.length).toBeGreaterThan(0));

  it.each(questions.map((record) => [record.type, record.reference, local(record.data)] as const))(
    '%s %s is shown for answers and for review, without accessibility violations and console messages',
    async (type, _, data) => {
      const definition = { ...data, type } as JsonObject & { type: string };
      const { validation } = definition as { validation?: { valid_response?: { value?: never } } };
      const right = KEYS_ARE_RULES.has(type) ? undefined : validation?.valid_response?.value;
      const shown = {
        type,
        question: allowedOfQuestion(definition, type) as never,
        heading: { level: 3, text: 'Question 1' },
      };
      await page.show(shown);
      expect(withoutRulesOfAuthors(await page.axeViolations())).toEqual([]);
      const maximum = maxScore(definition);
      await page.show({
        ...shown,
        value: right ?? null,
        mode: 'review',
        review: {
          score: right === undefined ? 0 : maximum,
          maxScore: maximum,
          ...(right === undefined ? {} : { correct: right }),
        },
      });
      expect(withoutRulesOfAuthors(await page.axeViolations())).toEqual([]);
      expect(await page.complaints()).toEqual([]);
    },
  );

  const keyed = questions.filter(({ type, data }) => {
    const { validation } = data as { validation?: { valid_response?: { value?: unknown } } };
    return !KEYS_ARE_RULES.has(type) && hasAnswer(validation?.valid_response?.value);
  });
  it.each(keyed.map((record) => [record.type, record.reference, record.data] as const))(
    '%s %s gives its maximum for the right answer, and nothing for an empty one',
    (type, _, data) => {
      const definition = { ...data, type } as JsonObject & { type: string };
      const { value } = (data as { validation: { valid_response: { value: never } } }).validation.valid_response;
      expect(score(definition, { value }).score).toBe(maxScore(definition));
      expect(score(definition, null).score ?? 0).toBeLessThanOrEqual(0);
    },
  );
});
