import type { Page } from 'playwright-core';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
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
    const { close, page, errors } = await console.signIn(['analyst', 'author', 'reviewer']);
    await console.visit(page, '/reports');
    await page.getByRole('textbox', { name: 'Reference or activity_id of the activity' }).fill('capitals');
    await page.getByRole('button', { name: 'Create the report' }).click();
    const row = table(page).getByRole('row').filter({ hasText: 'flawed-too' });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['flawed-too', 'flawed-too', '0.5', '-1', 'Sydney']);
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
    expect(errors).toEqual([]);
    await close();
  });

  it('lists questions that have no options', async () => {
    const { close, page, errors } = await console.signIn(['analyst']);
    await console.visit(page, '/reports');
    const id = page.getByRole('textbox', { name: 'Reference or activity_id of the activity' });
    await id.fill('essays');
    await id.press('Enter');
    await table(page).getByRole('cell', { name: 'essay', exact: true }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it.each([
    ['light', 'en', 'Analysis of an activity'],
    ['dark', 'de', 'Analyse einer Aktivität'],
  ] as const)(
    'shows its page in %s colours and in the language %s, as the console is set',
    async (scheme, language, title) => {
      const other = scheme === 'light' ? 'dark' : 'light';
      const { close, page, errors } = await console.signIn(['analyst'], { scheme: other, language });
      await console.visit(page, '/reports');
      await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${scheme}')`);
      await console.visit(page, '/reports?type=activity-analysis-by-question&id=capitals');
      await page.locator('form button[type=submit]').click();
      const report = page.frameLocator('main iframe');
      await report.getByRole('heading', { level: 1, name: title }).waitFor();
      const ground = await report
        .locator('body')
        .evaluate((body): string => body.ownerDocument.defaultView.getComputedStyle(body).backgroundColor);
      expect(ground).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(26, 27, 30)');
      if (process.env.TEST_PICTURES)
        await page
          .locator('main iframe')
          .screenshot({ path: `${process.env.TEST_PICTURES}/report-page-${scheme}.png` });
      expect(await reportBarriers(page)).toEqual([]);
      expect(errors).toEqual([]);
      await close();
    },
  );
});
