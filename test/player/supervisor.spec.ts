import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { until } from '../support/until';
import { button, dialog, hostPageWith, radio, valuesOf, onPage } from './host-page';

const PASSWORD = 'the supervisor knows it';
const pwd = createHash('sha256').update(PASSWORD).digest('hex');

describe('a supervisor at a test in the browser', () => {
  const host = hostPageWith({
    questions: ['1', '2'].map((name) => question({ reference: `q-${name}` })),
    items: ['1', '2'].map((name) => item([`q-${name}`], { reference: `i-${name}` })),
  });

  const begin = async (config: object = {}) => {
    const administration = { pwd, options: { show_exit: true } };
    const wanted = TestPage.request({ items: ['i-1', 'i-2'], config: { administration, ...config } });
    const page = await host.visit(wanted);
    await button(page, 'Start').click();
    await radio(page, 'Two').check();
    return { page, session: () => host.session(wanted.session_id) };
  };
  const unlock = async (page: Page, password = PASSWORD) => {
    await page.keyboard.press('Control+Shift+M');
    await dialog(page, 'Supervisor').waitFor();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
  };

  it('adds time by keyboard, and gets to know when the password is wrong', async () => {
    const { page } = await begin({ time: { max_time: 600, limit_type: 'hard' } });
    await unlock(page, 'guessed');
    await onPage(page.getByText('This is not the password.')).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await unlock(page);
    await page.getByLabel('Minutes').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Minutes').fill('20');
    // The clock of the test renders the dialog again each second.
    await page.getByText(/^\d:\d\d \/ 10:00$/).waitFor();
    const time = await page.locator('.itembank-top').innerText();
    await until(async () => (await page.locator('.itembank-top').innerText()) !== time);
    await page.getByLabel('Minutes').press('Enter');
    await onPage(page.getByText('20 minutes were added.')).waitFor();
    await button(page, 'Close').click();
    await onPage(page.getByText(/ \/ 30:00$/)).waitFor();
    expect(await dialog(page, 'Supervisor').count()).toBe(0);
  });

  it('submits without the conditions that hold for the learner', async () => {
    const configuration = { submit_criteria: { type: 'attempted', threshold: 100 } };
    const { page, session } = await begin({ configuration });
    await unlock(page);
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    expect((await session()).status).toBe('Completed');
  });

  it('saves and closes a test, which then can be continued', async () => {
    const { page, session } = await begin({ configuration: { onsave_redirect_url: '/after' } });
    await unlock(page);
    await button(page, 'Save and close').click();
    await page.waitForURL('**/after');
    expect(await session()).toMatchObject({ status: 'Incomplete' });
    expect(valuesOf(await session())).toEqual([['1'], null]);
  });

  it('discards the answers after a question, and sends the learner where the page says', async () => {
    const { page, session } = await begin({ configuration: { ondiscard_redirect_url: '/after' } });
    await unlock(page);
    await button(page, 'Discard the answers').click();
    await onPage(page.getByText('Nobody can go on with this test afterwards')).waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Discard the answers').click();
    await onPage(page.getByText('Nobody can go on with this test afterwards')).waitFor();
    await button(page, 'Discard the answers').click();
    await page.waitForURL('**/after');
    await until(async () => (await session()).status === 'Discarded');
  });

  it('asks for the password each time, and leaves a paused test paused', async () => {
    const { page } = await begin();
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').waitFor();
    await unlock(page);
    await button(page, 'Close').click();
    await dialog(page, 'The test is paused').waitFor();
    await page.keyboard.press('Control+Shift+M');
    await page.getByLabel('Password').waitFor();
    await expectSoon(() => page.getByLabel('Password').inputValue()).toBe('');
  });

  it('saves and closes a paused test without its dialog', async () => {
    const { page } = await begin({ configuration: { onsave_redirect_url: '' } });
    await button(page, 'Pause').click();
    await dialog(page, 'The test is paused').waitFor();
    await unlock(page);
    await button(page, 'Save and close').click();
    await page.getByRole('heading', { name: 'The test is closed' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('has no dialog in a test without a password', async () => {
    const { page } = await begin({ administration: { options: {} } });
    await page.keyboard.press('Control+Shift+M');
    await button(page, 'Finish').or(button(page, 'Next')).click();
    expect(await page.getByRole('dialog', { name: 'Supervisor' }).count()).toBe(0);
  });
});
