import { type Caller, prepare, type Prepared, references } from './requests';
import { itemBody, itemReference, questionReference, tagsOf } from './seed';

/** A consumer that sends a heavy load. */
export interface Neighbour {
  name: string;
  /** The requests that it sends in turn. */
  make(caller: Caller, items: number): Prepared[];
  /** Requests per second. A late request is skipped. */
  perSecond: number;
  connections: number;
}

/** Sends nothing. Shows how much two phases differ without any neighbour. */
export const NOBODY = 'nobody';
/** Keeps one processor busy. Shows the effect of the machine alone. */
export const BUSY = 'no consumer, one processor kept busy';

/** The number of reads and sets per second that the usual limits allow. */
const READS = 200;
const SETS = 10;
const EXCESS_FACTOR = 10;
const MAX_LIST = 50;
const MAX_FILTER = 1000;
const QUESTION_CHARACTERS = 60_000;
const SESSION_ITEMS = 100;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/**
 * The loads: no neighbour; two neighbours that send ten times their limit; and others within their limits, which send
 * the heaviest requests.
 */
export const NEIGHBOURS: readonly Neighbour[] = [
  { name: NOBODY, perSecond: 0, connections: 0, make: () => [] },
  { name: BUSY, perSecond: 0, connections: 0, make: () => [] },
  {
    name: 'reads at ten times the limit',
    perSecond: READS * EXCESS_FACTOR,
    connections: 16,
    make: (caller, items) => many(50, (number) => prepare(caller, 'get', { references: references(number, items) })),
  },
  {
    name: 'sets of 50 items at ten times the limit',
    perSecond: SETS * EXCESS_FACTOR,
    connections: 16,
    make: (caller) =>
      many(20, (number) => prepare(caller, 'set', { items: many(MAX_LIST, (item) => neighbourItem(number, item)) })),
  },
  {
    name: 'reads with the largest filters',
    perSecond: READS,
    connections: 8,
    make: (caller, items) => many(50, (number) => prepare(caller, 'get', largestFilter(number, items))),
  },
  {
    name: 'sets of 50 questions, 3 MB each',
    perSecond: SETS,
    connections: 8,
    make: (caller) =>
      many(3, (number) =>
        prepare(
          caller,
          'set',
          { questions: many(MAX_LIST, (question) => largeQuestion(number, question)) },
          'itembank/questions',
        ),
      ),
  },
  {
    name: 'submissions of 50 sessions of 100 responses',
    perSecond: SETS,
    connections: 8,
    make: (caller) =>
      many(60, (number) =>
        prepare(
          caller,
          'set',
          { data: many(MAX_LIST, (session) => largeSession(`${Date.now()}-${number}-${session}`)) },
          'sessions',
        ),
      ),
  },
  {
    name: 'pools of the whole bank',
    perSecond: SETS,
    connections: 8,
    make: (caller) =>
      many(10, (number) =>
        prepare(
          caller,
          'set',
          {
            pools: [
              {
                reference: `noisy-${number}`,
                name: 'noisy',
                content: { item_tags: [{ type: tagsOf(0)[0]!.type }] },
              },
            ],
          },
          'itembank/pools',
        ),
      ),
  },
];

function neighbourItem(number: number, item: number): object {
  const index = number * MAX_LIST + item;
  const { title, ...body } = itemBody(index);
  return {
    reference: `noisy-${index}`,
    ...body,
    title: `${String(title)} ${Date.now()}`,
    tags: { Noisy: many(40, (tag) => `tag ${tag}`) },
  };
}

function largestFilter(number: number, items: number): object {
  const wanted = Array.from({ length: MAX_FILTER }, (_, place) => itemReference((number * 7919 + place * 31) % items));
  const tags = many(MAX_LIST, (tag) => tagsOf(number * MAX_LIST + tag)[tag % 4]!);
  return {
    references: wanted,
    advanced_tags: { either: tags, none: many(MAX_LIST, (tag) => ({ type: 'Noisy', name: `no ${tag}` })) },
    sort_field: 'title',
  };
}

function largeQuestion(number: number, question: number): object {
  const text = '<p>A long text with <b>marks</b> and “signs”. </p>'.repeat(QUESTION_CHARACTERS / 50);
  return { reference: `noisy-${number}-${question}`, type: 'longtext', data: { stimulus: `${text}${Date.now()}` } };
}

function largeSession(id: string): string {
  const items = many(SESSION_ITEMS, itemReference);
  const document = {
    session_id: id,
    user_id: 'noisy',
    activity_id: 'noisy',
    status: 'Completed',
    dt_started: '2026-01-31T09:30:00Z',
    dt_completed: '2026-01-31T09:58:20Z',
    items: items.map((reference) => ({ reference, time: 60 })),
    responses: items.map((reference, index) => ({
      response_id: `r-${index}`,
      item_reference: reference,
      question_reference: questionReference(index, 0),
      revision: 1,
      attempted: true,
      type: 'array',
      value: [String(index % 4)],
    })),
  };
  return Buffer.from(JSON.stringify(document)).toString('base64');
}
