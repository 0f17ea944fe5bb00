import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/browser';
import { expectSoon } from '../support/expect-soon';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { ConsoleBrowser, testForBarriers } from './support/console-browser';

const HOSTILE = '<img src=x onerror="document.title=1">&amp;';
const QUARTER_HOUR = 15 * 60_000;

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  await writeSessionBank(console.service.client);
  await submit(
    console.service,
    ['ada', 'bob', HOSTILE, 'cleo'].map((userId, index) => wholeSession(`s-${index}`, { userId })),
  );
});

const sessionsOf = async (userId: string) => {
  const { data } = await console.service.client.get('sessions/responses', { user_id: [userId] });
  return (data as unknown[]).length;
};
async function find(page: Page, learner: string, [field, button]: readonly [string, string] = ['Learner', 'Find']) {
  await console.visit(page, '/learners');
  await page.getByRole('textbox', { name: field }).fill(learner);
  await page.getByRole('button', { name: button }).click();
}

describe('the data of learners in the console', () => {
  it('are exported, and erased by keyboard after the id was typed and the password confirmed', async () => {
    const { page } = await console.signIn(['operator'], { password: PASSWORD });
    await console.visit(page, '/learners');
    await page.getByRole('textbox', { name: 'Learner' }).focus();
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    const counts = page.getByRole('table', { name: 'Stored about ada' });
    await counts.getByText('Completed sessions').waitFor();
    expect(page.url()).not.toContain('ada');

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export all data' }).press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('learner.ndjson');
    const [first] = readFileSync(await download.path(), 'utf8').split('\n');
    expect(JSON.parse(first!)).toMatchObject({ record: 'session', session_id: 's-0' });

    console.service.clock.advance(QUARTER_HOUR + 1);
    await page.getByRole('button', { name: 'Erase the learner' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Erase a learner' });
    const typed = dialog.getByRole('textbox', { name: 'Type the id of the learner' });
    await typed.fill('Ada');
    await page.keyboard.press('Enter');
    await dialog.getByText('This is not the id').waitFor();
    expect(await sessionsOf('ada')).toBe(1);
    await typed.fill('ada');
    await page.keyboard.press('Enter');
    await page.getByLabel('Password').first().waitFor();
    expect(await sessionsOf('ada')).toBe(1);
    await page.getByLabel('Password').first().fill(PASSWORD);
    await page.keyboard.press('Enter');

    const report = page.getByRole('table', { name: 'Report of the erasure' });
    await report.getByText('Completed sessions').waitFor();
    expect([await sessionsOf('ada'), await sessionsOf('bob')]).toEqual([0, 1]);
    await expectSoon(() => page.getByRole('textbox', { name: 'SHA-256' }).inputValue()).toMatch(/^[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('Nothing is stored about this learner').waitFor();
    await page.getByText('Erased: ').waitFor();
  });

  it('stay as they are when the person cancels', async () => {
    const { page } = await console.signIn(['operator']);
    await find(page, 'bob');
    await page.getByRole('button', { name: 'Erase the learner' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('table', { name: 'Stored about bob' }).waitFor();
    expect(await sessionsOf('bob')).toBe(1);
  });

  it('are shown as text, whatever an id contains', async () => {
    const { page, errors } = await console.signIn(['operator']);
    await find(page, HOSTILE);
    await page.getByRole('heading', { name: `Stored about ${HOSTILE}` }).waitFor();
    await page.getByRole('button', { name: 'Erase the learner' }).click();
    await page.getByRole('dialog').getByText(HOSTILE).waitFor();
    expect([await page.locator('img[src="x"]').count(), errors]).toEqual([0, []]);
  });

  it('are shown only to operators, and refused to other people who know the address', async () => {
    const { page } = await console.signIn(['analyst', 'marker']);
    await console.visit(page, '/items');
    expect(await page.getByRole('link', { name: 'Data of learners' }).count()).toBe(0);
    await console.visit(page, '/learners');
    await page.getByText('Your roles in this organisation do not include the page “Data of learners”.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Learner' }).count()).toBe(0);
  });

  testForBarriers(console, async (page, check, language) => {
    const texts =
      language === 'en'
        ? ({ field: ['Learner', 'Find'], erase: 'Erase the learner' } as const)
        : ({ field: ['Lernende Person', 'Suchen'], erase: 'Person löschen' } as const);
    await find(page, 'bob', texts.field);
    const erase = page.getByRole('button', { name: texts.erase });
    await erase.waitFor();
    await check();
    await erase.click();
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await check();
  });
});
