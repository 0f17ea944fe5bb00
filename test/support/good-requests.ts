import { type Client } from './client';
import { type Request } from './declared-members';

/* For each operation a request that succeeds. Operations whose parameters are all optional need no entry. */

/** As many as any list may hold. */
const SEEDED = 50;
const seeded = Array.from({ length: SEEDED }, (_, index) => `good${index}`);

/** What the requests name: items with a question and a feature each, and activities with an item. */
export async function seedGoodRequests(client: Client, organisation_id?: number): Promise<void> {
  const more = organisation_id === undefined ? {} : { organisation_id };
  const set = async (path: string, request: Request) => {
    const { meta } = await client.set(path, { ...request, ...more });
    if (!meta.status) throw new Error(`${path}: ${meta.message}`);
  };
  await set('itembank/questions', { questions: seeded.map((reference) => question(`q-${reference}`)) });
  await set('itembank/features', { features: seeded.map((reference) => feature(`f-${reference}`)) });
  await set('itembank/items', {
    items: seeded.map((reference) => item(reference, [`q-${reference}`, `f-${reference}`])),
  });
  await set('itembank/activities', { activities: seeded.map((reference) => activity(reference)) });
}

const question = (reference: string) => ({ type: 'mcq', reference, data: { stimulus: 'x' } });
const feature = (reference: string) => ({ type: 'sharedpassage', reference, data: { content: 'x' } });
const item = (reference: string, widgets = ['q-good0']) => ({
  reference,
  definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
  tags: { Good: [reference] },
});
const activity = (reference: string) => ({ reference, data: { items: ['good0'] }, tags: { Good: ['activity'] } });
const entries = <T>(count: number, of: (reference: string, index: number) => T): T[] =>
  // Questions and features share their references.
  Array.from({ length: count }, (_, index) => of(`${of.name}-made${index}`, index));
const existing = (index: number) => seeded[index % SEEDED]!;

/** By `action path`: the request with so many entries. Entries name records that exist where the operation needs that. */
const withEntries: Record<string, (count: number) => Request> = {
  'set itembank/activities': (count) => ({ activities: entries(count, activity) }),
  'set itembank/items': (count) => ({ items: entries(count, (reference) => item(reference)) }),
  'set itembank/questions': (count) => ({ questions: entries(count, question) }),
  'set itembank/features': (count) => ({ features: entries(count, feature) }),
  'set itembank/tagging/tags': (count) => ({ tags: entries(count, (name) => ({ type: 'Good', name })) }),
  'set itembank/tags': (count) => ({ tags: Object.fromEntries(entries(count, (type) => [type, ['x']])) }),
  ...Object.fromEntries(
    ['items', 'activities'].flatMap((list) =>
      ['set', 'update'].map((action) => [
        `${action} itembank/${list}/tags`,
        (count: number) => ({
          [list]: entries(count, (_, index) => ({ reference: existing(index), tags: { Good: ['x'] } })),
        }),
      ]),
    ),
  ),
};

/** @param count of entries in the list that the operation works through */
export function goodRequest(action: string, path: string, count = 1): Request {
  if (action === 'get') return {};
  const make = withEntries[`${action} ${path}`];
  if (!make) throw new Error(`${action} ${path} has no request in test/support/good-requests.ts: add one.`);
  return make(count);
}
