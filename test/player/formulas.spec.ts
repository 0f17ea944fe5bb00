import type { Page } from 'playwright-core';
import { question, item } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { signal } from '../support/signal';
import { until } from '../support/until';
import { allSaved, button, hostPageWith } from './host-page';

describe('formulas in a page of another host, whose content policy allows no inline styles', () => {
  const formula = { method: 'equivSymbolic', value: '\\frac{x+1}{2}' };
  const field = (page: Page, name: string) => page.getByRole('textbox', { name });
  const host = hostPageWith({
    questions: [
      question({
        reference: 'q-half',
        type: 'formulaV2',
        data: {
          type: 'formulaV2',
          stimulus: '<p>Half of \\(x+1\\).</p>',
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [formula] } },
        },
      }),
      question({
        reference: 'q-line',
        type: 'clozeformula',
        data: {
          type: 'clozeformula',
          template: '<p>The slope is {{response}}.</p>',
          validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [[formula]] } },
        },
      }),
    ],
    items: [item(['q-half'], { reference: 'i-half' }), item(['q-line'], { reference: 'i-line' })],
  });

  it('are shown without motion to a learner who prefers reduced motion', async () => {
    const page = await host.visit(TestPage.request({ items: ['i-half'] }));
    const moving = () =>
      page.evaluate<number>(`(function count(root) {
        const roots = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
        return roots.reduce((sum, each) => sum + count(each), root.getAnimations().length);
      })(document)`);
    await button(page, 'Start').click();
    await button(page, 'Type as text').waitFor();
    await field(page, 'Half of').focus();
    await page.keyboard.type('x+1');
    expect(await moving()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    // The caret blinks.
    await until(async () => (await moving()) > 0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await button(page, 'Display').click();
    await page.getByRole('dialog').waitFor();
    expect(await moving()).toBe(0);
  });

  it('are typed on as text by a learner who has begun before the field for formulas has come', async () => {
    const released = signal();
    await host.context.route(/math-field/, async (route) => {
      await released.promise;
      await route.continue();
    });
    const page = await host.visit(TestPage.request({ items: ['i-half'] }));
    await button(page, 'Start').click();
    await field(page, 'Half of').focus();
    await page.keyboard.type('x');
    released.give();
    await button(page, 'Type as formula').waitFor();
    await page.keyboard.type('+1');
    await expectSoon(() => field(page, 'Half of').inputValue()).toBe('x+1');
  });

  it('are typed in two dimensions, resumed, scored and reviewed', async () => {
    const wanted = TestPage.request({ items: ['i-half', 'i-line'], name: 'Formulas' });
    const messages: string[] = [];
    const listenTo = (page: Page) =>
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) messages.push(message.text());
      });
    let page = await host.visit(wanted);
    listenTo(page);
    await button(page, 'Start').click();
    await button(page, 'Type as text').waitFor();
    await field(page, 'Half of').focus();
    await page.keyboard.type('x+1');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('/2');
    await button(page, 'Next').click();
    await field(page, 'Blank 1 of 1').focus();
    await page.keyboard.type('x/2 +1/2');
    await button(page, 'Save').click();
    await allSaved(page);
    await page.reload();
    await page.getByRole('group', { name: 'Item 2 of 2' }).waitFor();
    await button(page, 'Type as text').click();
    await expectSoon(() => field(page, 'Blank 1 of 1').inputValue()).toBe('\\frac{x}{2}+\\frac{1}{2}');
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    const stored = () => host.session(wanted.session_id);
    await until(async () => (await stored()).responses.every(({ score }: { score: number | null }) => score !== null));
    expect(await stored()).toMatchObject({ status: 'Completed', score: 2, max_score: 2 });
    expect(messages).toEqual([]);

    page = await host.visit({ ...wanted, state: 'review' });
    listenTo(page);
    const reviewed = field(page, 'Half of');
    await reviewed.focus();
    await until(async () => (await reviewed.getAttribute('aria-readonly')) === 'true');
    await page.keyboard.type('7');
    expect(await page.evaluate(`app.getResponses() && Object.values(app.getResponses())[0].value`)).toBe(
      '\\frac{x+1}{2}',
    );
    expect(messages).toEqual([]);
  });
});
