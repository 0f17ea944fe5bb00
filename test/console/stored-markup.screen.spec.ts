import { type Page } from 'playwright-core';
import { Consumers } from '#access';
import { People } from '#people';
import { write } from '../support/bank';
import { activity, feature, item, question } from '../support/builders';
import { expectSuccess } from '../support/failure';
import { ConsoleBrowser } from './support/console-browser';

const console = new ConsoleBrowser();
/** Runs and loads something unless it is shown as text. Each place has its own number. */
const hostile = (place: string) => `${place}<img src=/x-${place} onerror="document.title='ran'"><script>ran=1</script>`;
const EMAIL = 'mallory@example.org';

beforeAll(async () => {
  await console.open();
  const { client, get } = console.service;
  await get(Consumers).renameOrganisation({ id: 1, name: hostile('organisation') });
  await get(Consumers).create({
    label: hostile('consumer'),
    domains: ['localhost'],
    features: [],
    rateLimits: {},
    legacySignatures: false,
    grants: [{ organisation: 1, access: 'write', primary: true }],
  });
  await get(People).create({
    email: EMAIL,
    firstname: '<img src=/x-first>',
    lastname: '<img src=/x-last>',
    roles: new Map([[1, ['viewer']]]),
  });
  const state = (reference: string, to: string[]) => ({
    reference,
    label: hostile(reference),
    workflow_transitions: to.map((name, index) => ({ to_state_reference: name, display_order: index })),
  });
  expectSuccess(
    await client.set('itembank/workflows', {
      workflows: [
        {
          reference: 'review',
          initial_state_reference: 'Draft',
          final_state_reference: 'Done',
          workflow_states: [state('Draft', ['Done']), state('Done', [])],
        },
      ],
    }),
  );
  const data = {
    type: 'mcq',
    stimulus: hostile('stem'),
    options: [
      { label: hostile('option'), value: '0' },
      { label: 'Two', value: '1' },
    ],
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['1'] } },
  };
  await write(client, {
    questions: [question({ reference: 'q-1', data })],
    features: [
      feature({
        reference: 'f-1',
        data: { type: 'sharedpassage', heading: hostile('heading'), content: hostile('passage') },
      }),
    ],
    items: [
      item(['f-1', 'q-1'], {
        reference: 'hostile',
        title: hostile('title'),
        description: hostile('description'),
        note: hostile('note'),
        source: hostile('source'),
        status: 'unpublished',
        tags: { '<b>type</b>': ['<img src=/x-tag>'] },
        authoring_workflow: { reference: 'review', state: 'Draft' },
      }),
    ],
    activities: [activity(['hostile'], { reference: 'act', title: hostile('activity') })],
  });
}, 240_000);
afterAll(() => console.close());

/** The requests for addresses that stored texts name, and the foreign elements and effects of scripts in the page. */
async function harmIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('[src^="/x-"], [onerror], b > img')].map(({ outerHTML }) => outerHTML),
    ...[...document.scripts].filter(({ textContent }) => textContent.includes('ran=1')).map(() => 'script'),
    ...(document.title === 'ran' || 'ran' in globalThis ? ['a script ran'] : []),
  ]`);
}

describe('stored markup', () => {
  it.each([
    ['/items', hostile('title')],
    ['/items?item=hostile', hostile('title')],
    ['/items?tags=%5B%22%3Cb%3Etype%3C%2Fb%3E%3A%3Cimg%20src%3D%2Fx-tag%3E%22%5D', '<img src=/x-tag>'],
    ['/items/hostile', hostile('title')],
    ['/items/hostile?tab=edit', undefined],
    ['/items/hostile?tab=details', undefined],
    ['/history/item/hostile', undefined],
    ['/activities', hostile('activity')],
    ['/activities/act', hostile('activity')],
    ['/tags', undefined],
    ['/workflows/review', undefined],
    ['/audit', undefined],
    ['/people', '<img src=/x-first>'],
    ['/consumers', hostile('consumer')],
    ['/organisations', hostile('organisation')],
    ['/account', undefined],
  ])('is text on the screen %s', async (path, text) => {
    const { page, errors, close } = await console.signIn(['operator']);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await console.visit(page, path);
    await page.waitForLoadState('networkidle');
    if (text !== undefined) await page.getByText(text).first().waitFor({ state: 'attached' });
    expect(await harmIn(page)).toEqual([]);
    for (const frame of page.frames().slice(1))
      expect(await frame.evaluate(`[document.title, 'ran' in globalThis]`)).not.toContain('ran');
    // The renderer shows pictures of the content, and nothing else names these addresses.
    const inFrame = page.frames().length > 1 ? ['stem', 'option', 'passage', 'heading'] : [];
    const known = inFrame.map((place) => `/x-${place}`);
    expect(requests.filter((each) => each.startsWith('/x-') && !known.includes(each))).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
