import type { Page, Route } from 'playwright-core';
import { type Role, People, SignIns } from '#people';
import { intercept } from '../support/cut-off';
import { write } from '../support/bank';
import { PASSWORD } from '../support/browser';
import { activity, item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { IDS, wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { until } from '../support/until';
import { ConsoleBrowser, type SignedIn } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

const ENDED = 'Your sign-in has ended.';
const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const isSaved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor();
const storedTitle = async () =>
  ((await console.service.client.get('itembank/items', { references: ['tides'] })).data as { title: string }[])[0]!
    .title;

/** Signs the window in as somebody else, or as the same person anew, as another tab does. */
async function signInElsewhere({ context, email }: SignedIn, other = email): Promise<void> {
  const people = console.service.get(People);
  const { id } = (await people.list()).find((person) => person.email === other)!;
  const { secret } = await console.service.get(SignIns).newLink(id, 'sign-in');
  const value = await console.service.get(SignIns).withLink(secret, undefined, other, 'test');
  await context.addCookies([
    { name: 'itembank-local', value, url: console.service.url, httpOnly: true, sameSite: 'Strict' },
  ]);
}

async function newPerson(roles: Role[]): Promise<string> {
  const email = `${roles.join('-')}@example.com`;
  const person = await console.service
    .get(People)
    .create({ email, firstname: 'Ben', lastname: 'Next', roles: new Map([[1, roles]]) });
  const { secret } = await console.service.get(SignIns).newLink(person.id, 'invitation');
  await console.service.get(SignIns).withLink(secret, PASSWORD, email, 'test');
  return email;
}

describe('a page of the console whose sign-in ended', () => {
  beforeAll(async () => {
    await write(console.service.client, { questions: [question({ reference: 'q-tides' })] });
  });
  beforeEach(async () => {
    // Attempts are limited within five seconds.
    console.service.clock.advance(10_000);
    await write(console.service.client, {
      items: [item(['q-tides'], { reference: 'tides', title: 'Tides', status: 'unpublished' })],
    });
  });

  async function typing(text: string): Promise<SignedIn> {
    const window = await console.signIn(['author']);
    await console.visit(window.page, '/items/tides?tab=edit');
    await title(window.page).fill(text);
    return window;
  }

  it('goes on when the same person has signed in again in another tab', async () => {
    const window = await typing('Ebb');
    await signInElsewhere(window);
    await save(window.page);
    await isSaved(window.page);
    expect(await storedTitle()).toBe('Ebb');
    await window.close();
  });

  it('stores nothing in the name of somebody else who has signed in in another tab', async () => {
    const window = await typing('Flood');
    await signInElsewhere(window, await newPerson(['author']));
    await save(window.page);
    await window.page.getByText(ENDED).waitFor();
    expect(await storedTitle()).toBe('Tides');
    await expectSoon(() => title(window.page).and(window.page.locator(':visible')).inputValue()).toBe('Flood');
    await window.close();
  });

  it('lets people without a password go on after they have signed in in another tab, also when the session cannot be read just then', async () => {
    const window = await typing('Spring tide');
    const { page, context } = window;
    await context.clearCookies();
    await save(page);
    await page.getByText(ENDED).waitFor();
    await signInElsewhere(window);
    // The page sees that the person is back, and cannot read the session a second time.
    let reads = 0;
    await intercept(page, '**/console/session', (route) =>
      ++reads === 2 ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await until(async () => reads === 2);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByText(ENDED).waitFor({ state: 'detached' });
    await expectSoon(() => title(page).inputValue()).toBe('Spring tide');
    await save(page);
    await isSaved(page);
    expect(await storedTitle()).toBe('Spring tide');
    await window.close();
  });

  it('offers unsaved changes of an activity only to the person who made them', async () => {
    await write(console.service.client, { activities: [activity(['tides'], { reference: 'sea', title: 'Sea' })] });
    const window = await console.signIn(['author']);
    const { page } = window;
    await console.visit(page, '/activities/sea?tab=settings');
    await title(page).fill('Unfinished');
    await page.getByRole('link', { name: 'Bank', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Bank' }).waitFor();
    await signInElsewhere(window, await newPerson(['author', 'marker']));
    await console.visit(page, '/activities/sea?tab=settings');
    await title(page).waitFor();
    await expectSoon(() => title(page).inputValue()).toBe('Sea');
    await signInElsewhere(window);
    await console.visit(page, '/activities/sea?tab=settings');
    await page.getByText(/This browser kept unsaved changes from/).waitFor();
    await expectSoon(() => title(page).inputValue()).toBe('Unfinished');
    await window.close();
  });

  it('sends the marks of a person only while this person is signed in', async () => {
    const { service } = console;
    await writeSessionBank(service.client);
    await submit(service, [wholeSession('s-marked')]);
    const essay = async () => {
      const request = { session_id: ['s-marked'], include: { reasons: true } };
      const [scores] = (await service.client.get('sessions/scores', request)).data as {
        responses: { response_id: string; score: number | null; reasons: { author: string } }[];
      }[];
      return scores!.responses.find(({ response_id: id }) => id === IDS.essay)!;
    };
    const [first, next] = [await newPerson(['marker', 'viewer']), await newPerson(['marker'])];
    const window = await console.signIn(['viewer']);
    const { page, context } = window;
    await signInElsewhere(window, first);
    const { person } = (await (await page.request.get(`${service.url}/console/session`)).json()) as {
      person: { id: string };
    };
    await console.visit(page, '/marking?question=essay');
    await page.getByText('0 of 1 marked').waitFor();
    await context.clearCookies();
    await page.keyboard.press('3');
    await page.getByText('1 of 1 marked').waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(ENDED).waitFor();
    await dialog.getByRole('textbox', { name: 'E-mail address' }).fill(next);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    // The mark is sent again after the next person has signed in, and before the page knows it.
    const reads: Route[] = [];
    await intercept(page, '**/console/session', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      reads.push(route);
      if (reads.length >= 2) await Promise.all(reads.splice(0).map((read) => read.continue()));
    });
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll();
    // Marks that wait are sent at once when the network returns.
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await console.visit(page, '/marking?question=essay');
    await page.getByText('0 of 1 marked').waitFor();
    await signInElsewhere(window, first);
    await console.visit(page, '/marking?question=essay');
    await until(async () => (await essay()).score === 3 || undefined);
    expect((await essay()).reasons.author).toBe(person.id);
    await window.close();
  });

  it('shows the next person nothing of what the person before had read', async () => {
    const email = await newPerson(['viewer']);
    const { page, email: operator } = await console.signIn(['operator']);
    await console.visit(page, '/people');
    await page.getByRole('main').getByText(operator).first().waitFor();
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Your roles in this organisation do not include the page “People”.').waitFor();
    expect(await page.getByText(operator).count()).toBe(0);
  });

  it('says that a sign-out did not happen while the service cannot be reached', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/tags');
    await intercept(page, '**/console/session**', (route) => route.abort());
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
  });
});
