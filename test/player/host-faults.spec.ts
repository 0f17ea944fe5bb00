import { item, question } from '../support/builders';
import { TestPage } from '../support/page';
import { until } from '../support/until';
import { heard, hostPageWith, radio } from './host-page';

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
    expect(await radio(page, 'Two').count()).toBe(2);
    expect((await heard(page)).filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
