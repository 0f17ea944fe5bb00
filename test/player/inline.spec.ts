import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe';
import { item, question } from '../support/builders';
import { cutOff } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { DAY } from '../support/time';
import { until } from '../support/until';
import { button, hostPageWith, radio, onPage } from './host-page';

describe('a page that places the items itself, during faults', () => {
  const host = hostPageWith({
    questions: [question({ reference: 'q-1' })],
    items: [item(['q-1'], { reference: 'i-1' })],
  });

  const PLACES = '<p class="learnosity-item" data-reference="i-1"></p><p class="learnosity-submit-button"></p>';

  const visit = async (): Promise<Page> => {
    const config = { renderSubmitButton: true };
    const wanted = TestPage.request({ items: ['i-1'], rendering_type: 'inline', config });
    const page = await host.visit(wanted, { body: `<h2>Numbers</h2>${PLACES}` });
    await radio(page, 'Two').check();
    return page;
  };
  const submit = async (page: Page) => {
    await button(page, 'Submit').click();
    await onPage(page.getByText('Your answers could not be submitted')).waitFor();
  };
  const data = (page: Page) => page.getByRole('textbox', { name: /^Your answers as text\./ });
  const answersIn = (text: string) => JSON.parse(Buffer.from(text, 'base64').toString()) as object;

  it('offers the answers as a text to copy or download after three failed submissions', async () => {
    const page = await visit();
    await cutOff(page, '**/submissions');
    for (let failures = 1; failures <= 3; failures += 1) {
      expect(await data(page).count()).toBe(0);
      const failed = page.waitForEvent('requestfailed');
      await submit(page);
      await failed;
    }
    const text = await data(page).inputValue();
    expect(answersIn(text)).toMatchObject({ status: 'Completed', responses: [{ value: ['1'] }] });
    await page.getByRole('link', { name: 'Download the text' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // The text contains the time, and must not change while the learner copies it.
    await page.evaluate('new Promise((done) => setTimeout(done, 1_500))');
    await expectSoon(() => data(page).inputValue()).toBe(text);
    // It would lack a later answer.
    await radio(page, 'One').check();
    await data(page).waitFor({ state: 'detached' });
    await page.unroute('**/submissions');
    await button(page, 'Submit').click();
    await onPage(page.getByText('Your answers have been submitted')).waitFor();
    expect(await data(page).count()).toBe(0);
  });

  it('offers the answers as a text at once when the service refuses them', async () => {
    const page = await visit();
    host.service.clock.advance(8 * DAY);
    await button(page, 'Submit').click();
    await onPage(page.getByText('Load the page again to go on.')).waitFor();
    expect(answersIn(await data(page).inputValue())).toMatchObject({ responses: [{ value: ['1'] }] });
  });

  it('names the texts of all tests of a page, when several cannot be submitted', async () => {
    const page = await visit();
    await cutOff(page, '**/submissions');
    const failThrice = async () => {
      for (let failures = 1; failures <= 3; failures += 1) {
        const failed = page.waitForEvent('requestfailed');
        await button(page, 'Submit').last().click();
        await failed;
      }
    };
    await failThrice();
    await data(page).waitFor();
    await page.evaluate(`{
      for (const place of document.querySelectorAll('main p')) place.className = '';
      document.querySelector('main').insertAdjacentHTML('beforeend', '${PLACES}');
      LearnosityItems.init(signed, callbacks);
    }`);
    await until(async () => (await button(page, 'Submit').count()) === 2);
    await failThrice();
    await until(async () => (await data(page).count()) === 2);
  });
});
