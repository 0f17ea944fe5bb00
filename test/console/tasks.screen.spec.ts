import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { ConsoleBrowser } from './support/console-browser';

const console = new ConsoleBrowser();
const MINUTE = 60_000;

beforeAll(async () => {
  await console.open();
  const { client, clock } = console.service;
  await write(client, { questions: [question({ reference: 'q-rivers' }), question({ reference: 'q-lakes' })] });
  const rivers = { reference: 'rivers', tags: { Subject: ['Geography'] }, status: 'unpublished' as const };
  await write(client, {
    items: [
      item(['q-rivers'], { ...rivers, title: 'Rivers of last week' }),
      item(['q-lakes'], { reference: 'lakes', title: 'Lakes', tags: { Subject: ['Biology'] }, status: 'unpublished' }),
    ],
  });
  clock.advance(7 * 24 * 60 * MINUTE);
  await write(client, { items: [item(['q-rivers'], { ...rivers, title: 'Rivers' })] });
}, 240_000);
afterAll(() => console.close());

const stored = async (reference: string) => {
  const { data } = await console.service.client.get('itembank/items', { references: [reference] });
  return (data as { status: string; title: string }[])[0]!;
};

/** Tasks of docs/console.md by mouse or by keys, where the other suites cover only the other way. */
describe('a person in the console', () => {
  it('finds an item by its tag and publishes it, by keyboard', async () => {
    const { context, page, errors } = await console.signIn(['reviewer']);
    await console.visit(page, '/items');
    const tags = page
      .getByRole('combobox', { name: 'Tags' })
      .or(page.getByRole('textbox', { name: 'Tags' }))
      .first();
    await tags.pressSequentially('Subject:Geography');
    await tags.press('Enter');
    await page.getByRole('link', { name: 'lakes' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'rivers' }).press('Enter');
    await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    expect((await stored('rivers')).status).toBe('published');
    expect(errors).toEqual([]);
    await context.close();
  }, 180_000);
});
