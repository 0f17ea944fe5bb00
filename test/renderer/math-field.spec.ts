import { score } from '#scoring';
import { clozeformula } from './cases/clozeformula';
import { formulaV2 } from './cases/formulaV2';
import { type Case, commonTests, questionPage, shownOf } from './support/suite';

/** A placeholder is a text in the field. A live region of each field tells where the caret is. */
const inTwoDimensions = (given: Case): Case => ({
  ...given,
  name: `${given.name}, in two dimensions`,
  tree: given.tree
    .replace(/^( *)(- textbox "[^"]*")(?:(:\n) +- \/placeholder(: \w+))?$/gm, (_, indent, field, other, text) =>
      [field, ...(other ? [`- text${text}`] : []), '- status'].map((line) => indent + line).join('\n'),
    )
    .replace('Type as formula', 'Type as text'),
});

describe('formulas in two dimensions', () => {
  const page = questionPage();
  beforeAll(() => page.typeFormulasAs('formula'));
  const [fraction, template] = formulaV2.map(shownOf);
  const [cloze] = clozeformula.map(shownOf);
  const field = (name: string) => page.question.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.question.getByRole('button', { name, exact: true });

  describe.each([formulaV2[1]!, clozeformula[0]].map((given) => [`${given.type}, ${given.name}`, given] as const))(
    '%s',
    (_, given) => commonTests(page, inTwoDimensions(given)),
  );

  it.each([
    ['1/2', '\\frac{1}{2}'],
    ['1 1/2', '1\\frac{1}{2}'],
    ['x/2 +1', '\\frac{x}{2}+1'],
  ])('types %s', async (typed, latex) => {
    await page.show(fraction!);
    await field('Half of x.').focus();
    await page.page.keyboard.type(typed);
    expect(await page.value()).toBe(latex);
  });
});
