import { question } from './builders';
import { type Client } from './client';
import { expectSuccess } from './failure';

/* Content that the bank contains before a test begins. */

export type Content = Partial<
  Record<'workflows' | 'questions' | 'features' | 'items' | 'activities', readonly object[]>
>;

/** Sets the records, one request per list, in the order of the lists. */
export async function write(client: Client, content: Content): Promise<void> {
  for (const [list, records] of Object.entries(content))
    expectSuccess(await client.set(`itembank/${list}`, { [list]: records }));
}

/** Sets a question and returns its reference. */
export async function newQuestion(client: Client): Promise<string> {
  const made = question();
  await write(client, { questions: [made] });
  return made.reference;
}

export const referencesIn = (records: readonly { reference: string }[]): string[] =>
  records.map(({ reference }) => reference);
