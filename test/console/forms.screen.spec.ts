import type { Locator, Page } from 'playwright-core';
import { write } from '../support/bank';
import { feature, item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { until } from '../support/until';
import { barriers, barriersInBothSchemes, ConsoleBrowser, saved } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
interface Stored {
  response_containers?: unknown;
  metadata?: { distractor_rationale_response_level?: string[] };
  list?: string[];
  possible_responses?: unknown;
  validation: { valid_response: { value: unknown }; alt_responses?: { score: number; value: unknown }[] };
}

const keyed = (value: unknown) => ({ scoring_type: 'exactMatch', valid_response: { score: 1, value } });

/** A key with an alternative of half the points. */
const alternatively = (value: unknown, other: unknown) => ({
  ...keyed(value),
  alt_responses: [{ score: 0.5, value: other }],
});

const DATA: Record<string, object> = {
  gaps: {
    type: 'clozetext',
    template: '<p>Two {{response}}, three {{response}}, four {{response}}.</p>',
    validation: keyed(['mice', 'geese', 'oxen']),
  },
  menus: {
    type: 'clozedropdown',
    template: '<p>{{response}} and {{response}}</p>',
    possible_responses: [
      ['salt', 'sand'],
      ['pepper', 'paper'],
    ],
    validation: keyed(['salt', 'pepper']),
  },
  pairs: {
    type: 'association',
    stimulus_list: ['ten', 'one', 'none yet'],
    possible_responses: ['10', '1'],
    validation: keyed(['10', '1', '']),
  },
  flat: {
    type: 'choicematrix',
    ui_style: { type: 'inline', stem_width: '50%', option_width: '10em', horizontal_lines: true },
    stems: ['Sun', 'Moon'],
    options: ['Star', 'Other'],
    validation: keyed([0, 1]),
  },
  spellings: {
    type: 'clozetext',
    template: '<p>The {{response}} of the {{response}}.</p>',
    response_containers: [{ width: '80px' }, { width: '160px' }],
    validation: alternatively(['colour', 'tyre'], ['color', 'tire']),
    metadata: { distractor_rationale_response_level: ['On the wall', 'On the wheel'] },
  },
  spices: {
    type: 'clozedropdown',
    template: '<p>{{response}}</p>',
    possible_responses: [['salt', 'salty', 'sand']],
    validation: alternatively(['salt'], ['salty']),
  },
  capitals: {
    type: 'association',
    stimulus_list: ['Bolivia', 'Chad'],
    possible_responses: ['Sucre', "N'Djamena", 'La Paz'],
    validation: alternatively(['Sucre', "N'Djamena"], ['La Paz', "N'Djamena"]),
  },
  bodies: {
    type: 'choicematrix',
    stems: ['Sun', 'Moon', 'Pluto'],
    options: ['Star', 'Planet', 'Other'],
    validation: alternatively([[0], [2], [2]], [[0], [2], [1]]),
  },
  stages: {
    type: 'orderlist',
    list: ['butterfly', 'egg', 'stone', 'larva'],
    validation: alternatively([1, 3, 0, 2], [2, 3, 1, 0]),
  },
  several: {
    type: 'choicematrix',
    multiple_responses: true,
    stems: ['4', '6'],
    options: ['even', 'square', 'odd'],
    validation: keyed([[0, 1], [0]]),
  },
  elements: {
    type: 'clozetext',
    template: '<p>One {{response}}</p>',
    validation: { ...keyed(['mouse']), scoring_type: 'partialMatchElement' },
  },
  grouped: {
    type: 'association',
    stimulus_list: ['Oak'],
    group_possible_responses: true,
    possible_responses: [{ title: 'Plants', responses: ['tree', 'herb'] }],
    validation: keyed(['tree']),
  },
  essay: {
    type: 'longtextV2',
    max_length: 100,
    formatting_options: ['bold', '|', 'image', 'horizontalRule'],
    ui_style: { min_height: '200px', fontsize: 'large' },
    validation: { max_score: 5 },
  },
  'open-gaps': {
    type: 'clozetext',
    template: '<p>A {{response}} needs {{response}}.</p>',
    validation: keyed(['truck', 'gas']),
  },
  'open-menus': {
    type: 'clozedropdown',
    template: '<p>{{response}}</p>',
    possible_responses: [['salt', 'pepper']],
    validation: keyed(['salt']),
  },
  'open-pairs': {
    type: 'association',
    stimulus_list: ['Bolivia', 'Chad'],
    possible_responses: ['Sucre', "N'Djamena", 'La Paz'],
    validation: keyed(['Sucre', "N'Djamena"]),
  },
  primes: {
    type: 'mcq',
    multiple_responses: true,
    options: ['two', 'three', 'four', 'five'].map((label, at) => ({ label, value: String(at) })),
    validation: alternatively(['0', '1'], ['1', '3']),
  },
  odds: {
    type: 'mcq',
    multiple_responses: true,
    options: ['two', 'three', 'five'].map((label, at) => ({ label, value: String(at) })),
    validation: { ...alternatively(['1', '2'], ['2', '1']), scoring_type: 'partialMatch' },
  },
  'open-options': {
    type: 'mcq',
    multiple_responses: true,
    options: ['<p>red</p>', 'blue', '<img src="/sea.png" alt="green">'].map((label, at) => ({
      label,
      value: String(at),
    })),
    validation: keyed(['0', '1']),
  },
  'open-matrix': {
    type: 'choicematrix',
    stems: ['Sun', 'Pluto'],
    options: ['Star', 'Planet', 'Other', 'Asteroid', 'Satellite', 'Meteorite', 'Constellation'],
    validation: keyed([[0], [2]]),
  },
  'open-order': {
    type: 'orderlist',
    list: ['pie', 'soup', 'salad'],
    validation: keyed([1, 2, 0]),
  },
  formula: {
    type: 'formulaV2',
    is_math: true,
    symbols: [{ title: 'Mine', value: ['x'] }, 'basic'],
    validation: keyed([
      { method: 'equivSymbolic', value: '2x+2', options: { decimalPlaces: 3, ignoreText: true, ignoreOrder: true } },
    ]),
  },
  water: { type: 'shorttext', validation: alternatively('H2O', 'water') },
  sums: {
    type: 'formulaV2',
    symbols: ['basic'],
    validation: alternatively(
      [{ method: 'equivLiteral', value: '2x+2', options: { ignoreOrder: true } }, { method: 'isFactorised' }],
      [{ method: 'equivSymbolic', value: 'x' }],
    ),
  },
  older: {
    type: 'mcq',
    options: [
      { label: 'Yes', value: '0' },
      { label: 'No', value: '1' },
    ],
    valid_responses: ['1'],
    validation: {},
  },
};

/** Questions of all types with a form. They have further accepted answers, if their type can have them. */
const EVERY = 'primes bodies spellings spices capitals stages water essay sums'.split(' ');

beforeAll(async () => {
  const questions = Object.entries(DATA).map(([reference, data]) =>
    question({ reference, type: (data as { type: string }).type, data: { stimulus: `<p>${reference}</p>`, ...data } }),
  );
  await write(console.service.client, {
    questions,
    features: [
      feature({ reference: 'woods', data: { type: 'sharedpassage', heading: 'Woods', content: '<p>Oaks.</p>' } }),
    ],
    items: [
      ...Object.keys(DATA).map((reference) => item([reference], { reference: `i-${reference}` })),
      item(EVERY, { reference: 'i-every' }),
      item(['woods'], { reference: 'i-woods' }),
    ],
  });
});

/** The stored definition of a question. */
const stored = async (reference: string) => {
  const { data } = await console.service.client.get('itembank/questions', { references: [reference] });
  const [found] = Object.values(data as Record<string, { data: Stored }>);
  return found!.data;
};

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Writes a text as HTML. */
async function fillHtml(page: Page, name: string, html: string): Promise<void> {
  const view = page.getByRole('group', { name, exact: true }).getByRole('button', { name: 'HTML' });
  if ((await view.getAttribute('aria-pressed')) === 'false') await view.click();
  await field(page, name).and(page.locator('textarea')).fill(html);
}

/** Adds a further accepted answer. */
async function add(page: Page, points: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add an accepted answer' }).click();
  const answer = page.getByRole('group', { name: 'Accepted answer 1' });
  await answer.getByRole('textbox', { name: 'Points' }).fill(points);
  return answer;
}

/** Opens the form of a question, makes the changes, and saves them. */
async function edit(reference: string, change: (page: Page) => Promise<void>) {
  const { close, page } = await console.signIn(['author']);
  await console.visit(page, `/items/i-${reference}?tab=edit`);
  await page.getByRole('radiogroup', { name: reference }).getByText('Form', { exact: true }).click();
  await change(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  await close();
  return stored(reference);
}

describe('the form of a question', () => {
  it('keeps the answer of each gap when another one is removed or added', async () => {
    const template = (text: string) => (page: Page) => fillHtml(page, 'Text with gaps', text);
    const shorter = await edit('gaps', template('<p>Two {{response}}, four {{response}}.</p>'));
    expect(shorter.validation.valid_response.value).toEqual(['mice', 'oxen']);
    const longer = await edit('gaps', template('<p>One {{response}}, two {{response}}, four {{response}}.</p>'));
    expect(longer.validation.valid_response.value).toEqual(['', 'mice', 'oxen']);
    const menus = await edit('menus', template('<p>{{response}}</p>'.replace('{{', 'sugar and {{')));
    expect(menus).toMatchObject({ possible_responses: [['pepper', 'paper']] });
    expect(menus.validation.valid_response.value).toEqual(['pepper']);
  });

  it('keeps the right choice of a gap when its text changes', async () => {
    const data = await edit('menus', (page) =>
      field(page, 'Choices of gap 1, one in each line').fill('black pepper\npaper'),
    );
    expect(data.possible_responses).toEqual([['black pepper', 'paper']]);
    expect(data.validation.valid_response.value).toEqual(['black pepper']);
  });

  it('keeps the pairs of a match while a choice has the text of another one for a moment', async () => {
    const data = await edit('pairs', async (page) => {
      await field(page, 'Right 2').press('End');
      await page.keyboard.type('00');
      await page.getByRole('button', { name: 'Add an option' }).click();
      await field(page, 'Right 3').fill('new');
    });
    expect(data.possible_responses).toEqual(['10', '100', 'new']);
    expect(data.validation.valid_response.value).toEqual(['10', '100', '']);
  });

  it('keeps the chosen text of a gap while another choice has the same text for a moment', async () => {
    const data = await edit('spices', async (page) => {
      const choices = field(page, 'Choices of gap 1, one in each line');
      await choices.press('ControlOrMeta+Home');
      for (const key of ['ArrowDown', 'End', 'Backspace']) await page.keyboard.press(key);
      await page.keyboard.type(' water');
    });
    expect(data.possible_responses).toEqual([['salt', 'salt water', 'sand']]);
    expect(data.validation).toMatchObject(alternatively(['salt'], ['salt water']));
  });

  it('changes the alternatives of the key with the gaps, rows, columns and choices', async () => {
    const gaps = await edit('spellings', async (page) => {
      await fillHtml(page, 'Text with gaps', '<p>The of the {{response}}.</p>');
    });
    expect(gaps).toMatchObject({
      response_containers: [{ width: '160px' }],
      validation: alternatively(['tyre'], ['tire']),
      metadata: { distractor_rationale_response_level: ['On the wheel'] },
    });

    const pairs = await edit('capitals', async (page) => {
      await page.getByRole('button', { name: 'Move Left 2 up' }).click();
      await field(page, 'Right 3').press('End');
      await page.keyboard.type('!');
    });
    expect(pairs.validation).toMatchObject(alternatively(["N'Djamena", 'Sucre'], ["N'Djamena", 'La Paz!']));

    const matrix = await edit('bodies', async (page) => {
      await page.getByRole('button', { name: 'Move Row 3 up' }).click();
      await page.getByRole('button', { name: 'Remove Option 1' }).click();
    });
    expect(matrix.validation).toMatchObject(alternatively([[], [1], [1]], [[], [0], [1]]));

    const order = await edit('stages', async (page) => {
      await page.getByRole('button', { name: 'Remove Entry 4' }).click();
      await page.getByRole('button', { name: 'Add an entry' }).click();
      await field(page, 'Entry 4').fill('dust');
    });
    expect(order).toMatchObject({
      list: ['butterfly', 'egg', 'larva', 'dust'],
      validation: alternatively([1, 2, 0, 3], [2, 1, 0, 3]),
    });

    const options = await edit('primes', async (page) => {
      await page.getByRole('button', { name: 'Move Option 4 up' }).click();
      await page.getByRole('button', { name: 'Remove Option 2' }).click();
    });
    expect(options.validation).toMatchObject(alternatively(['0'], ['3']));
  });

  it('gives gaps, choices and matches further accepted answers with their own points', async () => {
    const choose = async (page: Page, answer: Locator, name: string, option: string) => {
      await answer.getByRole('combobox', { name }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const typed = await edit('open-gaps', async (page) => {
      const answer = await add(page, '0.5');
      await answer.getByRole('textbox', { name: 'Right answer of gap 1' }).fill('lorry');
      await answer.getByRole('textbox', { name: 'Right answer of gap 2' }).fill('petrol');
    });
    expect(typed.validation).toMatchObject(alternatively(['truck', 'gas'], ['lorry', 'petrol']));
    const chosen = await edit('open-menus', async (page) => {
      await choose(page, await add(page, '0.5'), 'Right answer of gap 1', 'pepper');
    });
    expect(chosen.validation).toMatchObject(alternatively(['salt'], ['pepper']));
    const matched = await edit('open-pairs', async (page) => {
      const answer = await add(page, '0.5');
      await choose(page, answer, 'Belongs to Bolivia', 'La Paz');
      await choose(page, answer, 'Belongs to Chad', "N'Djamena");
    });
    expect(matched.validation).toMatchObject(alternatively(['Sucre', "N'Djamena"], ['La Paz', "N'Djamena"]));
  });

  it('gives options, matrices and orders further accepted answers with their own points', async () => {
    const options = await edit('open-options', async (page) => {
      const answer = await add(page, '0.5');
      await answer.getByRole('checkbox', { name: 'Option 2: blue' }).check();
      await answer.getByRole('checkbox', { name: 'Option 1: red' }).check();
      await answer.getByRole('checkbox', { name: 'Option 3' }).check();
      await answer.getByRole('checkbox', { name: 'Option 2: blue' }).uncheck();
    });
    expect(options.validation).toMatchObject(alternatively(['0', '1'], ['0', '2']));

    const matrix = await edit('open-matrix', async (page) => {
      const answer = await add(page, '0.5');
      await answer.getByRole('radio', { name: 'Sun: Star' }).check();
      await answer.getByRole('radio', { name: 'Pluto: Planet' }).check();
      await page.setViewportSize({ width: 320, height: 900 });
      await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    });
    expect(matrix.validation).toMatchObject(alternatively([[0], [2]], [[0], [1]]));

    const order = await edit('open-order', async (page) => {
      const answer = await add(page, '0.5');
      await expectSoon(() => answer.getByRole('listitem').allTextContents()).toEqual(['soup', 'salad', 'pie']);
      await answer.getByRole('button', { name: 'Move salad up' }).click();
      await expectSoon(() => answer.getByRole('listitem').allTextContents()).toEqual(['salad', 'soup', 'pie']);
    });
    expect(order).toMatchObject({ list: ['pie', 'soup', 'salad'], validation: alternatively([1, 2, 0], [2, 1, 0]) });
  });

  it('has one right option in each answer, and no points for parts, when only one option may be chosen', async () => {
    const data = await edit('odds', (page) => page.getByLabel('Several answers may be chosen').uncheck());
    expect(data.validation).toMatchObject(alternatively(['1'], ['2']));
  });

  it('has one right column for each row of a matrix that allows only one', async () => {
    const data = await edit('several', (page) => page.getByLabel('Several answers may be chosen').uncheck());
    expect(data.validation.valid_response.value).toEqual([[0], [0]]);
  });

  it('shows the key of a matrix that has one column for each row', async () => {
    const data = await edit('flat', async (page) => {
      await expectSoon(() => page.getByRole('radio', { name: 'Sun: Star' }).isChecked()).toBe(true);
      await expectSoon(() => page.getByRole('radio', { name: 'Moon: Other' }).isChecked()).toBe(true);
      await page.getByRole('radio', { name: 'Sun: Other' }).check();
    });
    expect(data.validation.valid_response.value).toEqual([[1], [1]]);
  });

  it('chooses the tools, limits and sizes of an essay, and keeps what it does not show', async () => {
    const data = await edit('essay', async (page) => {
      const tools = page.getByRole('combobox', { name: 'Formats that learners may use' });
      await tools.fill('Align');
      await page.getByRole('option', { name: 'Align right' }).click();
      await tools.fill('Mathematical');
      await page.getByRole('option', { name: 'Mathematical characters' }).click();
      await tools.fill('Horizontal');
      // This tool is chosen already, so a click takes it away.
      await page.getByRole('option', { name: 'Horizontal line' }).click();
      await tools.press('Escape');
      await page.getByText('More settings').click();
      await page.getByRole('switch', { name: 'Texts with more words may be submitted' }).check();
      await page.getByRole('switch', { name: 'Check the spelling' }).uncheck();
      await field(page, 'Maximum height, in pixels').fill('400');
      await page.getByRole('combobox', { name: 'Show the maximum of words' }).click();
      await page.getByRole('option', { name: 'When it is reached' }).click();
    });
    expect(data).toMatchObject({
      formatting_options: ['bold', '|', 'image', 'alignRight', 'mathCharacterMap'],
      submit_over_limit: true,
      spellcheck: false,
      show_word_limit: 'on-limit',
      ui_style: { min_height: '200px', max_height: '400px', fontsize: 'large' },
    });
  });

  it('gives a formula several rules with options, a further answer and symbols, and keeps what it does not show', async () => {
    const data = await edit('formula', async (page) => {
      const choose = async (place: Page | Locator, name: string, option: string) => {
        await place.getByRole('combobox', { name, exact: true }).click();
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      const right = page.getByRole('group', { name: 'A right answer meets all of these rules' });
      await choose(right, 'Rule', 'Is written like the formula');
      await right.getByText('Options of rule 1').click();
      await right.getByRole('switch', { name: '1.50 is written like 1.5' }).check();
      await choose(right, 'Decimal separator', 'Point or comma');
      await right.getByRole('button', { name: 'Add a rule' }).click();
      const second = right.getByRole('group', { name: 'Rule 2' });
      await choose(second, 'Rule', 'Is factorised');
      expect(await second.getByRole('textbox', { name: 'Formula in LaTeX' }).count()).toBe(0);
      await second.getByText('Options of rule 2').click();
      await choose(second, 'Numbers in factors', 'Real numbers');
      await right.getByRole('button', { name: 'Add a rule' }).click();
      const third = right.getByRole('group', { name: 'Rule 3' });
      await choose(third, 'Rule', 'Is a quantity in this unit');
      await third.getByRole('textbox', { name: 'Unit, or several with commas' }).waitFor();
      await right.getByRole('button', { name: 'Remove Rule 3' }).click();

      await page.getByRole('button', { name: 'Add an accepted answer' }).click();
      const other = page.getByRole('group', { name: 'Accepted answer 1' });
      const latex = other.getByRole('textbox', { name: 'Formula in LaTeX' });
      await latex.fill('x');
      await other.getByRole('button', { name: 'Type as formula' }).click();
      const field = other.frameLocator('iframe[title=Formula]').getByRole('textbox', { name: 'Formula' });
      await field.press('End');
      await field.press('+');
      await until(async () => (await latex.inputValue()) === 'x+');
      // The caret stays between two keys.
      await field.press('y');
      await until(async () => (await latex.inputValue()) === 'x+y');
      expect(await barriers(page)).toEqual([]);
      await latex.fill('1');
      const shown = other.frameLocator('iframe[title=Formula]').locator('itembank-math-field');
      await until(async () => (await shown.evaluate((math: { latex?: string }) => math.latex)) === '1');
      await field.press('End');
      await field.press('/');
      await field.press('2');
      await until(async () => (await latex.inputValue()) === '\\frac{1}{2}');
      await other.getByRole('textbox', { name: 'Points' }).fill('0.5');

      const symbols = page.getByRole('combobox', { name: 'Symbols that learners may choose' });
      await symbols.fill('Greek');
      await page.getByRole('option', { name: 'Greek letters' }).click();
      await symbols.press('Escape');
    });
    expect(data).toMatchObject({
      symbols: [{ title: 'Mine', value: ['x'] }, 'basic', 'greek'],
      validation: {
        valid_response: {
          score: 1,
          value: [
            {
              method: 'equivLiteral',
              value: '2x+2',
              options: {
                ignoreText: true,
                ignoreOrder: true,
                ignoreTrailingZeros: true,
                setDecimalSeparator: ['.', ','],
              },
            },
            { method: 'isFactorised', options: { field: 'real' } },
          ],
        },
        alt_responses: [{ score: 0.5, value: [{ method: 'equivSymbolic', value: '\\frac{1}{2}' }] }],
      },
    });
    const [first] = data.validation.valid_response.value as { options: object }[];
    expect(first!.options).not.toHaveProperty('decimalPlaces');
  });

  it('divides the text of a passage into pages, and joins them again', async () => {
    const { page } = await console.signIn(['author']);
    const kept = async () => {
      const { data } = await console.service.client.get('itembank/features', { references: ['woods'] });
      return (Object.values(data as Record<string, { data: object }>)[0] as { data: object }).data;
    };
    const save = async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('There are unsaved changes.').waitFor({ state: 'hidden' });
    };
    await console.visit(page, '/items/i-woods?tab=edit');
    await page.getByRole('radiogroup', { name: 'woods' }).getByText('Form', { exact: true }).click();
    const paged = page.getByRole('checkbox', { name: 'Learners read it page by page' });
    await paged.check();
    await page.getByRole('button', { name: 'Add a page' }).click();
    await fillHtml(page, 'Page 2', '<p>Firs.</p>');
    await page.getByRole('button', { name: 'Move Page 2 up' }).click();
    await save();
    expect(await kept()).toMatchObject({ paginated_content: true, pages: ['<p>Firs.</p>', '<p>Oaks.</p>'] });
    await paged.uncheck();
    await save();
    expect(await kept()).toMatchObject({ paginated_content: false, content: '<p>Firs.</p>\n<p>Oaks.</p>' });
  });

  it('has more settings, which keep usual values out of the data and other units as they are', async () => {
    const data = await edit('flat', async (page) => {
      await page.getByText('More settings').click();
      await page.getByRole('switch', { name: 'Learners may check their answer' }).check();
      await field(page, 'Maximum number of checks (0: no limit)').fill('2');
      await page.getByRole('switch', { name: 'Lines between rows' }).uncheck();
      await page.getByRole('combobox', { name: 'Layout' }).click();
      await page.getByRole('option', { name: 'Table', exact: true }).click();
      await field(page, 'Title of the rows').fill('Bodies');
      await field(page, 'Width of other columns, in pixels').fill('12em');
      await fillHtml(page, 'Question text in the review', '<p>Look again.</p>');
    });
    expect(data).toMatchObject({
      instant_feedback: true,
      feedback_attempts: 2,
      stimulus_review: '<p>Look again.</p>',
      ui_style: { stem_title: 'Bodies', stem_width: '50%', option_width: '12em' },
    });
    expect(Object.keys((data as unknown as { ui_style: object }).ui_style)).toHaveLength(3);
  });

  it('has further answers and settings without barriers in every type', async () => {
    const { page } = await console.signIn(['author'], { language: 'de' });
    await console.visit(page, '/items/i-every?tab=edit');
    for (const name of EVERY) {
      await page.getByRole('radiogroup', { name, exact: true }).getByText('Formular', { exact: true }).click();
      await page.getByText('Weitere Einstellungen').last().click();
    }
    await expectSoon(() => page.getByText('Weitere Einstellungen').count()).toBe(EVERY.length);
    await expectSoon(() => page.getByRole('group', { name: 'Akzeptierte Antwort 1' }).count()).toBe(EVERY.length - 1);
    await page.getByText('Einstellungen von Regel 1').first().click();
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('shows a scoring type that it does not offer, and keeps it', async () => {
    const data = await edit('elements', async (page) => {
      const types = page.getByRole('combobox', { name: 'How parts count' }).or(field(page, 'How parts count')).first();
      await expectSoon(() => types.inputValue()).toBe('partialMatchElement');
      await page.getByRole('textbox', { name: 'Points', exact: true }).fill('3');
    });
    expect(data.validation).toMatchObject({ scoring_type: 'partialMatchElement', valid_response: { score: 3 } });
  });

  it.each(['grouped', 'older'])('is not offered for data that it cannot show whole: %s', async (reference) => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, `/items/i-${reference}?tab=edit`);
    const views = page.getByRole('radiogroup', { name: reference });
    await views.getByText('JSON', { exact: true }).click();
    await page.getByText('The form cannot show all of this question').waitFor();
    expect(await views.getByText('Form', { exact: true }).count()).toBe(0);
  });
});
