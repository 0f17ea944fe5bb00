import { item, question, workflow } from '../support/builders';
import { expectSuccess } from '../support/failure';
import { until } from '../support/until';
import { answerQuestions, barriers, comeBack, ConsoleBrowser } from './support/console-browser';
import { write } from '../support/bank';
import { expectSoon } from '../support/expect-soon';

const browser = ConsoleBrowser.ofSuite();
const FIVE = ['w1', 'w2', 'w3', 'w4', 'w5'];

describe('the screen of a workflow', () => {
  beforeAll(async () => {
    const { client } = browser.service;
    expectSuccess(await client.set('itembank/questions', { questions: [question({ reference: 'q-a' })] }));
    await write(client, {
      workflows: [workflow('review', { Draft: ['Checked'], Checked: ['Draft', 'Done'], Done: [] })],
    });
    const authoring_workflow = { reference: 'review', state: 'Draft' };
    const drafts = [...FIVE, 'other'].map((reference) =>
      item(['q-a'], { reference, title: `Item ${reference}`, status: 'unpublished', authoring_workflow }),
    );
    expectSuccess(await client.set('itembank/items', { items: drafts }));
  });

  it('links to the queue of a state, in which a reviewer moves five items on', async () => {
    const { page } = await browser.signIn(['reviewer']);
    await browser.visit(page, '/workflows/review');
    await page
      .getByRole('img', { name: /States and moves/ })
      .getByText('Items: 6')
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    if (process.env.TEST_PICTURES) await page.screenshot({ path: `${process.env.TEST_PICTURES}/workflow.png` });
    await page.getByRole('link', { name: 'Items: 6 in the state Draft, longest waiting first' }).click();
    for (const reference of FIVE) {
      await page.getByRole('checkbox', { name: new RegExp(`\\b${reference}\\b`) }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('button', { name: 'Move in workflow' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move in workflow' });
    await dialog.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: 'review' }).click();
    await dialog.getByRole('combobox', { name: 'New state' }).click();
    await page.getByRole('option', { name: 'Checked' }).click();
    await dialog.getByText('Items to change: 5.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Change items (5)' }).click();
    await dialog.getByText('5 changed, 0 unchanged, 0 refused.').waitFor();
    await browser.visit(page, '/workflows/review');
    const row = (state: string) => page.getByRole('row', { name: new RegExp(`^${state}`) });
    await row('Checked').getByText('Items: 5').waitFor();
    await row('Draft').getByText('Items: 1').waitFor();
    const { data } = await browser.service.client.get('itembank/items', {
      references: [...FIVE, 'other'],
      include: { items: ['authoring_workflow'] },
    });
    const states = data.map((found: { authoring_workflow: { state: string } }) => found.authoring_workflow.state);
    expect(states.sort()).toEqual(['Checked', 'Checked', 'Checked', 'Checked', 'Checked', 'Draft']);
  });

  it('draws a workflow of thirty states in letters that people can read', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `State ${index}`);
    const states = Object.fromEntries(names.map((name, index) => [name, names.slice(index + 1)]));
    await write(browser.service.client, { workflows: [workflow('long', states)] });
    const { page } = await browser.signIn(['author']);
    await browser.visit(page, '/workflows/long');
    const letters = page
      .getByRole('img', { name: /States and moves/ })
      .locator('text')
      .first();
    expect((await letters.boundingBox())!.height).toBeGreaterThan(11);
  });

  it('is shown to authors, and fits into 320 pixels in German and dark colours', async () => {
    const { page } = await browser.signIn(['author'], { width: 320, language: 'de', scheme: 'dark' });
    await browser.visit(page, '/workflows/review');
    await page.getByRole('table', { name: 'Zustände' }).waitFor();
    await expectSoon(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(await barriers(page)).toEqual([]);
    if (process.env.TEST_PICTURES)
      await page.screenshot({ path: `${process.env.TEST_PICTURES}/workflow-320.png`, fullPage: true });
  });

  it('asks before a link or the back button discards a change', async () => {
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, '/workflows/review');
    await page.getByRole('button', { name: 'Change the workflow' }).click();
    const description = page.getByRole('textbox', { name: 'Description' }).first();
    await description.fill('Two people look at each item.');
    const questions = answerQuestions(page);
    for (const leave of [
      () => page.getByRole('link', { name: 'Tags', exact: true }).click(),
      () => page.evaluate('history.back()'),
    ]) {
      await leave();
      await until(() => Promise.resolve(questions.asked.pop()?.message() === 'Discard what you typed?'));
      await expectSoon(() => description.inputValue()).toBe('Two people look at each item.');
    }
    // Nobody is asked about a change that was saved.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Two people look at each item.').waitFor();
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    expect(questions.asked).toEqual([]);
  });

  it('keeps the moves to a state, and its place as the first or last one, when its reference is corrected', async () => {
    const { client } = browser.service;
    const before = { Draft: ['Chek'], Chek: ['Draft', 'Donne'], Donne: [] };
    await write(client, { workflows: [workflow('typo', before, (state) => `The ${state}`)] });
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, '/workflows/typo');
    await page.getByRole('button', { name: 'Change the workflow' }).click();
    for (const [at, text] of [
      ['State 2', 'Check'],
      ['State 3', 'Done'],
    ] as const) {
      const field = page.getByRole('group', { name: at }).getByLabel('Reference of the state');
      await field.fill('');
      await field.pressSequentially(text);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The workflow typo is saved.').waitFor();
    const { data } = await client.get('itembank/workflows', { references: ['typo'] });
    expect(data).toMatchObject([
      {
        initial_state_reference: 'Draft',
        final_state_reference: 'Done',
        workflow_states: [
          { reference: 'Draft', workflow_transitions: [{ to_state_reference: 'Check' }] },
          {
            reference: 'Check',
            workflow_transitions: [{ to_state_reference: 'Draft' }, { to_state_reference: 'Done' }],
          },
          { reference: 'Done' },
        ],
      },
    ]);
  });

  describe('that two operators change', () => {
    const put = (description: string) =>
      write(browser.service.client, {
        workflows: [{ ...workflow('two', { Draft: ['Done'], Done: [] }), description }],
      });
    const descriptionNow = async () => {
      const { data } = await browser.service.client.get('itembank/workflows', { references: ['two'] });
      return (data as { description: string }[])[0]!.description;
    };

    it('keeps the change of the first when the second saves, also after the page has read it again', async () => {
      await put('Before');
      const { page } = await browser.signIn(['operator']);
      await browser.visit(page, '/workflows/two?edit=yes');
      const form = page.getByRole('textbox', { name: 'Description' }).first();
      await form.waitFor();
      await put('Theirs');
      await comeBack(page, '/itembank/workflows');
      await form.fill('Mine');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/the present revision of "two" is/).waitFor();
      expect(await descriptionNow()).toBe('Theirs');
    });

    it('is not replaced by a new one of the same reference', async () => {
      await put('Known');
      const { page } = await browser.signIn(['operator']);
      await browser.visit(page, '/workflows');
      await page.getByRole('button', { name: 'Create a workflow' }).click();
      await page.getByRole('textbox', { name: 'Reference', exact: true }).fill('two');
      for (const [at, name] of [
        ['State 1', 'Open'],
        ['State 2', 'Shut'],
      ] as const) {
        const state = page.getByRole('group', { name: at });
        await state.getByLabel('Reference of the state').fill(name);
        await state.getByLabel('Label').fill(name);
      }
      for (const [field, name] of [
        ['Items begin in', 'Open'],
        ['Items are published in', 'Shut'],
      ] as const) {
        await page.getByRole('combobox', { name: field }).click();
        await page.getByRole('option', { name }).click();
      }
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/the present revision of "two" is/).waitFor();
      expect(await descriptionNow()).toBe('Known');
    });
  });
});
