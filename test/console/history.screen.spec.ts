import { intercept } from '../support/cut-off';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { barriersInBothSchemes, ConsoleBrowser, settled } from './support/console-browser';
import { signal } from '../support/signal';
import { MINUTE } from '../support/time';
import { until } from '../support/until';

const console = ConsoleBrowser.ofSuite();

/** Saves the item `river` with its question, as version `n`, a minute after the previous version. */
async function save(n: number): Promise<void> {
  console.service.clock.advance(MINUTE);
  const { data } = question();
  const newQuestion = question({ reference: 'q-river', data: { ...data, stimulus: `<p>River ${n}?</p>` } });
  await write(console.service.client, { questions: [newQuestion] });
  await write(console.service.client, { items: [item(['q-river'], { reference: 'river', title: `River ${n}` })] });
}

const titleNow = async () => {
  const { data } = await console.service.client.get('itembank/items', { references: ['river'] });
  return (data as { title: string }[])[0]!.title;
};
const questionNow = async () => {
  const { data } = await console.service.client.get('itembank/questions', { references: ['q-river'] });
  return (data as { data: { stimulus: string } }[])[0]!.data.stimulus;
};

describe('the history of an item in the console', () => {
  beforeAll(async () => {
    for (const n of [1, 2, 3]) await save(n);
    console.service.clock.advance(MINUTE);
  });

  it('shows two revisions side by side, with the questions of their time and the changes, without barriers in light and dark', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/history/item/river');
    await page.frameLocator('iframe[title^="Before"]').getByText('River 2?').waitFor();
    await page.frameLocator('iframe[title^="After"]').getByText('River 3?').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.getByText('Changes', { exact: true }).click();
    const changed = page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1);
    await changed.waitFor();
    expect((await changed.innerText()).split(/\s*[\t\n]\s*/).filter(Boolean)).toEqual([
      '±',
      'Changed',
      'title',
      'River 2',
      'River 3',
    ]);
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });

  it('opens a pair of revisions by its address, chosen by keyboard', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/history/item/river');
    await page
      .getByRole('radio', { name: /^Compare from/ })
      .last()
      .focus();
    await page.keyboard.press('Space');
    await page.frameLocator('iframe[title^="Before"]').getByText('River 1?').waitFor();
    await page.reload();
    await page.frameLocator('iframe[title^="Before"]').getByText('River 1?').waitFor();
  });

  it('shows no changes of the former pair while the changes of another one are read', async () => {
    const { page } = await console.signIn(['author']);
    await console.visit(page, '/history/item/river');
    await page.getByText('Changes', { exact: true }).click();
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.getByText('River 2').waitFor();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    await intercept(page, '**/itembank/history/diff', async (route) => {
      await isAnswered;
      await route.continue();
    });
    // The address says which is chosen, so a slow page shows it a moment after the click.
    await page
      .getByRole('radio', { name: /^Compare from/ })
      .last()
      .click();
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await changes.count()).toBe(0);
    answer();
    await changes.getByText('River 1').waitFor();
  });

  it('offers an author, who may not publish, no way to restore an item, and a viewer no history', async () => {
    const author = await console.signIn(['author']);
    await console.visit(author.page, '/history/item/river');
    await author.page.getByText('Only reviewers can restore items.').waitFor();
    expect(await author.page.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
    await author.close();
    const viewer = await console.signIn(['viewer']);
    await console.visit(viewer.page, '/history/item/river');
    await viewer.page.getByText('Your role may not read the history').waitFor();
    await viewer.close();
  });

  it('restores no item as long as it cannot be read which of its questions have changed', async () => {
    const { close, page } = await console.signIn(['reviewer']);
    await console.visit(page, '/history/item/river');
    // The screen has read what it shows. Only the read of the present questions fails.
    await settled(page);
    const reads = '**/console/api/v1/itembank/questions';
    await intercept(page, reads, (route) =>
      route.request().postData()!.includes('as_of') ? route.continue() : route.fulfill({ status: 500, json: {} }),
    );
    await page
      .getByRole('button', { name: /^Restore the revision/ })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    const again = dialog.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    // The changes above the button move it when they come.
    await dialog.getByText('River 1', { exact: true }).waitFor();
    await expectSoon(() => dialog.getByRole('button', { name: 'Restore', exact: true }).isDisabled()).toBe(true);
    await page.unroute(reads);
    await again.click();
    await dialog.getByText('Also restore 1 question or feature of the item that changed since then').waitFor();
    await until(() => dialog.getByRole('button', { name: 'Restore', exact: true }).isEnabled());
    await close();
  });

  it('puts the focus into the dialog of a restore although it is still reading which questions have changed', async () => {
    const { close, page } = await console.signIn(['reviewer']);
    await console.visit(page, '/history/item/river');
    await settled(page);
    const answered = signal();
    await intercept(page, '**/console/api/v1/itembank/questions', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page
      .getByRole('button', { name: /^Restore the revision/ })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await until(() => dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement)));
    await expectSoon(() => dialog.getByRole('button', { name: 'Restore', exact: true }).isDisabled()).toBe(true);
    answered.give();
    await until(() => dialog.getByRole('button', { name: 'Restore', exact: true }).isEnabled());
    await close();
  });

  it('restores all questions of an item with more of them than a call takes', async () => {
    const { client, clock } = console.service;
    const references = Array.from({ length: 52 }, (_, at) => `q-many-${at}`);
    const writeAll = async (text: string) => {
      const questions = references.map((reference) => question({ reference, data: { stimulus: text } }));
      await write(client, { questions: questions.slice(0, 50) });
      await write(client, { questions: questions.slice(50) });
    };
    await writeAll('Before');
    await write(client, { items: [item(references, { reference: 'many', title: 'Before' })] });
    clock.advance(MINUTE);
    await writeAll('After');
    await write(client, { items: [item(references, { reference: 'many', title: 'After' })] });
    const { close, page } = await console.signIn(['reviewer']);
    await console.visit(page, '/history/item/many');
    await page
      .getByRole('button', { name: /^Restore the revision/ })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Also restore 52 questions and features of the item that changed since then').waitFor();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('The revision is restored.').waitFor();
    for (const some of [references.slice(0, 50), references.slice(50)]) {
      const { data } = await client.get('itembank/questions', { references: some });
      expect(new Set(data.map((each: { data: { stimulus: string } }) => each.data.stimulus))).toEqual(
        new Set(['Before']),
      );
    }
    expect((await client.get('itembank/items', { references: ['many'] })).data[0].title).toBe('Before');
    await close();
  });

  it('refuses to restore over a revision that the page does not know, and restores an item with the questions of that time', async () => {
    const { page } = await console.signIn(['reviewer']);
    await console.visit(page, '/history/item/river');
    const restoreFirst = () =>
      page
        .getByRole('button', { name: /^Restore the revision/ })
        .last()
        .click();
    const dialog = page.getByRole('dialog');
    await restoreFirst();
    await dialog.getByText('River 1', { exact: true }).waitFor();
    console.service.clock.advance(MINUTE);
    await write(console.service.client, { items: [item(['q-river'], { reference: 'river', title: 'River 4' })] });
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.getByText('Somebody saved a newer revision').waitFor();
    expect(await titleNow()).toBe('River 4');
    console.service.clock.advance(MINUTE);
    await page.reload();
    await restoreFirst();
    await dialog.getByText('Also restore 1 question or feature of the item that changed since then').waitFor();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('The revision is restored.').waitFor();
    expect([await titleNow(), await questionNow()]).toEqual(['River 1', '<p>River 1?</p>']);
  });
});
