import type { Page } from 'playwright-core';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { answer, submission, submit } from '../support/submissions';
import { barriers, ConsoleBrowser, saved } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
const SOUND = ['sound-1', 'sound-2', 'sound-3'];
const ALL = [...SOUND, 'flawed', 'flawed-too'];

/**
 * Ten learners. The five stronger ones answer the sound questions right, and choose “Sydney” in the flawed ones. The
 * five weaker ones choose the right answer in the flawed ones.
 */
beforeAll(async () => {
  const { client } = console.service;
  const data = {
    type: 'mcq',
    stimulus: 'What is the capital?',
    options: ['Canberra', 'Sydney', 'Perth'].map((label, index) => ({ label, value: String(index) })),
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] } },
  };
  await write(client, { questions: ALL.map((reference) => question({ reference, data })) });
  await write(client, { items: ALL.map((reference) => item([reference], { reference, status: 'published' })) });
  await write(client, {
    questions: [{ reference: 'essay', type: 'longtextV2', data: { stimulus: 'Write', validation: { max_score: 4 } } }],
    items: [item(['essay'], { reference: 'written', status: 'published' })],
  });
  const items = ALL.map((reference) => ({ reference, organisation: 1, time: 1, flagged: false }));
  const chosen = (reference: string, isStrong: boolean) =>
    SOUND.includes(reference) ? (isStrong ? '0' : '2') : isStrong ? '1' : '0';
  await submit(
    console.service,
    Array.from({ length: 10 }, (_, index) =>
      submission(`s-${index}`, {
        activityId: 'capitals',
        items,
        responses: ALL.map((reference) => answer(reference, reference, [chosen(reference, index < 5)])),
      }),
    ),
  );
  await submit(console.service, [
    submission('s-written', {
      activityId: 'essays',
      items: [{ reference: 'written', organisation: 1, time: 1, flagged: false }],
      responses: [answer('written', 'essay', 'Words')],
    }),
  ]);
});

/**
 * Six learners. The three stronger ones choose “Sydney” in a flawed question whose options have markup, “Often” in a
 * question without a key, and a wrong option with a small deduction. Nobody gets points for the last two.
 */
beforeAll(async () => {
  const { client } = console.service;
  const choice = (labels: string[], more: object) => ({
    type: 'mcq',
    stimulus: 'Choose',
    options: labels.map((label, index) => ({ label, value: String(index) })),
    ...more,
  });
  const key = (more: object = {}) => ({
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] }, ...more },
  });
  const questions = {
    sound: choice(['Right', 'Wrong'], key()),
    surer: choice(['Right', 'Wrong'], key()),
    'marked-up': choice(['<p>Canberra</p>', '<p>Sydney &amp; <b>more</b></p>'], key()),
    survey: choice(['Seldom', 'Often'], {}),
    deducted: choice(['Right', 'Wrong'], { ...key({ penalty: 0.004, allow_negative_scores: true }) }),
    rows: {
      type: 'choicematrix',
      options: ['True', 'False'],
      stems: ['First', 'Second'],
      validation: { scoring_type: 'partialMatch', valid_response: { score: 1, value: [[0], [1]] } },
    },
  };
  const references = Object.keys(questions);
  await write(client, {
    questions: Object.entries(questions).map(([reference, data]) => question({ reference, type: data.type, data })),
    items: references.map((reference) => item([reference], { reference, status: 'published' })),
  });
  const chosen = (reference: string, isStrong: boolean) =>
    ['sound', 'surer'].includes(reference) !== isStrong || reference === 'deducted' ? '1' : '0';
  await submit(
    console.service,
    Array.from({ length: 6 }, (_, index) =>
      submission(`odd-${index}`, {
        activityId: 'odd questions',
        items: references.map((reference) => ({ reference, organisation: 1, time: 1, flagged: false })),
        responses: references.map((reference) =>
          answer(
            reference,
            reference,
            // The stronger learners have the first row right, the others the second one.
            reference === 'rows' ? [[index < 3 ? 0 : 1], [index < 3 ? 0 : 1]] : [chosen(reference, index < 3)],
          ),
        ),
      }),
    ),
  );
});

const stored = async (reference: string) => {
  const { client } = console.service;
  const items = await client.get('itembank/items', { references: [reference] });
  const questions = await client.get('itembank/questions', { references: [reference] });
  const [{ status }] = items.data as [{ status: string }];
  const [{ data }] = questions.data as [{ data: { options: { label: string }[] } }];
  return { status, options: data.options.map(({ label }) => label) };
};
const revisions = async (reference: string) =>
  (
    (await console.service.client.get('itembank/history', { kind: 'question', references: [reference] }))
      .data as object[]
  ).length;
const table = (page: Page) => page.getByRole('table', { name: 'Questions by discrimination' });

/** Returns the faults that axe finds on the page of the report. The page allows no scripts, so this opens it without its policy. */
async function reportBarriers(page: Page): Promise<string[]> {
  const address = (await page.locator('main iframe').getAttribute('src'))!;
  const opened = await page.context().newPage();
  await opened.route('**/*', async (route) =>
    route.fulfill({ contentType: 'text/html', body: await (await route.fetch()).text() }),
  );
  await opened.goto(new URL(address, page.url()).href);
  await opened.locator('h1').waitFor();
  const found = await barriers(opened);
  await opened.close();
  return found;
}

describe('the analysis of an activity in the console', () => {
  it('leads from a report by mouse to the flawed item, whose bad distractor is retired', async () => {
    const { page } = await console.signIn(['analyst', 'author', 'reviewer']);
    await console.visit(page, '/reports');
    await page.getByRole('textbox', { name: 'Reference or activity_id of the activity' }).fill('capitals');
    await page.getByRole('button', { name: 'Create the report' }).click();
    const row = table(page).getByRole('row').filter({ hasText: 'flawed-too' });
    await row.waitFor();
    await expectSoon(() => row.getByRole('cell').allInnerTexts()).toEqual([
      'flawed-too',
      'flawed-too',
      '0.5',
      '-1',
      'Sydney',
    ]);
    // The flawed ones come first, and only they have noticeable options.
    const rows = await table(page).locator('tbody tr').allInnerTexts();
    expect(rows.map((text) => text.includes('Sydney'))).toEqual([true, true, false, false, false]);
    const before = await revisions('flawed-too');
    await row.getByRole('link', { name: 'flawed-too' }).click();
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Reports' }).waitFor();
    await page.getByText('Form', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove Option 2' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    if ((await stored('flawed-too')).status !== 'published')
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    expect(await stored('flawed-too')).toEqual({ status: 'published', options: ['Canberra', 'Perth'] });
    expect(await revisions('flawed-too')).toBe(before + 1);
  });

  it('lists questions that have no options', async () => {
    const { page } = await console.signIn(['analyst']);
    await console.visit(page, '/reports');
    const id = page.getByRole('textbox', { name: 'Reference or activity_id of the activity' });
    await id.fill('essays');
    await id.press('Enter');
    await table(page).getByRole('cell', { name: 'essay', exact: true }).waitFor();
  });

  it('flags wrong options in plain text with the number of their row, and no options of a question without a key', async () => {
    const { page } = await console.signIn(['analyst']);
    await console.visit(page, '/reports?type=activity-analysis-by-question&id=odd%20questions');
    await page.getByRole('button', { name: 'Create the report' }).click();
    await table(page).getByRole('cell', { name: 'survey' }).first().waitFor();
    const flagged = async (reference: string) =>
      table(page).getByRole('row').filter({ hasText: reference }).getByRole('cell').last().innerText();
    expect(await flagged('marked-up')).toBe('Sydney & more');
    expect(await flagged('survey')).toBe('–');
    expect(await flagged('rows')).toBe('2: True');
  });

  it('has no minus before a figure that is rounded to zero', async () => {
    const { page } = await console.signIn(['analyst']);
    await console.visit(page, '/reports?type=activity-analysis-by-question&id=odd%20questions');
    await page.getByRole('button', { name: 'Create the report' }).click();
    const row = table(page).getByRole('row').filter({ hasText: 'deducted' });
    await row.waitFor();
    expect((await row.getByRole('cell').allInnerTexts()).slice(2, 4)).toEqual(['0', '0']);
  });

  it.each([
    ['light', 'en', 'Analysis of an activity'],
    ['dark', 'de', 'Analyse einer Aktivität'],
  ] as const)(
    'shows its page in %s colours and in the language %s, as the console is set',
    async (scheme, language, title) => {
      const other = scheme === 'light' ? 'dark' : 'light';
      const { page } = await console.signIn(['analyst'], { scheme: other, language });
      await console.visit(page, '/reports');
      await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${scheme}')`);
      await console.visit(page, '/reports?type=activity-analysis-by-question&id=capitals');
      await page.locator('form button[type=submit]').click();
      const report = page.frameLocator('main iframe');
      await report.getByRole('heading', { level: 1, name: title }).waitFor();
      const ground = () =>
        report
          .locator('body')
          .evaluate((body): string => body.ownerDocument.defaultView.getComputedStyle(body).backgroundColor);
      const expected = scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(26, 27, 30)';
      await expectSoon(() => ground()).toBe(expected);
      // The links to the questions keep the colours.
      for (const number of ['1', '2']) {
        await report.getByRole('link', { name: number, exact: true }).click();
        await expectSoon(() => ground()).toBe(expected);
      }
      if (process.env.TEST_PICTURES)
        await page
          .locator('main iframe')
          .screenshot({ path: `${process.env.TEST_PICTURES}/report-page-${scheme}.png` });
      expect(await reportBarriers(page)).toEqual([]);
    },
  );
});
