import { People } from '#people';
import { write, fillPool } from './bank';
import { activity, feature, item, question } from './builders';
import { expectSuccess } from './failure';
import { Importer } from './imports';
import { TestPage } from './page';
import { rescore, Rescored } from './rescoring';
import { type TestService } from './service';
import { choice, itemOf, wholeSession, writeSessionBank } from './session-bank';
import { answer, resultsOf, resultsOfStarted, submission, submit } from './submissions';
import { until } from './until';

const items = (...references: string[]) =>
  references.map((reference) => ({ reference, organisation: 1, time: 3, flagged: false }));

/**
 * Stores an example of everything that organisation 1 can have, except files, and waits for all jobs and events. Uses
 * the present time.
 */
export async function storeEverything(service: TestService): Promise<void> {
  const { client, clock } = service;
  clock.advance(Date.now() - clock.now());
  await writeSessionBank(client);
  const tags = { Subject: ['Maths', 'Reading'], Level: ['Hard'] };
  await write(client, {
    questions: ['q-1', 'q-2', 'q-3', 'q-4', 'q-5'].map((reference) => question({ reference })),
    features: ['f-1', 'f-2'].map((reference) => feature({ reference })),
    items: [
      item(['q-1', 'f-1'], { reference: 'it-1', tags }),
      item(['q-2'], { reference: 'it-2', tags: { Subject: ['Maths'] } }),
      item(['q-3', 'q-1'], { reference: 'it-3', tags: { Level: ['Hard'] } }),
      item(['q-4'], { reference: 'it-4', tags: { Level: ['Alone'] } }),
      item(['q-1'], { reference: 'it-5' }),
      item(['q-1'], { reference: 'it-6' }),
      item(['f-1'], { reference: 'it-7', tags: { Level: ['Hard'], Subject: ['Other'] } }),
      item(['q-4', 'q-3'], { reference: 'it-8' }),
      item(['q-5'], { reference: 'it-9' }),
    ],
    activities: [
      activity(['it-1', 'it-2'], { reference: 'ac-1', tags }),
      activity([], {
        reference: 'ac-2',
        data: {
          items: ['it-6', { reference: 'it-1' }],
          adaptive: { steps: [{ reference: 'it-8' }, { reference: 'none' }] },
        },
      }),
    ],
  });
  // Writes the records again: changed, with other references, and unchanged.
  await write(client, {
    questions: [question({ reference: 'q-2', data: { stimulus: 'Other' }, type: 'longtextV2' })],
    items: [item(['q-2'], { reference: 'it-2', new_reference: 'it-2b', tags: { Subject: ['Reading'] } })],
  });
  const { data } = await client.get('itembank/items', { references: ['it-6'] });
  await write(client, { items: [{ ...(data as object[])[0], new_reference: 'it-6b' }] });
  expectSuccess(await client.set('itembank/tagging/tags', { tags: [{ type: 'Level', name: 'Hard', sort_key: 1 }] }));
  const copied = await client.set('itembank/activities/duplicate', {
    activities: [{ reference: 'ac-1', new_reference: 'ac-1-copy' }],
  });
  await resultsOfStarted(service, copied);
  const view = { screen: 'items', name: 'A view', address: { status: ['published'] } };
  expectSuccess(
    await client.set('itembank/views', {
      views: [
        { ...view, reference: 'view-1', shared: true },
        { ...view, reference: 'view-2' },
      ],
      meta: { user: { id: 'viewer' } },
    }),
  );
  for (const email of ['role@example.org', 'removed@example.org'])
    await service.get(People).create({ email, roles: new Map([[1, ['author']]]) });
  await fillPool(service, 'pool', ['it-1']);
  await fillPool(service, 'pool', ['it-1', 'it-2b'], ['ac-1']);
  await takeSessions(service);
  await takeTestPages(service);
  await markInRounds(service);
  await waitForEventNumbers(service);
}

/** Creates files of jobs and an import. Call it last, because other work may remove files. */
export async function makeFiles(service: TestService): Promise<void> {
  const imported = { kind: 'item', reference: 'it-imported', widgets: [question({ reference: 'q-imported' })] };
  await new Importer(service).applied(JSON.stringify(imported));
  const request = { dataset_type: 'activity-analysis-by-question', dataset_id: 'activity' };
  const dataset = await service.client.set('jobs/reports/datasets', request);
  await resultsOfStarted(service, dataset);
  await waitForEventNumbers(service);
}

async function waitForEventNumbers(service: TestService): Promise<void> {
  await until(async () => {
    const rows = await service.database.rows('SELECT id FROM event WHERE number IS NULL LIMIT 1');
    return rows.length === 0 || undefined;
  });
}

/** Creates a marking round with the essays of four sessions, marked by one or two people, and an empty round. */
async function markInRounds(service: TestService): Promise<void> {
  const { client } = service;
  const round = async (session_id: string[]) => {
    const wanted = { name: 'Essays', question: 'essay', markers: 2, scored: true, sessions: { session_id } };
    const started = await client.set('sessions/marking/rounds', wanted);
    expectSuccess(started);
    const { reference } = started.data as { reference: string };
    await resultsOf(service, reference);
    return reference;
  };
  await round(['none']);
  const id = await round(['s-1', 's-2', 's-8', 'alone']);
  const { data } = await client.get('sessions/marking/marks', { round: id });
  for (const { reference: answer, session_id } of data as { reference: string; session_id: string }[])
    for (const marker of session_id === 's-2' ? ['ann', 'ben'] : ['ann'])
      expectSuccess(
        await client.set('sessions/marking/marks', {
          round: id,
          answer,
          score: marker === 'ann' ? 1 : 3,
          meta: { user: { id: marker } },
        }),
      );
}

/** Creates the sessions `page-1`, which is not submitted, and `page-2`, which is. */
async function takeTestPages(service: TestService): Promise<void> {
  await write(service.client, { questions: [choice('p-1', '1', 2)], items: [itemOf('i-p', 'p-1')] });
  for (const session_id of ['page-1', 'page-2']) {
    const page = await TestPage.start(service, { session_id, items: ['i-p'], activity_id: 'in a page' });
    await page.save({ [page.questions[0].response_id]: ['1'] });
    if (session_id === 'page-2') await page.submit();
  }
}

/**
 * Submits the tagged sessions `s-1` to `s-9` with the items `i-1` and `i-2`. The sessions `alone` and `other` differ
 * from these. A person scores one session, and one is rescored.
 */
async function takeSessions(service: TestService): Promise<void> {
  const { client } = service;
  const tags = [{ type: 'Class', name: 'A' }];
  const ids = Array.from({ length: 9 }, (_, index) => `s-${index + 1}`);
  await submit(
    service,
    ids.map((id) => wholeSession(id, { tags, activityTemplateId: 'adaptive' })),
  );
  await write(client, { questions: [choice('c-1', '1', 2)], items: [itemOf('i-c', 'c-1')] });
  await submit(service, [
    submission('alone', { items: items('i-2'), responses: [answer('i-2', 'essay', 'Words')] }),
    submission('other', { items: items('i-1'), responses: [], status: 'Incomplete', completedAt: null }),
    submission('erased', {
      userId: 'gone',
      activityId: 'elsewhere',
      items: items('i-c', 'i-2'),
      responses: [answer('i-c', 'c-1', ['1'])],
    }),
    submission('third', { items: items('i-c'), responses: [answer('i-c', 'c-1', ['2'])] }),
  ]);
  const rescored = new Rescored(service);
  await rescored.score('s-9', 'essay', 3, 4);
  const given = await rescored.given(['1', '2', '']);
  await rescored.score(given.ids[0]!, given.second, 2, 4);
  await given.rekey('2', 5);
  await rescore(service, given.request);
  const reverted = await rescored.given(['1', '3']);
  await reverted.rekey('3', 1);
  service.clock.advance(10_000);
  const { results } = await rescore(service, reverted.request);
  service.clock.advance(10_000);
  await rescore(service, { revert: results.plan });
}
