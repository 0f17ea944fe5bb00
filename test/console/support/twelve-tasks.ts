import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Jobs } from '#jobs';
import { newId } from '#kernel';
import type { Role } from '#people';
import { write } from '../../support/bank';
import { item, question, workflow } from '../../support/builders';
import { type Client } from '../../support/client';
import { expectSuccess } from '../../support/failure';
import { type TestService } from '../../support/service';
import { wholeSession, writeSessionBank } from '../../support/session-bank';
import { answer, resultsOf, submission, submit } from '../../support/submissions';
import { until } from '../../support/until';
import { type Hands } from './hands';

/* The bank of the twelve tasks, and the steps of each, which are the same by mouse and by keyboard. */

const FIVE = ['w-1', 'w-2', 'w-3', 'w-4', 'w-5'];
const ESSAYS = 20;
/** Questions that the stronger learners answer right, and one in which they choose “Sydney”. */
const SOUND = ['sound-1', 'sound-2', 'sound-3'];
const CAPITALS = [...SOUND, 'flawed'];

const JOB = { type: 'save-sessions', lane: 'short', operation: 'set sessions', token: 7, done: 0, attempts: 1 };

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** An item with a question of its own, which has the same reference. */
async function items(client: Client, references: readonly string[], more: (reference: string) => object) {
  await write(client, {
    questions: references.map((reference) => question({ reference })),
    items: references.map((reference) => item([reference], { reference, ...more(reference) })),
  });
}

/** Writes the sessions of learners. Its job runs in this process, or in another one on the same queue. */
export async function writeSessionsOfTasks(service: TestService): Promise<void> {
  const { client } = service;
  await writeSessionBank(client);
  const data = {
    type: 'mcq',
    stimulus: 'What is the capital?',
    options: ['Canberra', 'Sydney', 'Perth'].map((label, index) => ({ label, value: String(index) })),
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['0'] } },
  };
  await write(client, {
    questions: CAPITALS.map((reference) => question({ reference, data })),
    items: CAPITALS.map((reference) => item([reference], { reference, status: 'published' })),
  });
  const chosen = (reference: string, isStrong: boolean) =>
    SOUND.includes(reference) ? (isStrong ? '0' : '2') : isStrong ? '1' : '0';
  await submit(service, [
    ...Array.from({ length: ESSAYS }, (_, index) => ({
      ...wholeSession(`essay-${index}`, { userId: `secret-learner-${index}`, activityId: 'essays' }),
      responses: [answer('i-2', 'essay', `Essay number ${index}`)],
    })),
    ...['ada', 'bob'].map((userId) => wholeSession(`s-${userId}`, { userId, activityId: 'keys' })),
    ...Array.from({ length: 10 }, (_, index) =>
      submission(`capital-${index}`, {
        activityId: 'capitals',
        items: CAPITALS.map((reference) => ({ reference, organisation: 1, time: 1, flagged: false })),
        responses: CAPITALS.map((reference) => answer(reference, reference, [chosen(reference, index < 5)])),
      }),
    ),
  ]);
}

/** Writes what the tasks begin with, besides sessions. @param wait lets time pass that the service waits for. */
export async function writeBankOfTasks(service: TestService, wait: () => void): Promise<void> {
  const { client } = service;
  await items(client, ['rivers', 'lakes'], (reference) => ({
    title: reference === 'rivers' ? 'Rivers' : 'Lakes',
    tags: { Subject: [reference === 'rivers' ? 'Geography' : 'Biology'] },
    status: 'unpublished',
  }));
  await items(client, ['a', 'b', 'c', 'd'], (reference) => ({ title: `Item ${reference}`, status: 'published' }));

  await write(client, { workflows: [workflow('review', { Draft: ['Checked'], Checked: ['Done'], Done: [] })] });
  await items(client, [...FIVE, 'w-other'], (reference) => ({
    title: `Item ${reference}`,
    status: 'unpublished',
    authoring_workflow: { reference: 'review', state: 'Draft' },
  }));

  const filled = await client.set('itembank/pools', {
    pools: [{ reference: 'autumn', name: 'Autumn', content: { item_references: ['a'] } }],
  });
  expectSuccess(filled);
  wait();
  await resultsOf(service, filled.data[0].job_reference);

  const round = await client.set('sessions/marking/rounds', {
    name: 'Blind essays',
    question: 'essay',
    blind: true,
    sessions: { activity_id: ['essays'] },
  });
  expectSuccess(round);
  await resultsOf(service, (round.data as { reference: string }).reference);
}

/** An item that got another title, a week after the first one. @param pass lets a week pass. */
export async function writeLastWeek(client: Client, pass: () => void): Promise<void> {
  await items(client, ['volcano'], () => ({ title: 'Volcano of last week', status: 'published' }));
  pass();
  await items(client, ['volcano'], () => ({ title: 'Volcano', status: 'published' }));
}

/** The page, the hands and the service of a task. */
export interface Desk {
  page: Page;
  hands: Hands;
  /** Reads what the service stored. */
  client: Client;
  service: TestService;
  /** Lets time pass that the service waits for, where its clock stands still. */
  wait: () => void;
}

interface Task {
  does: string;
  as: readonly Role[];
  work(desk: Desk): Promise<void>;
}

type ItemState = { status: string; title: string; authoring_workflow?: { state: string } };
const itemsNow = async (client: Client, references: readonly string[]) => {
  const include = { items: ['authoring_workflow'] };
  return (await client.get('itembank/items', { references, include })).data as ItemState[];
};
const questionsOf = async (client: Client, reference: string) => {
  const { data } = await client.get('itembank/questions', { item_references: [reference] });
  return (data as Record<string, { data: Record<string, unknown> }[]>)[reference]!;
};
const responsesOf = async (client: Client, sessions: object) =>
  (await client.get('sessions/responses', { ...sessions, limit: 50 })).data as {
    score: number;
    responses: { response_id: string; score: number | null }[];
  }[];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
/** Opens a screen by the navigation. */
async function go({ page, hands }: Desk, screen: string) {
  await hands.use(page.getByRole('navigation').getByRole('link', { name: screen, exact: true }));
  await page.getByRole('heading', { level: 1, name: screen, exact: true }).waitFor();
}
async function openItem({ page, hands }: Desk, reference: string) {
  await hands.use(page.getByRole('link', { name: reference, exact: true }).first());
  await page.getByRole('tab', { name: 'Preview' }).waitFor();
}
async function save({ page, hands }: Desk) {
  await hands.use(button(page, 'Save'));
  const saved = page.getByText(/^(Saved|The activity is saved)/);
  await saved.first().waitFor();
}

export const TASKS: readonly Task[] = [
  {
    does: 'finds an item by its tag and publishes it',
    as: ['reviewer'],
    async work(desk) {
      const { page, hands, client } = desk;
      await go(desk, 'Bank');
      const tags = page
        .getByRole('combobox', { name: 'Tags' })
        .or(page.getByRole('textbox', { name: 'Tags' }))
        .first();
      await hands.write(tags, 'Subject:Geography');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'lakes', exact: true }).waitFor({ state: 'detached' });
      await openItem(desk, 'rivers');
      await hands.use(button(page, 'Publish'));
      await button(page, 'Unpublish').waitFor();
      expect(await itemsNow(client, ['rivers'])).toMatchObject([{ status: 'published' }]);
    },
  },
  {
    does: 'writes a new multiple-choice item with a picture and tries it',
    as: ['author'],
    async work(desk) {
      const { page, hands, client } = desk;
      await go(desk, 'Bank');
      await hands.use(button(page, 'Create an item'));
      await hands.write(field(page, 'Reference'), 'mountains');
      await hands.write(field(page, 'Title'), 'Mountains');
      await hands.use(page.getByRole('dialog').getByRole('button', { name: 'Create' }));
      await page.getByRole('heading', { level: 1, name: 'Mountains' }).waitFor();
      await hands.check(page.getByRole('radio', { name: 'Form' }).first());
      await hands.write(field(page, 'Question text'), 'Which is the highest?');
      await hands.use(page.getByRole('group', { name: 'Question text' }).getByRole('button', { name: 'Picture' }));
      const dialog = page.getByRole('dialog');
      const file = { name: 'map.png', mimeType: 'image/png', buffer: PIXEL };
      await hands.upload(dialog.getByRole('button', { name: 'Choose a picture' }), file);
      await hands.write(dialog.getByRole('textbox', { name: 'Description for people who cannot see it' }), 'A map');
      await hands.use(dialog.getByRole('button', { name: 'Insert the picture' }));
      await dialog.waitFor({ state: 'hidden' });
      await hands.write(field(page, 'Option 1'), 'K2');
      await hands.write(field(page, 'Option 2'), 'Mount Everest');
      await hands.check(page.getByRole('radio', { name: 'Option 2: Right answer' }));
      await save(desk);
      const [{ data }] = (await questionsOf(client, 'mountains')) as [{ data: Record<string, unknown> }];
      expect(data).toMatchObject({
        options: [{ label: 'K2' }, { label: 'Mount Everest', value: '1' }],
        validation: { valid_response: { value: ['1'] } },
      });
      expect(data.stimulus).toMatch(/Which is the highest\?.*<img src="[^"]+map\.png" alt="A map"/);

      await hands.use(page.getByRole('tab', { name: 'Try it' }));
      await hands.check(page.frameLocator('iframe').first().getByRole('radio', { name: 'Mount Everest' }));
      await hands.use(button(page, 'Score my answers'));
      await page.getByText('1 of 1 point').waitFor();
    },
  },
  {
    does: "restores last week's revision",
    as: ['reviewer'],
    async work(desk) {
      const { page, hands, client } = desk;
      await openItem(desk, 'volcano');
      await hands.use(page.getByRole('link', { name: 'History' }));
      await hands.use(page.getByRole('button', { name: /^Restore the revision/ }).last());
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Volcano of last week', { exact: true }).waitFor();
      await hands.use(dialog.getByRole('button', { name: 'Restore', exact: true }));
      await page.getByText('The revision is restored.').waitFor();
      expect(await itemsNow(client, ['volcano'])).toMatchObject([{ title: 'Volcano of last week' }]);
    },
  },
  {
    does: 'moves five items through a workflow',
    as: ['reviewer'],
    async work(desk) {
      const { page, hands, client } = desk;
      for (const [from, to] of [
        ['Draft', 'Checked'],
        ['Checked', 'Done'],
      ] as const) {
        await go(desk, 'Workflows');
        await hands.use(page.getByRole('link', { name: 'review', exact: true }));
        await hands.use(page.getByRole('link', { name: new RegExp(`^Items: \\d in the state ${from}`) }));
        for (const reference of FIVE) await hands.check(page.getByRole('checkbox', { name: `Select ${reference}` }));
        await hands.use(button(page, 'Move in workflow'));
        const dialog = page.getByRole('dialog', { name: 'Move in workflow' });
        const list = (name: string) => dialog.getByRole('combobox', { name });
        await hands.choose(list('Workflow'), page.getByRole('option', { name: 'review' }));
        await hands.choose(list('New state'), page.getByRole('option', { name: to }));
        await hands.use(dialog.getByRole('button', { name: 'Change items (5)' }));
        await dialog.getByText('Done. 5 changed, 0 unchanged, 0 refused.').waitFor();
        await hands.use(dialog.getByRole('button', { name: 'Close' }).last());
        await dialog.waitFor({ state: 'hidden' });
      }
      const moved = await itemsNow(client, FIVE);
      expect(moved).toHaveLength(5);
      for (const each of moved)
        expect(each).toMatchObject({ status: 'published', authoring_workflow: { state: 'Done' } });
      const [other] = await itemsNow(client, ['w-other']);
      expect(other).toMatchObject({ status: 'unpublished', authoring_workflow: { state: 'Draft' } });
    },
  },
  {
    does: 'builds an activity of two sections and tries it',
    as: ['author'],
    async work(desk) {
      const { page, hands, client } = desk;
      await go(desk, 'Activities');
      await hands.use(button(page, 'Create an activity'));
      const dialog = page.getByRole('dialog');
      await hands.write(dialog.getByLabel('Reference'), 'exam');
      await hands.use(dialog.getByRole('button', { name: 'Create an activity' }));
      for (const [number, wanted] of [
        [1, ['a', 'b']],
        [2, ['c']],
      ] as const) {
        await hands.use(button(page, 'Add a section'));
        const section = page.getByRole('region', { name: `Section ${number}`, exact: true });
        await hands.write(section.getByLabel('Title of the section'), `Part ${number}`);
        await hands.use(section.getByRole('button', { name: `Add items to section ${number}` }));
        await hands.write(dialog.getByLabel('References'), wanted.join(', '));
        await hands.use(dialog.getByRole('button', { name: 'Find' }));
        await dialog.getByRole('checkbox', { name: 'Select d', exact: true }).waitFor({ state: 'detached' });
        for (const each of wanted)
          await hands.check(dialog.getByRole('checkbox', { name: `Select ${each}`, exact: true }));
        await hands.use(dialog.getByRole('button', { name: /^Add \d items?$/ }));
        await dialog.waitFor({ state: 'hidden' });
      }
      await save(desk);
      const { data } = await client.get('itembank/activities', { references: ['exam'] });
      const [{ data: stored }] = data as [{ data: { sections: { config: object; items: unknown[] }[] } }];
      const references = stored.sections.map((section) =>
        section.items.map((each) => (typeof each === 'string' ? each : (each as { reference: string }).reference)),
      );
      expect(references.map((each) => each.sort())).toEqual([['a', 'b'], ['c']]);

      await hands.use(page.getByRole('tab', { name: 'Try it' }));
      await hands.check(page.frameLocator('iframe').first().getByRole('radio', { name: 'Two' }).first());
      await hands.use(button(page, 'Score my answers'));
      await page.getByText('1 of 3 points').waitFor();
    },
  },
  {
    does: 'fills a pool and sees what changed',
    as: ['operator'],
    async work(desk) {
      const { page, hands, client, wait } = desk;
      await go(desk, 'Pools');
      await hands.use(page.getByRole('link', { name: 'Autumn' }));
      await hands.use(page.getByRole('tab', { name: 'Fill', exact: true }));
      await hands.write(field(page, 'Items'), 'd');
      await hands.use(button(page, 'Show what would change'));
      await page.getByRole('heading', { name: 'What the fill would change' }).waitFor();
      wait();
      const counts = page.getByRole('table', { name: 'Change', exact: true });
      await counts.getByRole('row', { name: /^added Activities: 0, items: 1/ }).waitFor();
      await hands.use(button(page, 'Start the fill'));
      await page.getByRole('heading', { name: 'Progress of the fill' }).waitFor();
      wait();
      await page.getByText('The fill is done.').waitFor();
      const changed = page.getByRole('table', { name: 'Changed content' });
      await changed.getByRole('row', { name: 'added Item d' }).last().waitFor();
      const { data } = await client.get('itembank/items', { item_pool_id: 'autumn' });
      expect((data as { reference: string }[]).map(({ reference }) => reference).sort()).toEqual(['a', 'd']);
    },
  },
  {
    does: 'marks twenty essays blind',
    as: ['marker'],
    async work(desk) {
      const { page, hands, client } = desk;
      await go(desk, 'Marking');
      await hands.use(page.getByRole('link', { name: 'Blind essays' }));
      for (let count = 1; count <= ESSAYS; count++) {
        await page.getByText('Learner: hidden').waitFor();
        // Digits give the score, wherever the focus is.
        if (hands.isMouse) await hands.use(button(page, 'Give 3'));
        else await page.keyboard.press('3');
        await page.getByText(`${count} marked by you`, { exact: true }).waitFor();
      }
      await page.getByText('Nothing waits for you in this round').waitFor();
      expect(await page.content()).not.toContain('secret-learner');
      const scores = async () => {
        const sessions = await responsesOf(client, { activity_id: ['essays'] });
        return sessions.map(({ responses }) => responses.find(({ response_id: id }) => id === 'i-2-essay')!.score);
      };
      await until(async () => (await scores()).filter((score) => score === 3).length === ESSAYS);
    },
  },
  {
    does: 'corrects a wrong key and applies the rescoring',
    as: ['operator'],
    async work(desk) {
      const { page, hands, client } = desk;
      const scoreNow = async () => (await responsesOf(client, { session_id: ['s-ada'] }))[0]!.score;
      const before = await scoreNow();
      await openItem(desk, 'i-1');
      await hands.use(page.getByRole('tab', { name: 'Edit' }));
      const choice = page.getByRole('region', { name: 'choice', exact: true });
      await hands.check(choice.getByRole('radio', { name: 'Form' }));
      await hands.check(choice.getByRole('radio', { name: 'Option 2: Right answer' }));
      await save(desk);
      await go(desk, 'Rescoring');
      await hands.write(page.getByLabel('Item whose key was changed'), 'i-1');
      await hands.write(page.getByLabel('Activity (all when empty)'), 'keys');
      await hands.use(button(page, 'Choose'));
      await hands.use(button(page, 'Dry run'));
      await page.getByRole('link', { name: 's-ada' }).waitFor();
      expect(await scoreNow()).toBe(before);
      await hands.use(button(page, 'Apply the plan'));
      await hands.use(page.getByRole('dialog').getByRole('button', { name: 'Apply' }));
      await page.getByText('Applied: 2 of 2 sessions').first().waitFor();
      // Ada chose the first option, which gave two points by the wrong key.
      expect(await scoreNow()).toBe(before - 2);
    },
  },
  {
    does: 'reads an item analysis and retires the bad distractor',
    as: ['analyst', 'author', 'reviewer'],
    async work(desk) {
      const { page, hands, client } = desk;
      await go(desk, 'Reports');
      await hands.write(page.getByRole('textbox', { name: /^Reference or activity_id/ }), 'capitals');
      await hands.use(button(page, 'Create the report'));
      const row = page.getByRole('table', { name: 'Questions by discrimination' }).getByRole('row', { name: /Sydney/ });
      await hands.use(row.getByRole('link', { name: 'flawed' }));
      await hands.check(page.getByRole('radio', { name: 'Form' }).first());
      await hands.use(button(page, 'Remove Option 2'));
      await save(desk);
      const [{ data }] = (await questionsOf(client, 'flawed')) as [{ data: { options: { label: string }[] } }];
      expect(data.options.map(({ label }) => label)).toEqual(['Canberra', 'Perth']);
    },
  },
  {
    does: 'creates a consumer and makes a first call with it',
    as: ['operator'],
    async work(desk) {
      const { page, hands, service } = desk;
      await go(desk, 'Consumers');
      await hands.use(button(page, 'Create a consumer').last());
      await hands.write(page.getByRole('textbox', { name: 'Label' }), 'Site');
      await hands.use(page.getByRole('dialog').getByRole('button', { name: 'Create a consumer' }));
      const script = await page.getByRole('dialog').getByRole('tabpanel').locator('pre').first().innerText();
      // The clock of the service may stand still.
      const now = new Date(service.clock.now()).toISOString();
      const timestamp = `${now.slice(0, 10).replaceAll('-', '')}-${now.slice(11, 16).replace(':', '')}`;
      // Without blocking: the service may run in this process.
      const { stdout } = await promisify(execFile)('bash', ['-c', `date() { echo ${timestamp}; }\n${script}`]);
      expect(JSON.parse(stdout)).toMatchObject({ meta: { status: true } });
      await hands.use(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last());
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    },
  },
  {
    does: 'cancels a job',
    as: ['operator'],
    async work(desk) {
      const { page, hands, service } = desk;
      const farFuture = service.clock.now() + 1_000_000_000;
      const row = {
        ...JOB,
        organisation_id: 1,
        id: newId(service.clock.now()),
        status: 'queued',
        input: JSON.stringify({ submissions: [], ignoreRevisions: false }),
        available_at: farFuture,
        due_at: farFuture,
        lease_until: farFuture,
      };
      await service.database.insert('job', Object.keys(row), [Object.values(row)]);
      await go(desk, 'Jobs');
      await hands.use(page.getByRole('link', { name: 'Store sessions' }).first());
      await hands.use(page.getByRole('dialog', { name: 'Job' }).getByRole('button', { name: 'Cancel' }));
      const asked = page.getByRole('dialog', { name: 'Cancel jobs' });
      await hands.use(asked.getByRole('button', { name: 'Cancel jobs' }));
      await page.getByRole('cell', { name: 'An operator cancelled the job.' }).waitFor();
      const { entries } = await service.get(Jobs).find([1], { references: [row.id], limit: 1 });
      expect(entries).toMatchObject([{ status: 'halted' }]);
    },
  },
  {
    does: 'erases a learner',
    as: ['operator'],
    async work(desk) {
      const { page, hands, client } = desk;
      await go(desk, 'Data of learners');
      await hands.write(field(page, 'Learner'), 'bob');
      await hands.use(button(page, 'Find'));
      await hands.use(button(page, 'Erase the learner'));
      const dialog = page.getByRole('dialog', { name: 'Erase a learner' });
      await hands.write(dialog.getByRole('textbox', { name: 'Type the id of the learner' }), 'bob');
      await hands.use(dialog.getByRole('button', { name: 'Erase the learner' }));
      await page.getByRole('table', { name: 'Report of the erasure' }).getByText('Completed sessions').waitFor();
      const left = async (learner: string) => (await responsesOf(client, { user_id: [learner] })).length;
      expect([await left('bob'), await left('ada')]).toEqual([0, 1]);
    },
  },
];
