import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { barriers, ConsoleBrowser } from './support/console-browser';

const console = new ConsoleBrowser();

describe('pools in the console', () => {
  beforeAll(async () => {
    await console.open();
    await write(console.service.client, { questions: [question({ reference: 'q-a' })] });
    await write(console.service.client, {
      items: [item(['q-a'], { reference: 'a', title: 'Item a', tags: { Subject: ['Geography'] } })],
    });
  }, 180_000);
  afterAll(() => console.close());

  it('are made by an operator: the fill tells what it stored and what it left out', async () => {
    const { context, page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/pools');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'New pool' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reference' }).fill('autumn');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Autumn');
    await dialog.getByRole('button', { name: 'Start the fill' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/names nothing/)
      .first()
      .waitFor();
    await dialog.getByRole('textbox', { name: 'Items', exact: true }).fill('nowhere');
    await dialog.getByRole('button', { name: 'Add a combination: Items with tags' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('All of these tags').fill('Subject:Geography');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Start the fill' }).click();
    // The clock of the service stands; a fill waits until what was being written has landed.
    await page.getByRole('heading', { name: 'Progress of the fill' }).waitFor();
    console.service.clock.advance(10_000);
    await page.getByText('The fill is done.').waitFor();
    await page.getByText('0 activities, 1 items, 1 questions, 0 features').waitFor();
    await page.getByText('there is no item of this reference').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByText('Item a').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('are shown to a viewer, who cannot fill them, without barriers in dark colours', async () => {
    const { context, page } = await console.signIn(['viewer'], { scheme: 'dark' });
    await console.visit(page, '/pools');
    expect(await page.getByRole('button', { name: 'New pool' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Autumn' }).click();
    await page.getByText('Item a').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Fill' }).click();
    await page.getByText('Operators fill pools.').waitFor();
    await context.close();
  });
});
