import type { Locator, Page } from 'playwright-core';
import { item, question } from '../support/builders';
import { cutOff } from '../support/cut-off';
import { TestPage } from '../support/page';
import { until } from '../support/until';
import { button, BY_HAND, dialog, group, heard, hostPageWith, radio } from './host-page';

describe('a learner who listens to the player', () => {
  const names = ['1', '2', '3'];
  const host = hostPageWith({
    questions: names.map((name) => question({ reference: `q-${name}` })),
    items: names.map((name) => item([`q-${name}`], { reference: `i-${name}` })),
  });

  /** Starts a test of three items. */
  const begin = async (config: object = {}, more: object = {}): Promise<Page> => {
    const page = await host.visit(TestPage.request({ items: ['i-1', 'i-2', 'i-3'], config, ...more }));
    await button(page, 'Start').click();
    await radio(page, 'One').first().waitFor();
    return page;
  };

  /** The text of the live regions in the accessibility tree. It lacks what lies behind a modal dialog or a full screen. */
  const announced = async (page: Page): Promise<string> => {
    const session = await host.context.newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    const regions = nodes.filter(({ role, ignored }) => role?.value === 'status' && !ignored);
    const inRegions = new Set(regions.flatMap(({ childIds }) => childIds));
    const texts = nodes.filter(({ nodeId }) => inRegions.has(nodeId)).map(({ name }) => String(name?.value ?? ''));
    return texts.join(' ').trim();
  };
  const focused = (place: Page | Locator, name: string) =>
    place.getByRole('button', { name, exact: true }).and(place.locator(':focus')).waitFor();
  const goToLast = async (page: Page) => {
    await button(page, 'Item 3, not answered').click();
    await group(page, 'Item 3 of 3').waitFor();
  };
  const hears = (page: Page, text: string) => until(async () => (await announced(page)) === text);

  it('hears what is announced while a dialog is open', async () => {
    await host.stopClock();
    const page = await begin({ configuration: { idle_timeout: { interval: 100, countdown_time: 60 } } });
    await host.context.clock.runFor(100_000);
    await dialog(page, 'Are you still there?').waitFor();
    await host.context.clock.runFor(41_000);
    await hears(page, '20 seconds');
  });

  it('does not hear an old announcement again when a dialog closes', async () => {
    const page = await begin();
    await hears(page, 'Item 1 of 3');
    await button(page, 'Review').click();
    await dialog(page, 'Review').getByRole('button', { name: 'Close' }).click();
    await dialog(page, 'Review').waitFor({ state: 'hidden' });
    expect(await announced(page)).toBe('');
  });

  it('hears what is announced while the player fills the screen', async () => {
    const page = await begin();
    await button(page, 'Full screen').click();
    await page.locator('itembank-player:fullscreen').waitFor();
    await page.getByRole('button', { name: 'Full screen', pressed: true }).waitFor();
    await button(page, 'Next').click();
    await group(page, 'Item 2 of 3').waitFor();
    await hears(page, 'Item 2 of 3');
    await button(page, 'Full screen').click();
    await page.getByRole('button', { name: 'Full screen', pressed: false }).waitFor();
  });

  it('begins in the display settings at the present size of text', async () => {
    const page = await begin();
    await button(page, 'Display').click();
    await radio(page, 'Normal').and(page.locator(':focus')).waitFor();
  });

  it.each([
    ['Finish', 'Submit this test?', '3 questions are not answered. You cannot change your answers afterwards.'],
    ['Pause', 'The test is paused', 'The time stands still until you go on. All pauses together can last one day.'],
  ])('hears the text of the dialog that %s opens, with its title', async (name, title, text) => {
    const page = await begin();
    await goToLast(page);
    await button(page, name).click();
    await page.getByRole('dialog', { name: title, description: text }).waitFor();
  });

  it('hears of each submission that fails, and finds the focus at the beginning of the dialog', async () => {
    const page = await begin();
    await goToLast(page);
    await cutOff(page, '**/submissions');
    await button(page, 'Finish').click();
    await button(page, 'Submit').press('Enter');
    const failed = dialog(page, 'Your answers could not be submitted');
    const told =
      'Your answers could not be submitted: They are kept in this browser. Check the connection and try again.';
    await focused(failed, 'Cancel');
    await hears(page, told);
    await button(page, 'Try again').press('Enter');
    await focused(failed, 'Cancel');
    await hears(page, told);
    await page.keyboard.press('Enter');
    await focused(page, 'Finish');
  });

  it('hears the outcome of each save that the learner asks for', async () => {
    await host.stopClock();
    const page = await begin(BY_HAND);
    const saves = async (outcome: string) => {
      const settled = heard(page).then((names) => names.length);
      await button(page, 'Save').click();
      await until(async () => (await heard(page)).slice(await settled).some((name) => /^test:save:/.test(name)));
      await host.context.clock.runFor(200);
      await hears(page, outcome);
    };
    await host.context.clock.runFor(200);
    await saves('All answers are saved.');
    await radio(page, 'Two').check();
    await cutOff(page, '**/sessions/current/**');
    await saves('Answers could not be saved. Trying again.');
    await saves('Answers could not be saved. Trying again.');
  });

  describe('and whose time is over', () => {
    const timed = { time: { max_time: 60, limit_type: 'hard' } };

    /** Starts a test, and stops the clock at the event that the end of the time causes, before anything is announced. */
    async function endTime(event: string, config: object, more?: object): Promise<Page> {
      await host.stopClock();
      const page = await begin(config, more);
      await host.context.clock.runFor(1_000);
      await page.evaluate(`
        globalThis.announced = [];
        new MutationObserver((changes) => {
          for (const { target } of changes) if (target.role === 'status') announced.push(target.textContent.trim());
        }).observe(document.body, { subtree: true, childList: true });`);
      await host.context.clock.runFor(58_000);
      while (!(await heard(page)).includes(event)) await host.context.clock.runFor(100);
      return page;
    }
    const announcedAfter = async (page: Page): Promise<string> => {
      await host.context.clock.runFor(1_000);
      return page.evaluate("announced.join(' ').trim()");
    };

    it('hears that the time of a section is over, and where the test goes on', async () => {
      const sections = ['i-1', 'i-2'].map((name) => ({ items: [name], config: timed }));
      const page = await endTime('section:changed', {}, { items: undefined, sections });
      await until(async () => (await heard(page)).filter((name) => name === 'item:load').length === 2);
      expect(await announcedAfter(page)).toBe('The time of this section is over. Item 2 of 2');
    });

    it('hears that the time of the test is over, and that the answers have been submitted', async () => {
      const page = await endTime('test:submit', timed);
      await until(async () => (await heard(page)).includes('test:submit:success'));
      expect(await announcedAfter(page)).toBe('The time is over. Your answers have been submitted');
    });
  });
});
