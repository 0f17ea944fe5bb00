import type { Page } from 'playwright-core';
import { LearnerErasure } from '#learners';
import { write } from '../support/bank';
import { cutOff, intercept } from '../support/cut-off';
import { expectSoon } from '../support/expect-soon';
import { changeKey, choice, essay, IDS, itemOf, wholeSession, writeSessionBank } from '../support/session-bank';
import { answer, submission, submit } from '../support/submissions';
import { until } from '../support/until';
import { barriersInBothSchemes, ConsoleBrowser, settled } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();
beforeAll(async () => {
  const { service } = console;
  await writeSessionBank(service.client);
  await submit(
    service,
    ['ada', 'bob', 'cay'].map((userId) => wholeSession(`s-${userId}`, { userId })),
  );
});

interface Stored {
  status: string;
  score: number;
  responses: { response_id: string; score: number | null; manual_score?: number }[];
}
const stored = async (sessionId: string): Promise<Stored> => {
  const { data } = await console.service.client.get('sessions/responses', { session_id: [sessionId] });
  return (data as Stored[])[0]!;
};
const essayOf = async (sessionId: string) =>
  (await stored(sessionId)).responses.find(({ response_id: id }) => id === IDS.essay)!;
/** Waits until the essay of a session has this score. */
const scored = (sessionId: string, score: number | null) =>
  until(async () => ((await essayOf(sessionId)).score === score ? true : undefined));
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('sessions in the console', () => {
  it('are found by learner, with the filter in the address, and shown as the learner saw them', async () => {
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/sessions');
    await page.getByRole('link', { name: 'cay' }).waitFor();
    await page.getByLabel('Learners', { exact: true }).first().fill('bob');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'cay' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('bob');
    await page.getByRole('link', { name: 'bob' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Session of bob' }).waitFor();
    const seen = page.frameLocator('iframe').first();
    await seen.getByText('Score: 2 of 2').waitFor();
    await expectSoon(() => seen.getByRole('textbox').innerText()).toBe('Words');
    // A marker may not change the status.
    expect(await button(page, 'Change status').count()).toBe(0);
  });

  it('show as wrong what is accepted for no points, and as right what earns the most points', async () => {
    const { client } = console.service;
    const validation = {
      valid_response: { score: 1, value: ['1'] },
      alt_responses: [
        { score: 0, value: ['2'] },
        { score: 2, value: ['3'] },
      ],
    };
    const question = choice('half', '1');
    await write(client, {
      questions: [{ ...question, data: { ...question.data, validation } }],
      items: [itemOf('i-half', 'half')],
    });
    const items = [{ reference: 'i-half', organisation: 1, time: 1, flagged: false }];
    const responses = [answer('i-half', 'half', ['2'])];
    await submit(console.service, [submission('s-half', { userId: 'hal', items, responses })]);
    const { close, page } = await console.signIn(['marker']);
    await console.visit(page, '/sessions/s-half?key=1');
    const seen = page.frameLocator('iframe').first();
    // A mark beside the option, and the correct answer below.
    await seen.locator('.option.is-wrong').getByText('2', { exact: true }).waitFor();
    await seen.locator('.review').getByText('3', { exact: true }).waitFor();
    await close();
    const author = await console.signIn(['author']);
    await console.visit(author.page, '/items/i-half?tab=try');
    const tried = author.page.frameLocator('iframe').first();
    await tried.getByRole('radio', { name: '2' }).check();
    await button(author.page, 'Score my answers').click();
    await tried.locator('.option.is-wrong').getByText('2', { exact: true }).waitFor();
    await tried.locator('.review').getByText('3', { exact: true }).waitFor();
    await console.visit(author.page, '/items/i-half');
    await author.page.getByText('With right answers').click();
    await tried.locator('.review').getByText('3', { exact: true }).waitFor();
    await author.close();
  });

  it('can be filtered by an item whose reference contains a comma', async () => {
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/sessions');
    await page.getByLabel('Items', { exact: true }).first().pressSequentially('bread, butter');
    await page.keyboard.press('Enter');
    await page.getByText('bread, butter', { exact: true }).waitFor();
  });

  it('show each status whole, in German too', async () => {
    const { page } = await console.signIn(['analyst'], { language: 'de', width: 320 });
    await console.visit(page, '/sessions');
    const badge = page.locator('td').getByText('Abgeschlossen', { exact: true }).first();
    await badge.waitFor();
    const hidden = (label: unknown) => {
      const { scrollWidth, clientWidth } = label as { scrollWidth: number; clientWidth: number };
      return scrollWidth - clientWidth;
    };
    expect(await badge.evaluate(hidden)).toBe(0);
  });

  it('are read again by Try again, after a read has failed', async () => {
    const { page } = await console.signIn(['marker']);
    await page.route('**/console/api/v1/sessions/**', (route) => route.abort());
    await console.visit(page, '/sessions');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/console/api/v1/sessions/**');
    await button(page, 'Try again').click();
    await page.getByRole('link', { name: 'cay' }).waitFor();
  });

  it('get another status after a confirmation, and keep their status when the person cancels', async () => {
    const { close, page } = await console.signIn(['operator']);
    await console.visit(page, '/sessions/s-cay');
    await button(page, 'Change status').click();
    await page.getByRole('menuitem', { name: 'To Discarded' }).click();
    await page.getByRole('dialog').getByText('1 session will be discarded, without a time of completion').waitFor();
    await button(page, 'Cancel').click();
    expect((await stored('s-cay')).status).toBe('Completed');
    await button(page, 'Change status').click();
    await page.getByRole('menuitem', { name: 'To Discarded' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'To Discarded' }).click();
    await until(async () => ((await stored('s-cay')).status === 'Discarded' ? true : undefined));
    await page.getByText('The statuses are changed.').waitFor();
    await page.getByText('Status: Completed → Discarded').waitFor();
    await page.getByText('by you').waitFor();
    await close();
    const analyst = await console.signIn(['analyst']);
    await console.visit(analyst.page, '/sessions/s-cay');
    await analyst.page.getByText('Status: Completed → Discarded').waitFor();
    await analyst.page.getByText('by Ada operator').waitFor();
    await analyst.close();
  });

  it('are absent for a viewer', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/items');
    await page.getByRole('link', { name: 'Bank', exact: true }).waitFor();
    for (const name of ['Sessions', 'Marking', 'Rescoring'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
  });
});

describe('marking in the console', () => {
  it('gives scores by keys, refuses a score above the maximum beside its field, and withdraws the last score', async () => {
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?question=essay&order=learner');
    await page.getByText('0 of 3 marked').waitFor();
    await page.getByText('Learner: ada').waitFor();
    await page.keyboard.press('9');
    await page.getByText('At most 4 points can be given; 9 is too many.').waitFor();
    expect((await essayOf('s-ada')).score).toBeNull();
    await page.keyboard.press('3');
    await page.getByText('1 of 3 marked').waitFor();
    await scored('s-ada', 3);
    await page.keyboard.press('n');
    await page.getByText('Learner: bob').waitFor();
    await button(page, 'Give 2').click();
    await scored('s-bob', 2);
    await page.keyboard.press('p');
    await page.getByText('Learner: ada').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Learner: bob').waitFor();
    await scored('s-bob', null);
    expect((await essayOf('s-ada')).manual_score).toBe(3);
  });

  it('keeps a marked answer in view while the queue is loading', async () => {
    await write(console.service.client, { questions: [essay('report')], items: [itemOf('report', 'report')] });
    const given = {
      items: [{ reference: 'report', organisation: 1, time: 12, flagged: false }],
      responses: [answer('report', 'report', 'Ponds in spring')],
    };
    await submit(
      console.service,
      ['first', 'second'].map((userId) => submission(`reports-${userId}`, { ...given, userId })),
    );
    const { page } = await console.signIn(['marker']);
    // The first page of the queue is full, because it repeats sessions, and the second one never comes.
    await page.route('**/console/api/v1/sessions/responses', async (route) => {
      const body = route.request().postData()!;
      if (body.includes('"next"')) return;
      const response = await route.fetch();
      if (!body.includes('"limit":50')) return route.fulfill({ response });
      const { meta, data } = (await response.json()) as { meta: object; data: object[] };
      const repeated = Array.from({ length: 50 }, (_, at) => data[at % data.length]);
      await route.fulfill({ json: { meta: { ...meta, next: 'second' }, data: repeated } });
    });
    await console.visit(page, '/marking?question=report');
    await page.getByText('Learner: first').waitFor();
    await page.keyboard.press('1');
    await page.getByText('Score now: 1').waitFor();
    await expectSoon(() => page.getByText('Learner: first').count()).toBe(1);
    await page.keyboard.press('n');
    await page.getByText('Learner: second').waitFor();
  });

  it('finds the answers to a question in each of many items, and in archived ones', async () => {
    const { client } = console.service;
    await write(client, { questions: [essay('letter')] });
    const many = Array.from({ length: 51 }, (_, index) => itemOf(`letter-${index}`, 'letter'));
    for (const items of [many.slice(0, 1), many.slice(1)]) await write(client, { items });
    await write(client, { items: [{ ...itemOf('letter-50', 'letter'), status: 'archived' }] });
    const given = (reference: string) => ({
      items: [{ reference, organisation: 1, time: 12, flagged: false }],
      responses: [answer(reference, 'letter', 'Dear learner')],
    });
    await submit(
      console.service,
      ['letter-0', 'letter-50'].map((reference) => submission(`s-${reference}`, given(reference))),
    );
    const { close, page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?question=letter');
    await page.getByText('0 of 2 marked').waitFor();
    await close();
  });

  it('keeps a mark while the network is away, over a reload, and sends it once', async () => {
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?question=essay&session=s-bob');
    await page.getByText('Learner: bob').waitFor();
    await cutOff(page, '**/console/api/v1/sessions/responses/scores');
    await page.keyboard.press('1');
    await page.getByText('Saving').waitFor();
    expect((await essayOf('s-bob')).score).toBeNull();
    await page.unroute('**/console/api/v1/sessions/responses/scores');
    await page.reload();
    await scored('s-bob', 1);
    await page.getByText('1 of 1 marked').waitFor();
    // The page hears of it later than the service stores it.
    await until(() => page.evaluate("!Object.keys(localStorage).some((name) => name.startsWith('itembank-mark'))"));
  });

  it('sends the marks of a closed tab as soon as the marker opens any screen', async () => {
    const { page, context } = await console.signIn(['marker']);
    await console.visit(page, '/marking?question=essay&session=s-cay');
    await page.getByText('Learner: cay').waitFor();
    await cutOff(page, '**/console/api/v1/sessions/responses/scores');
    await page.keyboard.press('4');
    await page.getByText('Saving').waitFor();
    const next = await context.newPage();
    await page.goto('about:blank');
    expect((await essayOf('s-cay')).score).toBeNull();
    await console.visit(next, '/items');
    await scored('s-cay', 4);
  });

  it('sends a mark that the full storage of the browser does not keep', async () => {
    await submit(console.service, [wholeSession('s-gus', { userId: 'gus' })]);
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?question=essay&session=s-gus');
    await page.getByText('Learner: gus').waitFor();
    await page.evaluate(`Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`);
    await page.keyboard.press('2');
    await scored('s-gus', 2);
  });

  it('shows why a mark was refused, and lets it go, also after its session was erased', async () => {
    const { service } = console;
    await submit(service, [wholeSession('s-dan', { userId: 'dan' })]);
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?question=essay&session=s-dan&session=s-ada');
    await page.getByText('Learner: dan').waitFor();
    await service.get(LearnerErasure).erase('dan', 1, { dryRun: false });
    await page.keyboard.press('1');
    const refused = page.getByRole('alert', { name: 'The mark of 1 point was not saved' });
    await refused.waitFor();
    await page.keyboard.press('n');
    await page.getByText('1 of 2 marked').waitFor();
    await page.reload();
    await page.getByText('1 of 1 marked').waitFor();
    await refused.waitFor();
    await settled(page);
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await refused.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await refused.waitFor({ state: 'detached' });
  });

  it('hides learners and the marks of others when it is blind', async () => {
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?item=i-2&session=s-ada&blind=1');
    await page.getByText('Marks of others are hidden.').first().waitFor();
    await expectSoon(() => page.getByText('Learner: hidden').count()).toBe(1);
    expect(await page.getByText('ada', { exact: true }).count()).toBe(0);
    expect(await page.getByText('Score now').count()).toBe(0);
  });
});

describe('the marks of an answer in the console', () => {
  it('name the people who gave them and who overrode them, in the queue and in the time line', async () => {
    const { service } = console;
    await submit(service, [wholeSession('s-eve', { userId: 'eve', activityId: 'overridden' })]);
    for (const [role, points] of [
      ['marker', 3],
      ['operator', 2],
    ] as const) {
      const { close, page } = await console.signIn([role]);
      await console.visit(page, '/marking?session=s-eve');
      await page.getByText('Learner: eve').waitFor();
      if (role === 'operator') await page.getByText('3 by Ada marker', { exact: true }).waitFor();
      await page.keyboard.press(String(points));
      await scored('s-eve', points);
      await close();
    }
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?session=s-eve');
    await page.getByText('2 by Ada operator', { exact: true }).waitFor();
    await page.getByText(/: – → 3 by Ada marker/).waitFor();
    await console.visit(page, '/sessions/s-eve');
    await page
      .getByText(/by Ada operator/)
      .first()
      .waitFor();
    await page
      .getByText(/by Ada marker/)
      .first()
      .waitFor();
  });
});

describe('the time line of a session in the console', () => {
  it('opens the job that changed a score', async () => {
    const { service } = console;
    await submit(service, [wholeSession('s-fay', { userId: 'fay', activityId: 'jobs' })]);
    const { page } = await console.signIn(['marker']);
    await console.visit(page, '/marking?session=s-fay');
    await page.getByText('Learner: fay').waitFor();
    await page.keyboard.press('1');
    await scored('s-fay', 1);
    await console.visit(page, '/sessions/s-fay');
    // The items above it still load and move it, so a click could miss it.
    await page.getByRole('link', { name: /^Job / }).press('Enter');
    await page.getByRole('dialog', { name: 'Job' }).getByText('Set scores of responses').waitFor();
  });
});

describe('rescoring in the console', () => {
  it('plans, applies and reverts a corrected key for all sessions of an activity, and names those that changed meanwhile', async () => {
    const { service } = console;
    const ids = ['s-hal', 's-ian', 's-jon'];
    await submit(
      service,
      ids.map((id) => wholeSession(id, { activityId: 'rescored' })),
    );
    const scores = () => Promise.all(ids.map(async (id) => (await stored(id)).score));
    const mark = async (sessionId: string) => {
      const responses = [{ response_id: IDS.essay, score: 3, attempted: true }];
      await service.client.update('sessions/responses/scores', {
        sessions: [{ session_id: sessionId, user_id: 'learner', responses }],
      });
      await scored(sessionId, 3);
    };
    const { page } = await console.signIn(['operator']);
    const left = (heading: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });
    await changeKey(service.client, '2');
    await console.visit(page, '/rescoring');
    await page.getByLabel('Item whose key was changed').fill('i-1');
    await page.getByLabel('Activity (all when empty)').fill('rescored');
    await button(page, 'Choose').click();
    await button(page, 'Dry run').click();
    await page.getByRole('heading', { name: 'What would change' }).waitFor();
    await page.getByRole('link', { name: 's-hal' }).waitFor();
    const table = page.getByRole('table', { name: 'Scores before and after' });
    await table.getByRole('rowheader', { name: '0', exact: true }).waitFor();
    await expectSoon(() => scores()).toEqual([2, 2, 2]);
    await mark('s-jon');
    await button(page, 'Apply the plan').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^3 sessions get the scores of the plan/).waitFor();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('main').getByText('Applied: 2 of 3 sessions').waitFor();
    await left('Skipped').getByText('s-jon: somebody has changed it meanwhile').waitFor();
    await expectSoon(() => scores()).toEqual([0, 0, 5]);
    await mark('s-ian');
    await button(page, 'Revert').click();
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await page.getByRole('main').getByText('Reverted: 1 of 2 sessions').waitFor();
    await left('Kept').getByText('s-ian: somebody has changed it meanwhile').waitFor();
    await expectSoon(() => scores()).toEqual([2, 3, 5]);
  });

  it('shows no plan for an item that somebody has left while the plan was waiting', async () => {
    const { close, page } = await console.signIn(['operator']);
    await console.visit(page, '/rescoring?item=i-1');
    let letGo = () => {};
    const mayGo = new Promise<void>((done) => (letGo = done));
    await intercept(page, '**/console/api/v1/sessions/item', async (route) => {
      await mayGo;
      await route.continue();
    });
    await button(page, 'Dry run').click();
    await page.getByLabel(/^Item/).fill('i-2');
    await button(page, 'Choose').click();
    await page.waitForURL(/item=i-2/);
    const isAnswered = page.waitForResponse('**/console/api/v1/sessions/item');
    letGo();
    await (await isAnswered).finished();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('plan')).toBeNull();
    await button(page, 'Dry run').waitFor();
    await close();
  });

  it('counts sessions in which only the maximum changes, and does not call its list of changed scores cut', async () => {
    const { service } = console;
    await submit(
      service,
      ['s-kay', 's-lou'].map((id) => wholeSession(id, { activityId: 'raised' })),
    );
    // Both learners have 0 points for it.
    await write(service.client, { questions: [choice('other', '2', 5)] });
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/rescoring?item=i-1&activity=raised');
    await button(page, 'Dry run').click();
    const changed = page.locator('dl > div').filter({ hasText: 'Sessions with another score or maximum' });
    await expectSoon(() => changed.getByRole('definition').innerText()).toBe('2');
    await page.getByText('No score changes.').waitFor();
    expect(await page.getByText(/largest changes/).count()).toBe(0);
    await button(page, 'Apply the plan').click();
    await page
      .getByText('2 sessions get the scores of the plan. In 2 of them, a score or a maximum changes.')
      .waitFor();
  });

  it('shows all decimals of scores, so that different ones look different', async () => {
    const { service } = console;
    const third = (reference: string) => ({
      reference,
      type: 'mcq',
      data: {
        options: ['1', '2', '3'].map((each) => ({ label: each, value: each })),
        multiple_responses: true,
        validation: {
          scoring_type: 'partialMatchV2',
          rounding: 'none',
          valid_response: { score: 1, value: ['1', '2', '3'] },
        },
      },
    });
    await write(service.client, {
      questions: ['third', 'other-third'].map(third),
      items: [itemOf('thirds', 'third', 'other-third')],
    });
    const taken = (id: string, ...chosen: string[][]) =>
      submission(id, {
        activityId: 'thirds',
        items: [{ reference: 'thirds', organisation: 1, time: 1, flagged: false }],
        responses: chosen.map((value, at) => answer('thirds', ['third', 'other-third'][at]!, value)),
      });
    await submit(service, [taken('s-one', ['1'], ['1']), taken('s-two', ['1', '2'])]);
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/rescoring?item=thirds&activity=thirds');
    await button(page, 'Dry run').click();
    const scores = page.getByRole('table', { name: 'Scores before and after' }).getByRole('rowheader');
    await scores.first().waitFor();
    await expectSoon(() => scores.allInnerTexts()).toEqual(['0.6666', '0.6667']);
  });

  it('shows the chosen sessions also after the back button', async () => {
    const { close, page } = await console.signIn(['operator']);
    await console.visit(page, '/rescoring?item=i-1&activity=first');
    const activity = page.getByLabel('Activity (all when empty)');
    await activity.fill('second');
    await button(page, 'Choose').click();
    await page.waitForURL(/activity=second/);
    await page.goBack();
    await until(async () => (await activity.inputValue()) === 'first');
    await close();
  });

  it('names an item that does not exist, and an activity without sessions', async () => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, '/rescoring?item=nothing');
    await button(page, 'Dry run').click();
    await page.getByRole('alert').getByText('there is no item "nothing"').waitFor();
    await console.visit(page, '/rescoring?item=i-1&activity=nowhere');
    await button(page, 'Dry run').click();
    await page.getByText('No completed session shows this item').waitFor();
    expect(await button(page, 'Apply the plan').count()).toBe(0);
  });
});

describe('the screens of sessions in light and dark colours', () => {
  it.each([
    ['/sessions', 'bob'],
    ['/sessions/s-ada?key=1', 'Scores and reasons'],
    ['/marking?question=essay', 'How to mark'],
    ['/rescoring?item=i-1', 'Dry run'],
  ])('have no barriers: %s', async (path, text) => {
    const { page } = await console.signIn(['operator']);
    await console.visit(page, path);
    await page.getByText(text).first().waitFor();
    if (path.includes('marking')) await page.keyboard.press('9');
    await settled(page);
    expect(await barriersInBothSchemes(page)).toEqual([]);
  });
});
