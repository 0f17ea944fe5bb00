import type { Page } from 'playwright-core';
import { intercept } from '../support/cut-off';
import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { until } from '../support/until';
import { heard, hostPageWith, radio, onPage } from './host-page';

/* Pages that call the player in an unusual order, or whose own code fails. */

describe('a page of an integrator', () => {
  const host = hostPageWith({
    questions: [question({ reference: 'q-1' }), question({ reference: 'q-2' })],
    items: [item(['q-1'], { reference: 'i-1' }), item(['q-2'], { reference: 'i-2' })],
  });
  const request = (more: object = {}) =>
    TestPage.request({ items: ['i-1'], config: { navigation: { show_intro: false } }, ...more });

  it.each([
    ['in the same moment', 0],
    ['before its items are there', 60],
    ['when its items are nearly there', 250],
  ])('shows its inline items although it took the first app off %s, as frameworks do', async (_, ms) => {
    const items = ['i-1', 'i-2'];
    const body = items.map((each) => `<span class="learnosity-item" data-reference="${each}"></span>`).join('');
    const first = 'LearnosityItems.init(signed, { readyListener: () => heard.push("first") })';
    const page = await host.visit(request({ items, rendering_type: 'inline' }), {
      body,
      init: `(() => {
        const first = ${first};
        const second = () => { first.reset(); globalThis.app = LearnosityItems.init(signed, callbacks); };
        ${ms === 0 ? 'second()' : `setTimeout(second, ${ms})`};
        return globalThis.app;
      })()`,
    });
    await until(async () => (await heard(page)).includes('ready'));
    await expectSoon(() => radio(page, 'Two').count()).toBe(2);
    expect((await heard(page)).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('gets one error for one fault, although its errorListener throws, and shows the items that there are', async () => {
    const init = `LearnosityItems.init(signed, { ...callbacks, errorListener: ({ code }) => {
      heard.push('error ' + code);
      throw new Error('a mistake of the page');
    } })`;
    const refused = await host.visit(request({ items: ['i-nobody'] }), { init });
    await onPage(refused.getByText('The test cannot be shown. (20013)')).waitFor();
    await expectSoon(() => heard(refused)).toEqual(['error 20013']);
    const body = ['i-1', 'i-nobody'].map((each) => `<i class="learnosity-item" data-reference="${each}"></i>`).join('');
    const page = await host.visit(request({ rendering_type: 'inline' }), { body, init });
    await until(async () => (await heard(page)).includes('ready'));
    expect((await heard(page)).filter((line) => line.startsWith('error'))).toEqual(['error 50002']);
    await radio(page, 'Two').waitFor();
  });

  it.each(['save', 'submit'])(
    'gets no error of a %s that was stored, although its own callback throws',
    async (name) => {
      const wanted = request({ rendering_type: 'inline' });
      const page = await host.visit(wanted, { body: '<i class="learnosity-item" data-reference="i-1"></i>' });
      await radio(page, 'Two').check();
      await page.evaluate(`app.${name}({
      success() {
        heard.push('success');
        throw new Error('a mistake of the page');
      },
      error: () => heard.push('error of the call'),
    })`);
      await until(async () => (await heard(page)).includes('success'));
      expect(await page.evaluate('new Promise((done) => setTimeout(() => done(heard), 100))')).not.toContainEqual(
        expect.stringContaining('error'),
      );
    },
  );

  it('does not lead a learner away after it took the player off', async () => {
    const config = {
      navigation: { show_intro: false, show_outro: false },
      configuration: { onsubmit_redirect_url: '/after' },
    };
    const page = await host.visit(request({ config }));
    await radio(page, 'Two').check();
    await intercept(page, '**/submissions', async (route) => {
      await page.evaluate('app.reset()');
      await route.continue();
    });
    const submitted = page.waitForResponse('**/submissions');
    await page.evaluate('app.submit()');
    await submitted;
    await page.waitForTimeout(500);
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('does not say that a submission failed when the page has no address to lead to', async () => {
    const config = {
      navigation: { show_intro: false, show_outro: false },
      configuration: { onsubmit_redirect_url: 'https://' },
    };
    const page = await host.visit(request({ config }));
    await radio(page, 'Two').check();
    await page.evaluate('app.submit()');
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    await until(async () => (await heard(page)).includes('test:finished:submit'));
    expect(await heard(page)).not.toContain('test:submit:error');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('can load the script as a module', async () => {
    const page = await host.visit(request(), { init: 'undefined' });
    await page.evaluate(`import('${host.service.url}/player/items.js?module').then(() => {
      LearnosityItems.init(signed, callbacks);
    })`);
    await radio(page, 'Two').waitFor();
  });

  it('can have the player in a shadow root, where it looks as elsewhere', async () => {
    const init = `(() => {
      const root = document.querySelector('main').attachShadow({ mode: 'open' });
      root.append(document.createElement('div'));
      return LearnosityItems.init(signed, root.firstElementChild, callbacks);
    })()`;
    const coloursIn = async (page: Page) => {
      await radio(page, 'Two').waitFor();
      const finish = `(document.querySelector('main').shadowRoot ?? document).querySelector('.itembank-primary')`;
      return page.evaluate(`getComputedStyle(${finish}).backgroundColor`);
    };
    const elsewhere = await coloursIn(await host.visit(request()));
    expect(await coloursIn(await host.visit(request(), { init }))).toBe(elsewhere);
  });

  it('offers no full screen in a frame that may not have it', async () => {
    const page = await host.visit(request(), { body: '<p>A course</p>', init: 'undefined' });
    await page.evaluate(`{
      const frame = document.createElement('iframe');
      frame.allow = "fullscreen 'none'";
      frame.srcdoc = '<div id="place"></div>';
      frame.onload = () => {
        const script = frame.contentDocument.createElement('script');
        script.src = '${host.service.url}/player/items.js';
        script.onload = () => frame.contentWindow.LearnosityItems.init(signed, 'place', callbacks);
        frame.contentDocument.body.append(script);
      };
      document.body.append(frame);
    }`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Save' }).waitFor();
    expect(await frame.getByRole('button', { name: 'Full screen' }).count()).toBe(0);
  });
});
