import { item, question } from '../support/builders';
import { cutOff, intercept } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { expectSuccess } from '../support/failure';
import { until } from '../support/until';
import { answerQuestions, barriers, comeBack, ConsoleBrowser, settled } from './support/console-browser';

const browser = ConsoleBrowser.ofSuite();

describe('the screen of tags', () => {
  beforeAll(async () => {
    const { client } = browser.service;
    expectSuccess(await client.set('itembank/questions', { questions: [question({ reference: 'q-a' })] }));
    const tagged = (reference: string, tags: Record<string, string[]>) => item(['q-a'], { reference, tags });
    expectSuccess(
      await client.set('itembank/items', {
        items: [
          tagged('a', { Subject: ['Geografy'], Level: ['Hard'] }),
          tagged('b', { Subject: ['Geografy', 'Geography'] }),
          tagged('c', { Subject: ['Maths'] }),
          tagged('x', { Skill: ['reed'] }),
        ],
      }),
    );
  });

  it('merges two tags by keyboard, after a preview', async () => {
    const { page } = await browser.signIn(['author']);
    await browser.visit(page, '/tags?type=Subject');
    await page.getByRole('link', { name: 'Items: 2 with the tag Subject: Geografy' }).waitFor();
    await page.getByRole('link', { name: 'Rename or merge the tag Geografy' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'New name' }).fill('GEOGRAFY');
    await page.keyboard.press('Enter');
    await dialog.getByText('differs from name only in upper and lower case').first().waitFor();
    await dialog.getByRole('textbox', { name: 'New name' }).fill('Geography');
    await page.keyboard.press('Enter');
    await dialog.getByText('Geography already exists').waitFor();
    await dialog.getByText('Items: 2, activities: 0.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Merge' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('All content has the new name.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'Items: 2 with the tag Subject: Geography' }).waitFor();
    expect(await page.getByText('Geografy').count()).toBe(0);
  });

  it('renames a tag to an unused name', async () => {
    const { page } = await browser.signIn(['operator'], { scheme: 'dark' });
    await browser.visit(page, '/tags?type=Skill');
    await page.getByRole('link', { name: 'Rename or merge the tag reed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'New name' }).fill('read');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog.getByText('reed becomes read.').waitFor();
    expect(await barriers(page)).toEqual([]);
    if (process.env.TEST_PICTURES) await page.screenshot({ path: `${process.env.TEST_PICTURES}/tags-rename-dark.png` });
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await dialog.getByText('All content has the new name.').waitFor();
    const [found] = (await browser.service.client.get('itembank/items', { references: ['x'] })).data;
    expect(found.tags).toEqual({ Skill: ['read'] });
  });

  it('shows no preview for a name that has been changed while the preview was read', async () => {
    const { close, page } = await browser.signIn(['operator']);
    await browser.visit(page, '/tags?type=Subject');
    await page
      .getByRole('link', { name: /^Rename or merge/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    let letGo = () => {};
    const mayGo = new Promise<void>((done) => (letGo = done));
    await intercept(page, '**/console/api/v1/itembank/tagging/tags', async (route) => {
      if ((route.request().postDataJSON() as { action: string }).action === 'update') await mayGo;
      await route.continue();
    });
    const name = dialog.getByRole('textbox', { name: 'New name' });
    await name.fill('First name');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await name.fill('Second name');
    letGo();
    await settled(page);
    expect(await dialog.getByText(/becomes First name/).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog.getByText(/becomes Second name/).waitFor();
    await close();
  });

  it('says while a tag is renamed that the service cannot be reached, and goes on by itself', async () => {
    const { page } = await browser.signIn(['operator']);
    await browser.visit(page, '/tags?type=Skill');
    await page.getByRole('link', { name: 'Rename or merge the tag read' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'New name' }).fill('reading');
    await dialog.getByRole('button', { name: 'Show what would change' }).click();
    await dialog.getByText('read becomes reading.').waitFor();
    const reads = '**/console/api/v1/jobs';
    await cutOff(page, reads);
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await dialog.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.unroute(reads);
    await dialog.getByText('All content has the new name.').waitFor();
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('finds a tag among thousands of its type by a part of its name, with the keyboard alone', async () => {
    const { client } = browser.service;
    const names = Array.from({ length: 1200 }, (_, index) => `Chapter ${index}`);
    for (let start = 0; start < names.length; start += 50)
      expectSuccess(
        await client.set('itembank/tagging/tags', {
          tags: names.slice(start, start + 50).map((name) => ({ type: 'Book', name })),
        }),
      );
    const { page } = await browser.signIn(['author'], { width: 320 });
    await browser.visit(page, '/tags?type=Book');
    const table = page.getByRole('table', { name: 'Tags of the type Book' });
    await table.getByRole('link', { name: 'Chapter 0', exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Find tags by a part of their name' }).focus();
    // The name of the type is not a part of the name of a tag.
    await page.keyboard.type('book');
    await page.getByText('No tag of this type contains book').waitFor();
    for (const _ of 'book') await page.keyboard.press('Backspace');
    await page.keyboard.type('ER 117');
    await page.getByRole('status').getByText('Rows: 11').waitFor();
    expect(new URL(page.url()).searchParams.get('text')).toBe('ER 117');
    expect(await barriers(page)).toEqual([]);
    await table.getByRole('link', { name: 'Chapter 1170', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the tag Chapter 1170' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // The tags stay found.
    await page.reload();
    await table.getByRole('link', { name: 'Chapter 1170', exact: true }).waitFor();
    expect(await table.getByRole('link', { name: 'Chapter 0', exact: true }).count()).toBe(0);
  });

  it('asks before Escape or a click outside discards what a person has typed', async () => {
    const { page } = await browser.signIn(['author']);
    await browser.visit(page, '/tags?type=Subject');
    const create = page.getByRole('button', { name: 'Create a tag' });
    const form = page.getByRole('dialog', { name: 'Create a tag' });
    const name = form.getByRole('textbox', { name: 'Name' });
    const questions = answerQuestions(page);
    // An untouched form closes without a question.
    await create.click();
    await name.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    await create.click();
    await name.fill('Physics');
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 890)]) {
      await leave();
      await until(() => Promise.resolve(questions.asked.pop()?.message() === 'Discard what you typed?'));
      await expectSoon(() => name.inputValue()).toBe('Physics');
    }
    questions.answer = 'accept';
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    questions.asked.length = 0;
    // Saving asks nothing.
    await create.click();
    await name.fill('Chemistry');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    expect(questions.asked).toEqual([]);
  });

  it('asks before the back button or a reload discards what a person has typed', async () => {
    const { page } = await browser.signIn(['author']);
    await browser.visit(page, '/tags');
    await page.getByRole('link', { name: 'Pools', exact: true }).click();
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    const create = page.getByRole('button', { name: 'Create a tag' });
    const form = page.getByRole('dialog', { name: 'Create a tag' });
    const name = form.getByRole('textbox', { name: 'Name' });
    const questions = answerQuestions(page);
    // An untouched form closes without a question.
    await create.click();
    await name.waitFor();
    await page.goBack();
    await form.waitFor({ state: 'hidden' });
    expect(questions.asked).toEqual([]);
    await create.click();
    await name.fill('Physics');
    await page.evaluate('history.back()');
    await until(() => Promise.resolve(questions.asked.pop()?.type() === 'confirm'));
    await expectSoon(() => name.inputValue()).toBe('Physics');
    await page.evaluate('location.reload()');
    await until(() => Promise.resolve(questions.asked.pop()?.type() === 'beforeunload'));
    await expectSoon(() => name.inputValue()).toBe('Physics');
    // In a dialog, the letters that lead to screens do nothing.
    await form.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expectSoon(() => name.inputValue()).toBe('Physics');
    questions.answer = 'accept';
    await page.evaluate('history.back()');
    await form.waitFor({ state: 'hidden' });
    expect(questions.asked.map((question) => question.type())).toEqual(['confirm']);
  });

  it('creates a hierarchy, orders its levels by keyboard and by dragging, and removes it', async () => {
    const { page } = await browser.signIn(['author']);
    const listed = async () =>
      (await browser.service.client.get('itembank/tagging/hierarchies')).data.map(
        ({ reference, tag_types: types }: { reference: string; tag_types: { name: string }[] }) =>
          `${reference}: ${types.map(({ name }) => name).join(' > ')}`,
      );
    await browser.visit(page, '/tags');
    await page.getByRole('button', { name: 'Create a hierarchy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reference' }).fill('curriculum');
    await dialog.getByLabel('Tag type of level 1').fill('Level');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Add a level' }).click();
    await dialog.getByLabel('Tag type of level 2').fill('level');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('is the same tag type as').first().waitFor();
    await dialog.getByLabel('Tag type of level 2').fill('Subject');
    await dialog.getByRole('button', { name: 'Move level 2 up' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Subject is now level 1.').waitFor({ state: 'attached' });
    expect(await barriers(page)).toEqual([]);
    if (process.env.TEST_PICTURES) await page.screenshot({ path: `${process.env.TEST_PICTURES}/tags-hierarchy.png` });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Levels: Subject › Level').waitFor();
    expect(await listed()).toEqual(['curriculum: Subject > Level']);
    await page.getByRole('button', { name: 'Change the hierarchy curriculum' }).click();
    await dialog.getByTitle('Drag to another place').first().dragTo(dialog.getByLabel('Description of level 2'));
    await dialog.getByText('Subject is now level 2.').waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Levels: Level › Subject').waitFor();
    expect(await listed()).toEqual(['curriculum: Level > Subject']);
    await page.getByRole('button', { name: 'Remove the hierarchy curriculum' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There is no hierarchy.').waitFor();
  });

  it('refuses to replace a hierarchy that somebody else has changed meanwhile', async () => {
    const { client } = browser.service;
    const put = (name: string) =>
      client.set('itembank/tagging/hierarchies', {
        tag_hierarchies: [{ reference: 'shared', tag_types: [{ name }] }],
      });
    await put('Subject');
    const { page } = await browser.signIn(['author']);
    await browser.visit(page, '/tags');
    await page.getByRole('button', { name: 'Change the hierarchy shared' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a level' }).waitFor();
    await put('Grade');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/the present revision of "shared" is/).waitFor();
    const { data } = await client.get('itembank/tagging/hierarchies', { references: ['shared'] });
    expect(data).toMatchObject([{ tag_types: [{ name: 'Grade' }] }]);
    await client.set('itembank/tagging/hierarchies', { tag_hierarchies: [], remove: ['shared'] });
  });

  describe('keeps a tag that somebody else has described meanwhile', () => {
    const describeTag = async (description: string) =>
      expectSuccess(
        await browser.service.client.set('itembank/tagging/tags', {
          tags: [{ type: 'Subject', name: 'Maths', description }],
        }),
      );
    const descriptionNow = async () => {
      const { data } = await browser.service.client.get('itembank/tagging/tags', { types: ['Subject'] });
      return (data as { name: string; description: string }[]).find(({ name }) => name === 'Maths')!.description;
    };

    it('when a form that was open before is saved, also after the page has read the tag again', async () => {
      await describeTag('Before');
      const { page } = await browser.signIn(['author']);
      await browser.visit(page, '/tags?type=Subject&tag=Maths');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Description' }).waitFor();
      await describeTag('Theirs');
      await comeBack(page, '/itembank/tagging/tags');
      await dialog.getByRole('textbox', { name: 'Description' }).fill('Mine');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText(/the present revision of .* is/).waitFor();
      expect(await descriptionNow()).toBe('Theirs');
    });

    it('when a new tag of the same name is made', async () => {
      await describeTag('Known');
      const { page } = await browser.signIn(['author']);
      await browser.visit(page, '/tags?type=Subject&create=yes');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Maths');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText(/the present revision of .* is/).waitFor();
      expect(await descriptionNow()).toBe('Known');
    });
  });

  describe('of which there are thousands', () => {
    beforeAll(async () => {
      const { client } = browser.service;
      expectSuccess(await client.set('itembank/tagging/tags', { tags: [{ type: 'Skill', name: 'Abseiling' }] }));
      browser.service.clock.advance(1_000);
      for (const part of [1, 2]) {
        const tags = Array.from({ length: 1_000 }, (_, index) => ({ type: 'Place', name: `Street ${part} ${index}` }));
        expectSuccess(await client.set('itembank/tagging/tags', { tags }));
      }
    });

    it.each(['/items', '/items/x?tab=edit', '/activities', '/imports?tab=export'])(
      'are offered at %s when a part is typed, even the oldest',
      async (address) => {
        const { page } = await browser.signIn(['operator']);
        await browser.visit(page, address);
        if (address.startsWith('/imports')) await page.getByLabel('Items and activities with tags').check();
        const field = page.getByLabel('Tags', { exact: true }).and(page.locator('input:not([type=hidden])'));
        await field.fill('skill:ABS');
        await page.getByRole('option', { name: /Skill:Abseiling/ }).click();
        await page.getByText('Skill:Abseiling').first().waitFor();
      },
    );

    it('are opened by their address, wherever they are in the list', async () => {
      const { page } = await browser.signIn(['author']);
      await browser.visit(page, '/tags?type=Place&tag=Street%202%20999');
      await page.getByRole('dialog', { name: 'Change the tag Street 2 999' }).waitFor();
    });
  });

  it('fits into 320 pixels, in German', async () => {
    const { page } = await browser.signIn(['author'], { width: 320, language: 'de' });
    for (const address of ['/tags?type=Subject', '/tags?type=Subject&rename=Maths', '/tags?make=yes']) {
      await browser.visit(page, address);
      const isDialog = /rename|make/.test(address);
      await (isDialog ? page.getByRole('dialog') : page.getByText('Aufgaben: 2').first()).waitFor();
      await expectSoon(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(await barriers(page)).toEqual([]);
      if (process.env.TEST_PICTURES)
        await page.screenshot({
          path: `${process.env.TEST_PICTURES}/tags-320-${address.replace(/\W+/g, '-')}.png`,
          fullPage: true,
        });
    }
  });

  it('offers viewers no change', async () => {
    const { page } = await browser.signIn(['viewer']);
    await browser.visit(page, '/tags?type=Subject');
    await page.getByText('Items: 2').waitFor();
    expect(await page.getByRole('link', { name: /Rename or merge/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create a hierarchy' }).count()).toBe(0);
  });
});
