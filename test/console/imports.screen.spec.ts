import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { type DirectImport, RecordedImports } from '#interchange';
import { newId } from '#kernel';
import { write } from '../support/bank';
import { item, question, workflow } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { expectSuccess } from '../support/failure';
import { zipOf, zipWithPath } from '../support/imports';
import { answerQuestions, barriersInBothSchemes, ConsoleBrowser, settled } from './support/console-browser';
import { SECOND } from '../support/time';
import { until } from '../support/until';

const console = ConsoleBrowser.ofSuite();

beforeEach(() => console.service.clock.advance(10 * SECOND));

const GIFT = 'text/plain';
const gift = (...names: string[]) =>
  names.map((name) => `// [id:${name}]\n::${name}:: Does ${name} carry sound?{T}`).join('\n\n');

const statusOf = async (reference: string) => {
  const { data } = await console.service.client.get('itembank/items', {
    references: [reference],
    status: ['published', 'unpublished', 'archived'],
  });
  return (data as { status: string }[])[0]?.status;
};

/** Chooses a file with the button, and waits for the plan of its import. */
async function plan(page: Page, name: string, content: string | Buffer): Promise<void> {
  await console.visit(page, '/imports');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: GIFT, buffer: typeof content === 'string' ? Buffer.from(content) : content });
  await page.getByRole('button', { name: 'Upload and plan' }).click();
  await page.getByRole('link', { name: 'All imports' }).waitFor();
}

async function apply(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Apply the plan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply the plan' }).click();
  await page.getByText('The import is applied.').waitFor();
}

const revert = async (page: Page) => {
  await page.getByRole('button', { name: 'Revert the import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revert the import' }).click();
};
const rows = (page: Page) => page.getByRole('table', { name: 'Plan' }).locator('tbody tr[data-index]');

describe('an operator in the console', () => {
  it('reads the kind of each record of a plan in words', async () => {
    const { page } = await console.signIn(['operator']);
    const lines = [
      { kind: 'tag', reference: 'Area: Sea', type: 'Area', name: 'Sea' },
      { kind: 'hierarchy', reference: 'area', tag_types: [{ name: 'Area' }] },
      { kind: 'workflow', ...workflow('flow', { draft: [] }) },
      { kind: 'activity', reference: 'test', data: { items: [] } },
      { kind: 'pool', reference: 'pool', name: 'Pool', items: [], activities: [] },
    ];
    await plan(page, 'bank.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    await rows(page).nth(4).waitFor();
    const cells = await rows(page).getByRole('cell').allTextContents();
    for (const kind of ['Tag', 'Hierarchy', 'Workflow', 'Activity', 'Pool']) expect(cells).toContain(kind);
  });

  it('imports a file by keyboard: sees its plan, applies it, finds the items, and reverts the import', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).press('Enter');
    await (
      await chooser
    ).setFiles({ name: 'sound.gift', mimeType: GIFT, buffer: Buffer.from(gift('air', 'water') + '\n\n::Broken::{=') });
    await page.getByRole('button', { name: 'Upload and plan' }).press('Enter');
    await page.getByText('This is the plan. Nothing is stored yet.').waitFor();
    await expectSoon(() => page.getByRole('listitem').filter({ hasText: 'new in the bank' }).textContent()).toBe(
      '2 new in the bank',
    );
    await expectSoon(() => page.getByRole('listitem').filter({ hasText: 'are not imported' }).textContent()).toBe(
      '1 are not imported',
    );
    await rows(page).nth(2).waitFor();
    await expectSoon(() => rows(page).count()).toBe(3);
    expect(await statusOf('air')).toBeUndefined();

    await page.getByRole('button', { name: 'Apply the plan' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply the plan' }).press('Enter');
    await page.getByText('The import is applied.').waitFor();
    expect(await statusOf('air')).toBe('unpublished');
    await page.getByRole('link', { name: 'Show the items in the bank' }).press('Enter');
    await page.getByRole('link', { name: 'water' }).waitFor();

    console.service.clock.advance(SECOND);
    await page.goBack();
    await page.getByRole('button', { name: 'Revert the import' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revert the import' }).press('Enter');
    await page.getByText('The import is reverted.').waitFor();
    await page.getByText('Archived: 2.').waitFor();
    expect([await statusOf('air'), await statusOf('water')]).toEqual(['archived', 'archived']);
    await page.getByRole('link', { name: 'All imports' }).press('Enter');
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: 'sound.gift' }) })
      .getByText('Reverted')
      .waitFor();
  });

  it('drops a file onto the screen', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports');
    const data = await page.evaluateHandle(`{
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(gift('dropped'))}], 'dropped.gift'));
      transfer;
    }`);
    await page.getByText('Drop a file here').dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('button', { name: 'Upload and plan' }).click();
    await page.getByRole('heading', { name: 'dropped.gift' }).waitFor();
    await page.getByText('This is the plan. Nothing is stored yet.').waitFor();
  });

  it('sees the notes of an entry with advice, and filters them by result and severity in the address', async () => {
    const { page } = await console.signIn(['operator']);
    await plan(
      page,
      'quiz.xml',
      `<quiz>
        <question type="shortanswer"><name><text>River</text></name><questiontext format="html"><text>Name it.</text></questiontext>
          <hint format="html"><text>It is long.</text></hint><answer fraction="100"><text>Glomma</text></answer></question>
        <question type="truefalse"><name><text>Lake</text></name><questiontext format="html"><text>Is it deep?</text></questiontext>
          <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question>
        <question type="calculated"><name><text>Area</text></name></question>
      </quiz>`,
    );
    await page.getByRole('button', { name: 'River' }).waitFor();
    await page
      .getByRole('combobox', { name: 'Result' })
      .or(page.getByLabel('Result', { exact: true }))
      .first()
      .click();
    await page.getByRole('option', { name: 'Refused' }).click();
    await page.getByRole('button', { name: 'River' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Area' }).waitFor();
    await expectSoon(() => rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Area' }).click();
    const entry = page.getByRole('region', { name: /^Entry/ });
    await entry.getByText('This type is not supported: ').waitFor();
    await entry.getByText('Write the question again as one of the types that are listed in the guide.').waitFor();
    await entry.getByText('It is not imported.').waitFor();

    await page.reload();
    await page
      .getByRole('region', { name: /^Entry/ })
      .getByText('This type is not supported: ')
      .waitFor();
    await expectSoon(() => rows(page).count()).toBe(1);
    await page.goto(
      page
        .url()
        .replace(/result=refused/, 'notes=lost')
        .replace(/&entry=[^&]*/, ''),
    );
    await page.getByRole('button', { name: 'River' }).click();
    await page
      .getByRole('region', { name: /^Entry/ })
      .getByText('A hint was dropped: ')
      .waitFor();
    expect(await rows(page).getByRole('button', { name: 'Lake' }).count()).toBe(0);
  });

  it('pages forwards and back through a large plan', async () => {
    const { page } = await console.signIn(['operator']);
    const names = Array.from({ length: 450 }, (_, index) => `long-${index}`);
    await plan(page, 'long.gift', gift(...names));
    await page.getByText('This is the plan.').waitFor();
    await page.getByText('Rows: 200').waitFor();
    await page.getByRole('button', { name: 'long-0', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'long-200', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'long-400', exact: true }).waitFor();
    await page.getByText('Rows: 50').waitFor();
    await expectSoon(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByRole('button', { name: 'long-200', exact: true }).waitFor();
  });

  it('plans a file with conflicts again by another rule, without a second upload', async () => {
    await write(console.service.client, { questions: [question({ reference: 'q-clash' })] });
    await write(console.service.client, { items: [item(['q-clash'], { reference: 'clash', title: 'Ours' })] });
    const { page } = await console.signIn(['operator']);
    await plan(page, 'clash.gift', gift('clash'));
    await page.getByText('This plan changes nothing in the bank.').waitFor();
    expect(await page.getByRole('button', { name: 'Apply the plan' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Plan this file again' }).click();
    await page.getByRole('radio', { name: 'Add it under another reference' }).check();
    await page.getByRole('button', { name: 'Plan again' }).click();
    await page.getByRole('button', { name: 'clash-2' }).waitFor();
    await apply(page);
    expect(await statusOf('clash-2')).toBe('unpublished');
  });

  it('sees which records have changed since, when an import cannot be reverted', async () => {
    const { page } = await console.signIn(['operator']);
    await plan(page, 'kept.gift', gift('kept-1', 'kept-2'));
    await apply(page);
    console.service.clock.advance(SECOND);
    await console.service.client.update('itembank/items/tags', {
      items: [{ reference: 'kept-2', tags: { Level: ['2'] } }],
    });
    await revert(page);
    const alert = page.getByRole('alert');
    await alert.getByText('Nothing was reverted, because this was changed since the import:').waitFor();
    await expectSoon(() => alert.getByRole('listitem').allTextContents()).toEqual(['Item kept-2']);
    await expectSoon(() => alert.getByRole('link').getAttribute('href')).toBe('/console/history/item/kept-2');
    expect(await statusOf('kept-1')).toBe('unpublished');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    // The job refuses in the same words when the record changes after the request.
    const message = 'changed since the import, so nothing was reverted: item "kept-2".';
    const error = JSON.stringify({ code: 'conflict', message, at: '' });
    await console.service.database.write("UPDATE bank_import SET error = ? WHERE status = 'applied'", [error]);
    await page.reload();
    await alert.getByRole('link', { name: 'kept-2' }).waitFor();
  });

  it.each<[string, () => Promise<Buffer>, string]>([
    ['contains a path that leads outside', () => zipWithPath('../../etc/passwd'), 'has a file whose name is unsafe'],
    ['has a name with a tab', () => zipWithPath('a\tb.xml'), 'has a file whose name is unsafe'],
    ['gets far larger by unpacking', () => zipOf({ 'a.xml': Buffer.alloc(30_000_000) }), 'becomes far too large'],
    ['is damaged', async () => Buffer.from('PK\x03\x04 and nothing more'), 'is damaged or is not a zip'],
  ])('reads why a package that %s is refused', async (_, content, reason) => {
    const { page } = await console.signIn(['operator']);
    await plan(page, 'package.zip', await content());
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(await page.getByRole('button', { name: 'Apply the plan' }).count()).toBe(0);
  });

  it('reverts a bank that was pulled from another server, also when the command was interrupted', async () => {
    const { clock } = console.service;
    const recorded = console.service.get(RecordedImports);
    const id = newId(clock.now());
    const pulled: DirectImport = {
      organisation: 1,
      id,
      name: 'https://bank.example.org',
      format: 'itembank',
      onCollision: 'skip',
    };
    await recorded.run(pulled, () => Promise.resolve());
    const { page } = await console.signIn(['operator']);
    await console.visit(page, `/imports?import=${id}`);
    await page.getByText('Format: Another server (itembank pull)').waitFor();
    await page.getByText('The command that imports this has not ended, or was interrupted.').waitFor();
    await page.getByText('Not ended', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Revert the import' }).click();
    await page.getByRole('dialog').getByText('All that is stored so far is reverted.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const notes = { lost: 0, approximated: 0, kept_aside: 0 };
    await recorded.end(pulled, 'a'.repeat(64), { created: 1, replaced: 0, skipped: 0, refused: 0, notes });
    await console.visit(page, `/imports?import=${id}`);
    await page.getByText('The import is applied.').waitFor();
    await revert(page);
    await page.getByText('The import is reverted.').waitFor();
    // There is no uploaded file.
    expect(await page.getByRole('button', { name: 'Plan this file again' }).count()).toBe(0);
  });

  it('shows an import whose format the page does not know', async () => {
    const { page } = await console.signIn(['operator']);
    await page.route('**/console/api/v1/itembank/imports', async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ body: text.replaceAll('"format":"gift"', '"format":"later"') });
    });
    await plan(page, 'later.gift', gift('later'));
    await page.getByText('Format: later').waitFor();
  });

  it('exports named items, downloads the package, and finds nothing new in it when it is imported again', async () => {
    await write(console.service.client, { questions: [question({ reference: 'q-out' })] });
    await write(console.service.client, {
      items: [item(['q-out'], { reference: 'out-1' }), item(['q-out'], { reference: 'out-2' })],
    });
    // An export reads the bank as it was a moment before its start.
    console.service.clock.advance(5 * SECOND);
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports?tab=export');
    await page.getByRole('radio', { name: 'Named items and activities' }).check();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('Name at least one item or activity.').waitFor();
    await page.getByRole('textbox', { name: 'References of items' }).fill('out-1\nout-2\n');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('Exporting: ').waitFor();
    console.service.clock.advance(5 * SECOND);
    await page.getByText('The export is ready.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download', exact: true }).click();
    const zip = await readFile(await (await download).path());
    await page.getByRole('link', { name: /^Download the export of / }).waitFor();

    await plan(page, 'bank.zip', zip);
    await page.getByText('This plan changes nothing in the bank.').waitFor();
    await expectSoon(() => page.getByRole('listitem').filter({ hasText: 'leave the bank' }).textContent()).toBe(
      '2 leave the bank as it is',
    );
  });

  it('chooses from all formats of exports and from all pools, however many there are', async () => {
    const { client } = console.service;
    const pools = Array.from({ length: 60 }, (_, at) => ({
      reference: `p-${at}`,
      name: `Pool ${at}`,
      content: { item_references: ['none'] },
    }));
    for (const some of [pools.slice(0, 50), pools.slice(50)])
      expectSuccess(await client.set('itembank/pools', { pools: some }));
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports?tab=export');
    const from = page.getByRole('combobox', { name: 'From' });
    await from.click();
    for (const { name } of [pools[0]!, pools[59]!])
      await page.getByRole('option', { name: `Pool ${name}`, exact: true }).waitFor();
    await page.getByRole('option', { name: 'The item bank' }).click();
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: /^CSV sheet/ }).waitFor();
    const formats = await page.getByRole('option').allInnerTexts();
    expect(formats.map((text) => text.split(':')[0])).toEqual([
      'Itembank (NDJSON)',
      'QTI 3.0',
      'QTI 2.2',
      'Moodle XML',
      'CSV sheet',
    ]);
    await page.getByRole('option', { name: /^QTI 2.2/ }).click();
    const sent = page.waitForRequest((request) => (request.postData() ?? '').includes('"format"'));
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    expect(JSON.parse((await sent).postData()!)).toMatchObject({ action: 'set', request: { format: 'qti-2.2' } });
    console.service.clock.advance(5 * SECOND);
    await page.getByText('The export is ready.').waitFor();
    await page.getByRole('cell', { name: 'QTI 2.2', exact: true }).waitFor();
  });

  it('confirms that a link or a tab may discard the names of an export that was not started', async () => {
    await write(console.service.client, {
      questions: [question({ reference: 'q-asked' })],
      items: [item(['q-asked'], { reference: 'asked' })],
    });
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports?tab=export');
    const questions = answerQuestions(page);
    await page.getByRole('radio', { name: 'Named items and activities' }).check();
    const names = page.getByRole('textbox', { name: 'References of items', exact: true });
    await names.fill('asked');
    const tags = page.getByRole('navigation').getByRole('link', { name: 'Tags', exact: true });
    for (const way of [tags, page.getByRole('tab', { name: 'Import', exact: true })]) {
      await way.click();
      await until(() => Promise.resolve(questions.asked.pop()?.message() === 'Discard what you typed?'));
      await expectSoon(() => names.inputValue()).toBe('asked');
    }
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('The export is ready.').waitFor();
    await tags.click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    expect(questions.asked).toEqual([]);
  });

  it('sees beside a field why the service refuses an export', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/imports?tab=export');
    await page.getByLabel('As it was at').fill('2099-01-01T10:00');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page
      .getByRole('region', { name: 'New export' })
      .getByRole('alert')
      .getByText(/as_of must be at least 2 seconds ago/)
      .waitFor();
  });

  it('offers no imports to a viewer, and sends none', async () => {
    const { page } = await console.signIn(['viewer']);
    const called: string[] = [];
    page.on('request', (request) => called.push(request.url()));
    await console.visit(page, '/imports');
    await settled(page);
    expect(await page.getByRole('link', { name: 'Import and export' }).count()).toBe(0);
    expect(await page.getByRole('tab').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Choose a file|^Export$/ }).count()).toBe(0);
    expect(called.filter((url) => /imports|exports/.test(url.split('/api/')[1] ?? ''))).toEqual([]);
  });

  it('has no barriers that axe finds, in light and dark colours, and needs no scrolling to the side', async () => {
    const english = await console.signIn(['operator']);
    const name = `${'very-long-name-'.repeat(5)}axe.gift`;
    await plan(english.page, name, `${gift('axe')}\n\n::Broken::{=`);
    await english.page.getByText('This is the plan.').waitFor();
    await english.page
      .getByRole('button', { name: /Broken|gift/ })
      .first()
      .click();
    const shown = () => english.page.url().replace(/.*\/console/, '');
    const planned = shown();
    await apply(english.page);
    const applied = shown();
    await plan(english.page, 'package.zip', await zipWithPath('../../etc/passwd'));
    await english.page.getByRole('alert').waitFor();
    const refused = shown();
    await console.visit(english.page, '/imports?tab=export');
    await english.page.getByRole('button', { name: 'Export', exact: true }).click();
    await english.page.getByText('Exporting: ').waitFor();
    console.service.clock.advance(5 * SECOND);
    await english.page.getByText('The export is ready.').waitFor();
    const exported = shown();
    await english.close();
    const paths = ['/imports', planned, applied, refused, exported, '/imports?import=none', '/imports?tab=export'];
    for (const [width, language] of [
      [1280, 'en'],
      [320, 'de'],
    ] as const) {
      const { close, page } = await console.signIn(['operator'], { width, language });
      await console.visit(page, paths[0]!);
      for (const path of paths) {
        await console.follow(page, path);
        if (path === '/imports') {
          const file = { name, mimeType: GIFT, buffer: Buffer.from('x') };
          await page.locator('input[type=file]').setInputFiles(file);
          await page.getByRole('radio').first().waitFor();
        }
        expect([path, await barriersInBothSchemes(page)]).toEqual([path, []]);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      }
      await close();
    }
  });
});
