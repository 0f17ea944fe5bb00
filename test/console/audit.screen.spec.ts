import { expectSoon } from '../support/expect-soon';
import { barriersInBothSchemes, ConsoleBrowser } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  const { client } = console.service;
  const name = `Maths <img src=x onerror="document.title='hit'">`;
  const tags = [
    { type: 'Subject', name: 'Art' },
    { type: 'Subject', name },
  ];
  const meta = { user: { id: 'ana', firstname: 'Ana', lastname: 'Lee' } };
  expect((await client.set('itembank/tagging/tags', { tags, meta })).meta.status).toBe(true);
});

describe('changes in the console', () => {
  it('are filtered with the mouse, and stay filtered after a reload', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/audit');
    const list = page.getByRole('table', { name: 'Changes, newest first' });
    await list.getByText('Tags: Subject:Art').waitFor();
    await list.getByText('create person').first().waitFor();
    await page.getByText('People', { exact: true }).last().click();
    await list.getByText('Tags: Subject:Art').waitFor({ state: 'hidden' });
    expect(page.url()).toContain('person');
    await page.reload();
    await list.getByText('create person').first().waitFor();
    expect(await list.getByText('Tags: Subject:Art').count()).toBe(0);
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('lead to the person whom they are about', async () => {
    const { page, email } = await console.signIn(['operator']);
    await console.visit(page, '/audit?subject=["person"]');
    const list = page.getByRole('table', { name: 'Changes, newest first' });
    await list.getByRole('link').first().press('Enter');
    await page.getByRole('dialog', { name: 'Change' }).getByRole('link').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await page.getByRole('dialog').getByText(email).waitFor();
  });

  it.each([
    ['en-GB', 'Changes, newest first', /^\d{1,2} \p{L}{3,4} \d{4}, \d\d:\d\d$/u],
    ['en-US', 'Changes, newest first', /^\p{L}{3} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M$/u],
    ['de-AT', 'Änderungen, neueste zuerst', /^\d{2}\.\d{2}\.\d{4}, \d\d:\d\d$/],
  ])('have their dates as the browser writes them in %s', async (language, name, date) => {
    const { page } = await console.signIn(['operator'], { language });
    await console.visit(page, '/audit');
    await page.getByRole('table', { name }).getByText(date).first().waitFor();
  });

  it('are reached from another screen by keyboard, and show the state before and after at 320 pixels', async () => {
    const { page } = await console.signIn(['reviewer'], { width: 320 });
    await console.visit(page, '/tags?type=Subject');
    await page.getByRole('link', { name: 'Show changes' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    expect(await page.getByText('People', { exact: true }).count()).toBe(0);
    const list = page.getByRole('table', { name: 'Changes, newest first' });
    await list.getByText('Maths').waitFor();
    const reference = page.getByRole('textbox', { name: 'Reference', exact: true });
    await reference.fill('subject:ART');
    await reference.press('Enter');
    await list.getByText('Maths').waitFor({ state: 'hidden' });
    await list.getByRole('link').first().press('Enter');
    const details = page.getByRole('dialog', { name: 'Change' });
    await details.getByText('Ana Lee').waitFor();
    await details.getByRole('heading', { name: 'After' }).waitFor();
    await expectSoon(() => details.innerText()).toContain('"name": "Art"');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await page.title()).not.toBe('hit');
  });
});
