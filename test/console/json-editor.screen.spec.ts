import type { Page } from 'playwright-core';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { barriersInBothSchemes, ConsoleBrowser, saved } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  const options = ['a', 'b'].map((value) => ({ label: value, value }));
  const validation = { valid_response: { score: 1, value: ['a'] } };
  const references = ['seas', 'lakes', 'rivers', 'bays', 'long'];
  await write(console.service.client, {
    questions: references.map((name) =>
      question({ reference: `q-${name}`, type: 'mcq', data: { type: 'mcq', options, validation } }),
    ),
  });
  await write(console.service.client, {
    items: references.map((name) =>
      item([`q-${name}`], { reference: name, title: name, status: 'unpublished', adaptive: { difficulty: 1.5 } }),
    ),
  });
});

const ITEM = { name: 'Item as JSON' };
const editorIn = (page: Page, name = ITEM.name) => page.getByRole('textbox', { name, exact: true });
const problemsIn = (page: Page, name = 'Problems in the text') => page.getByRole('list', { name });

/** Replaces the text of the editor at once, because the editor closes brackets while somebody types. */
async function replaceText(page: Page, name: string, text: string): Promise<void> {
  await editorIn(page, name).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

async function openItem(page: Page, reference: string): Promise<void> {
  await console.visit(page, `/items/${reference}?tab=edit`);
  await page.getByText(ITEM.name, { exact: true }).click();
  await editorIn(page).waitFor();
}

async function openQuestion(page: Page, reference: string): Promise<void> {
  await console.visit(page, `/items/${reference}?tab=edit`);
  await page
    .getByRole('region', { name: `q-${reference}` })
    .getByText('JSON', { exact: true })
    .click();
  await editorIn(page, 'JSON').waitFor();
}

const stored = async (reference: string) => {
  const { data } = await console.service.client.get('itembank/items', {
    references: [reference],
    include: { items: ['adaptive', 'dynamic_content_data'] },
  });
  return (data as Record<string, unknown>[])[0]!;
};

const definition = (reference: string) => `"definition": {"widgets": [{"reference": "q-${reference}"}]}`;

describe('the JSON editor', () => {
  it('names a mistake in the text, with its line and the way to mend it, and leads there by keyboard', async () => {
    const { page } = await console.signIn(['author']);
    await openItem(page, 'seas');
    await replaceText(page, ITEM.name, `{\n${definition('seas')}\n"title": "Seas"\n}`);
    const problem = problemsIn(page).getByRole('button', {
      name: 'Line 3, column 1: A comma is missing. Put one before this entry.',
    });
    await problem.waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await page.getByRole('status').filter({ hasText: 'Errors: 1' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'the item keeps the last version without errors' }).waitFor();
    await problem.press('Enter');
    await page.keyboard.type(',');
    await page.getByRole('status').filter({ hasText: 'No problems found.' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    expect(await stored('seas')).toMatchObject({ title: 'Seas' });
  });

  it('checks an item by the schema of the operation that stores it', async () => {
    const { page } = await console.signIn(['author']);
    await openItem(page, 'lakes');
    const text = [
      '{',
      '"title": 7,',
      '"status": "ready",',
      '"tags": {"Subject": ["a", 1]},',
      '"adaptive": {"difficulty": "hard"},',
      '"colour": "red",',
      '"note": "one", "note": "two"',
      '}',
    ];
    await replaceText(page, ITEM.name, text.join('\n'));
    await page.getByRole('status').filter({ hasText: 'Errors: 6, Warnings: 1' }).waitFor();
    await expectSoon(() => problemsIn(page).getByRole('listitem').allInnerTexts()).toEqual([
      'Error Line 1, column 1: definition is missing. Add it.',
      'Error Line 2, column 10: title must be a text in double quotes or null; it is a number.',
      'Error Line 3, column 11: status must be one of published, unpublished, archived.',
      'Error Line 4, column 27: tags.Subject[1] must be a text in double quotes; it is a number.',
      'Error Line 5, column 28: adaptive.difficulty must be a number or null; it is a text in double quotes.',
      expect.stringMatching(
        /^Warning Line 6, column 1: colour is not known here, and would be ignored\. Known names: title, /,
      ),
      'Error Line 7, column 16: note appears twice, and only the last one counts. Remove one of them.',
    ]);
    // F8 goes from problem to problem, and the message of the one at the cursor is announced.
    await editorIn(page).press('Control+Home');
    await editorIn(page).press('F8');
    await page.getByRole('status').filter({ hasText: 'Line 1, column 1: definition is missing' }).waitFor();
    await editorIn(page).press('F8');
    await page.getByRole('status').filter({ hasText: 'Line 2, column 10: title must be' }).waitFor();
    await editorIn(page).press('F8');
    await page.getByRole('status').filter({ hasText: 'Line 3, column 11: status must be' }).waitFor();
    expect(await stored('lakes')).toMatchObject({ title: 'lakes' });
  });

  it('stores members of an item that have no field, and keeps members that the text does not change', async () => {
    const { page } = await console.signIn(['author']);
    await openItem(page, 'rivers');
    await expectSoon(() => editorIn(page).innerText()).toContain('"difficulty": 1.5');
    const text = `{"title": "Rivers", "tags": [{"type": "Subject", "name": "Geography"}], ${definition('rivers')},
      "metadata": {"acknowledgements": "NASA"}, "adaptive": {"difficulty": 1.5}, "dynamic_content_data": {"cols": ["x"]}}`;
    await replaceText(page, ITEM.name, text);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    expect(await stored('rivers')).toMatchObject({
      title: 'Rivers',
      status: 'unpublished',
      tags: { Subject: ['Geography'] },
      metadata: { acknowledgements: 'NASA' },
      adaptive: { difficulty: 1.5 },
      dynamic_content_data: { cols: ['x'] },
    });
  });

  it('marks a value that the service refused, until the value is changed', async () => {
    const { page } = await console.signIn(['author']);
    await openItem(page, 'bays');
    const text = '{"title": "Bays",\n"definition": {"widgets": [{"reference": "q-bays"},\n{"reference": "nowhere"}]}}';
    await replaceText(page, ITEM.name, text);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const problem = problemsIn(page).getByRole('button', { name: /^Line 3, column 15: .*nowhere/ });
    await problem.waitFor();
    expect(await stored('bays')).toMatchObject({ title: 'bays' });
    await replaceText(page, ITEM.name, text.replace('nowhere', 'q-seas'));
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    expect(await stored('bays')).toMatchObject({ title: 'Bays' });
  });

  it('marks the warnings of the service in a question before it is saved', async () => {
    const { page } = await console.signIn(['author']);
    await openQuestion(page, 'seas');
    const text = [
      '{"type": "mcq",',
      '"options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}],',
      '"validation": {"valid_response": {"score": 1, "value": ["c"]}}}',
    ];
    await replaceText(page, 'JSON', text.join('\n'));
    const problem = problemsIn(page).getByRole('button', {
      name: 'Line 3, column 56: "c" is not an option of the question, which has a, b.',
    });
    await problem.waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Warnings: 1/ })
      .waitFor();
    await replaceText(page, 'JSON', text.join('\n').replace('"c"', '"b"'));
    await page.getByRole('status').filter({ hasText: 'No problems found.' }).waitFor();
  });

  it('checks a long text, and says that a stored one of more than a million characters is not checked', async () => {
    const { page } = await console.signIn(['author']);
    await openQuestion(page, 'lakes');
    const entries = Array.from({ length: 12_000 }, (_, index) => `"option ${index}"`).join(',\n');
    await editorIn(page, 'JSON').focus();
    await page.keyboard.press('Control+A');
    // Pastes the text, because a browser takes seconds to type that many lines.
    await page.evaluate(
      `{
        const data = new DataTransfer();
        data.setData('text/plain', ${JSON.stringify(`{"notes": [${entries}],\n"last": yes}`)});
        document.activeElement.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }`,
    );
    const problem = problemsIn(page).getByRole('button', { name: /^Line 12001, column 9: Only true, false and null/ });
    await problem.click();
    await page.keyboard.press('Control+Shift+ArrowRight');
    await page.keyboard.insertText('true');
    await page
      .getByRole('status')
      .filter({ hasText: /No problems found|Warnings/ })
      .waitFor();
    const data = { type: 'mcq', stimulus: 'x'.repeat(1_000_100) };
    await write(console.service.client, { questions: [question({ reference: 'q-long', type: 'mcq', data })] });
    page.on('dialog', (dialog) => void dialog.accept());
    await openQuestion(page, 'long');
    await page
      .getByText('This text has more than 1,000,000 characters. It is checked only when it is saved.')
      .waitFor();
  });

  it('speaks German, fits 320 pixels, and has no barriers that axe finds', async () => {
    const { page } = await console.signIn(['author'], { language: 'de', width: 320 });
    await console.visit(page, '/items/lakes?tab=edit');
    await page.getByText('Aufgabe als JSON', { exact: true }).click();
    await replaceText(page, 'Aufgabe als JSON', `{"title": 7, ${definition('lakes')}, "note": "${'x'.repeat(100)}"}`);
    await problemsIn(page, 'Fehler im Text')
      .getByRole('button', {
        name: /^Zeile 1, Spalte 11: title muss ein Text in doppelten Anführungszeichen oder null sein/,
      })
      .waitFor();
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });
});
