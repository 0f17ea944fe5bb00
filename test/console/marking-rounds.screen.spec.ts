import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cutOff, intercept } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { expectSuccess } from '../support/failure';
import { IDS, wholeSession, writeSessionBank } from '../support/session-bank';
import { answer, resultsOf, submit } from '../support/submissions';
import { until } from '../support/until';
import { barriers, ConsoleBrowser, settled } from './support/console-browser';

const ESSAYS = 20;
const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  const { service } = console;
  await writeSessionBank(service.client);
  const sessions = Array.from({ length: ESSAYS }, (_, index) => {
    const own = wholeSession(`s-${index}`, { userId: `secret-learner-${index}`, activityId: 'essays' });
    return { ...own, responses: [answer('i-2', 'essay', `Essay number ${index}`)] };
  });
  await submit(service, [...sessions, wholeSession('other', { activityId: 'elsewhere' })]);
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const marked = (page: Page, count: number) => page.getByText(`${count} marked by you`, { exact: true }).waitFor();

/** The button that reads again what could not be read. It has the focus. */
const again = (page: Page) => page.locator('button:focus', { hasText: 'Try again' });

/** Saves a screenshot if `TEST_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function essayScores(activity = 'essays'): Promise<(number | null)[]> {
  const { client } = console.service;
  const sessions = (await client.get('sessions/responses', { activity_id: [activity], limit: 50 })).data as {
    responses: { response_id: string; score: number | null }[];
  }[];
  return sessions.map(({ responses }) => responses.find(({ response_id: id }) => id === IDS.essay)!.score);
}

/** Creates a round through the API, and waits until its answers are collected. */
async function roundOf(name: string, more: object): Promise<string> {
  const { service } = console;
  const started = await service.client.set('sessions/marking/rounds', { name, question: 'essay', ...more });
  expectSuccess(started);
  const { reference } = started.data as { reference: string };
  await resultsOf(service, reference);
  return reference;
}

/** Creates an activity with two answers, and a round of the same name. */
async function twoAnswers(name: string): Promise<void> {
  await submit(
    console.service,
    ['one', 'two'].map((each) => wholeSession(`${name}-${each}`, { activityId: name })),
  );
  await roundOf(name, { scored: true, sessions: { activity_id: [name] } });
}

describe('marking rounds in the console', () => {
  it('are created for a chosen question; a missing value is explained beside its field', async () => {
    const { page } = await console.signIn(['analyst']);
    await console.visit(page, '/marking');
    await page.getByText('There are no marking rounds').waitFor();
    await button(page, 'Create a round').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create the round' }).click();
    await dialog.getByText('Give the round a name.').waitFor();
    await dialog.getByText('Choose a question.').waitFor();
    await dialog.getByLabel('Name').fill('Blind essays');
    await dialog.getByLabel('Question').first().click();
    await page.getByRole('option', { name: `essay – in ${ESSAYS + 1} sessions, 0 answers in rounds` }).click();
    await dialog.getByLabel('Activities').fill('essays');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Markers of each answer').selectOption({ label: 'Two' });
    await dialog.getByLabel('Points by which two marks may differ').fill('1');
    await dialog.getByLabel(/^Blind/).check();
    await picture(page, 'create');
    await dialog.getByRole('button', { name: 'Create the round' }).click();
    await page.getByRole('heading', { level: 1, name: 'Blind essays' }).waitFor();
    await page.getByText(`0 of ${ESSAYS} settled`).waitFor();
    // An analyst watches, and does not mark.
    expect(await page.getByRole('tab', { name: 'Mark' }).count()).toBe(0);
  });

  it('are marked blind by a first person, who comments and withdraws a mark, with keys alone', async () => {
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking');
    const round = page.getByRole('link', { name: 'Blind essays' });
    await round.waitFor();
    await round.focus();
    await page.keyboard.press('Enter');
    await page.getByText('First mark').waitFor();
    const shown = page.frameLocator('iframe').first().getByRole('textbox');
    await shown.waitFor();
    await expectSoon(() => shown.innerText()).toMatch(/^Essay number \d+$/);
    await page.keyboard.press('9');
    await page.getByText('At most 4 points can be given; 9 is too many.').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Worth 3 points');
    await page.keyboard.press('Escape');
    for (let count = 1; count <= ESSAYS; count++) {
      if (count === 5) {
        await page.keyboard.press('c');
        await page.keyboard.type('Kept words');
        await page.keyboard.press('Escape');
      }
      await page.keyboard.press('3');
      await marked(page, count);
      if (count === 5) {
        await page.keyboard.press('u');
        await page.getByText('Your mark is undone.').waitFor();
        await marked(page, 4);
        // An undone mark gives its comment back.
        await expectSoon(() => page.getByLabel('Comment').inputValue()).toBe('Kept words');
        await page.keyboard.press('3');
        await marked(page, 5);
      }
    }
    await page.getByText('Nothing waits for you in this round').waitFor();
    expect(await page.content()).not.toContain('secret-learner');
    // Nothing is settled before a second person has marked.
    expect(new Set(await essayScores())).toEqual(new Set([null]));
  });

  it('are marked by a second person with the mouse, who sees neither learners nor the first marks', async () => {
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking');
    await page.getByRole('link', { name: 'Blind essays' }).click();
    for (let count = 1; count <= ESSAYS; count++) {
      await page.getByText('Second mark').waitFor();
      if (count === 1) {
        await page.getByText('Learner: hidden').waitFor();
        expect(await page.content()).not.toMatch(/secret-learner|Worth 3 points|Marks of others/);
      }
      await button(page, count === 7 ? 'Give 0' : 'Give 4').click();
      await marked(page, count);
    }
    await page.getByText('Nothing waits for you in this round').waitFor();
    await page.getByText(`${ESSAYS - 1} of ${ESSAYS} settled – 1 waiting for a third mark`).waitFor();
    await until(async () => (await essayScores()).filter((score) => score === 3.5).length === ESSAYS - 1 || undefined);
  });

  it('end with a third mark where two differ, and show who gave which mark', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/marking');
    await page.getByRole('link', { name: 'Blind essays' }).click();
    await page.getByRole('tab', { name: 'Differences (1)' }).click();
    await page.getByText('3 by Ada marker; 0 by Ada marker').waitFor();
    await picture(page, 'differences');
    await page.getByRole('tab', { name: 'Mark' }).click();
    await page.getByText('Third mark: two marks differ too much').waitFor();
    await page.keyboard.press('2');
    await page.getByText(`${ESSAYS} of ${ESSAYS} settled`).waitFor();
    await until(async () => (await essayScores()).includes(2) || undefined);
    await page.getByRole('tab', { name: 'All answers' }).click();
    await page.getByText('3 by Ada marker; 0 by Ada marker; 2 by Ada operator').waitFor();
    await page.getByText('3 by Ada marker (Worth 3 points); 4 by Ada marker').waitFor();
    await button(page, 'Close the round').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the round' }).click();
    await button(page, 'Open the round again').waitFor();
    await page.getByRole('tab', { name: 'Mark' }).click();
    await page.getByText('The round is closed.').waitFor();
  });

  it('keep the place in the field for scores, so that the next score can be typed at once', async () => {
    const { close, page } = await console.signIn(['marker']);
    await twoAnswers('Typed');
    await console.visit(page, '/marking');
    await page.getByRole('link', { name: 'Typed' }).click();
    await page.getByText('First mark').waitFor();
    await page.getByLabel('Another score').fill('2.5');
    await page.keyboard.press('Enter');
    await marked(page, 1);
    await page.keyboard.type('1.5');
    await page.keyboard.press('Enter');
    await marked(page, 2);
    expect((await essayScores('Typed')).sort()).toEqual([1.5, 2.5]);
    await close();
  });

  it('take the next key as a mark once a person has left the comment, also on a busy page', async () => {
    const { page } = await console.signIn(['marker']);
    await twoAnswers('Busy');
    await console.visit(page, '/marking');
    await page.getByRole('link', { name: 'Busy' }).click();
    await page.getByText('First mark').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Short');
    // Timers of a busy page come late.
    await page.evaluate(`{
      const later = setTimeout;
      globalThis.setTimeout = (callback, ms = 0) => later(callback, ms === 0 ? 1000 : ms);
    }`);
    await page.keyboard.press('Escape');
    await page.evaluate(`document.body.append(document.createElement('i'))`);
    await page.evaluate('new Promise((done) => setTimeout(done, 1000))');
    await page.keyboard.press('3');
    await marked(page, 1);
  });

  it('give the score of a double click to one answer, and not to the next one too', async () => {
    const { close, page } = await console.signIn(['marker']);
    await twoAnswers('Double');
    await console.visit(page, '/marking');
    await page.getByRole('link', { name: 'Double' }).click();
    await page.getByText('First mark').waitFor();
    await button(page, 'Give 3').hover();
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      await marked(page, 1);
    }
    await button(page, 'Give 1').click();
    await marked(page, 2);
    expect((await essayScores('Double')).sort()).toEqual([1, 3]);
    await close();
  });

  it('give no mark to words that the marker has not read, and show them', async () => {
    const { service } = console;
    const session = (text: string, revision: number) =>
      submit(service, [
        wholeSession('changing-one', { activityId: 'changing', responses: [answer('i-2', 'essay', text, revision)] }),
      ]);
    await session('First words', 1);
    const round = await roundOf('changing', { sessions: { activity_id: ['changing'] } });
    const { close, page } = await console.signIn(['marker']);
    await console.visit(page, `/marking/${round}`);
    const shown = page.frameLocator('iframe').first().getByRole('textbox');
    await shown.getByText('First words').waitFor();
    service.clock.advance(1_000);
    await session('Other words', 2);
    await page.keyboard.press('3');
    await page.getByRole('alert').filter({ hasText: 'The learner has changed this answer' }).waitFor();
    await shown.getByText('Other words').waitFor();
    expect(await essayScores('changing')).toEqual([null]);
    await page.keyboard.press('2');
    await marked(page, 1);
    await until(async () => ((await essayScores('changing'))[0] === 2 ? true : undefined));
    await close();
  });

  it('explain a refused score beside it, and continue after a network failure', async () => {
    const { page } = await console.signIn(['marker']);
    await roundOf('Refused', { scored: true, sessions: { session_id: ['other', 's-1'] } });
    await console.visit(page, '/marking');
    await cutOff(page, '**/console/api/v1/sessions/marking/queue');
    await page.getByRole('link', { name: 'Refused' }).click();
    await again(page).waitFor();
    await page.unroute('**/console/api/v1/sessions/marking/queue');
    await page.keyboard.press('Enter');
    await page.getByText('First mark').waitFor();
    await page.getByLabel('Another score').fill('2.x');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a number.').waitFor();
    await cutOff(page, '**/console/api/v1/sessions/marking/marks');
    await button(page, 'Give 1').click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/console/api/v1/sessions/marking/marks');
    // The mark is stored, and the next answer cannot be read.
    await intercept(page, '**/console/api/v1/sessions/marking/queue', (route) =>
      (route.request().postDataJSON() as { action: string }).action === 'get'
        ? route.fulfill({ status: 500, json: {} })
        : route.continue(),
    );
    await button(page, 'Give 1').click();
    await marked(page, 1);
    await again(page).waitFor();
    await page.unroute('**/console/api/v1/sessions/marking/queue');
    await page.keyboard.press('Enter');
    await page.getByText('First mark').waitFor();
  });
});

describe.each([
  ['light', 1280, 'en'],
  ['dark', 1280, 'en'],
  ['light', 320, 'de'],
] as const)('the screens of marking rounds in %s at %i pixels', (scheme, width, language) => {
  it('have no barriers and need no scrolling to the side', async () => {
    const { page } = await console.signIn(['operator'], { scheme, width, language });
    const round = await roundOf(`Essays ${scheme} ${width}`, {
      scored: true,
      sessions: { session_id: ['s-1', 's-2'] },
    });
    const name = `${scheme}-${width}`;
    const look = async (what: string) => {
      await settled(page);
      await picture(page, `${what}-${name}`);
      expect(await barriers(page)).toEqual([]);
      await expectSoon(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    };
    await console.visit(page, '/marking');
    await page.getByRole('link', { name: `Essays ${scheme} ${width}` }).waitFor();
    await look('rounds');
    await console.follow(page, '/marking?create=yes');
    await page.getByRole('dialog').waitFor();
    await look('create');
    await console.follow(page, `/marking/${round}`);
    await page.locator('iframe').waitFor();
    await page.keyboard.press('9');
    await look('desk');
    await page.keyboard.press('1');
    await console.follow(page, `/marking/${round}?tab=results`);
    await page.getByRole('link', { name: 's-1' }).waitFor();
    await look('results');
  });
});
