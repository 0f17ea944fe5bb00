import { question } from './builders';
import { type Client } from './client';
import { expectSuccess } from './failure';
import { type TestService } from './service';

/* Content that the bank contains before a test begins. */

export type Content = Partial<
  Record<'workflows' | 'questions' | 'features' | 'items' | 'activities', readonly object[]>
>;

/** Sets the records, one request per list, in the order of the lists. */
export async function write(client: Client, content: Content): Promise<void> {
  for (const [list, records] of Object.entries(content))
    expectSuccess(await client.set(`itembank/${list}`, { [list]: records }));
}

/** Fills a new pool with these items and activities. */
export async function fillPool(
  { client, clock }: Pick<TestService, 'client' | 'clock'>,
  reference: string,
  items: readonly string[],
  activities: readonly string[] = [],
): Promise<void> {
  const content = { item_references: items, activity_references: activities };
  const started = await client.set('itembank/pools', { pools: [{ reference, name: 'Pool', content }] });
  expectSuccess(started);
  // A fill waits until earlier writes are committed.
  const job = await client.ended(started.data[0].job_reference, clock);
  expect(job).toMatchObject({ status: 'completed' });
}

/** Sets a question and returns its reference. */
export async function newQuestion(client: Client): Promise<string> {
  const made = question();
  await write(client, { questions: [made] });
  return made.reference;
}

export const referencesIn = (records: readonly { reference: string }[]): string[] =>
  records.map(({ reference }) => reference);
