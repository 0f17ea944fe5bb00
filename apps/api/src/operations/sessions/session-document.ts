import { type Static, Type } from '@sinclair/typebox';
import {
  Fault,
  type FaultDetail,
  type Json,
  type JsonObject,
  nameOfCharacter,
  parseObject,
  place,
  throwAny,
} from '#kernel';
import { mapYielding } from '#platform';
import { type Submission, type SubmittedItem, type SubmittedResponse, SETTABLE_STATUSES, within } from '#sessions';
import { integer, nullable, optional, read, text, time, wrongType } from '../../declaration/fields';
import { tagText } from '../../declaration/tag-fields';
import { InputCheck } from '../../declaration/validation';
import { plainSchema } from '../../declaration/describe/json-schema';
import { Estimate } from './reports/adaptive/report-view';
import { scoringType, scoringTypeOf } from './scoring-type-field';
import { statusAmong } from './status-field';
import { subscores } from './subscores';

/* A session as one text. Players hand it out when they cannot deliver it. */

const SESSION_ID_LENGTH = 64;
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

const sessionId = read<string>(
  (value, at) => {
    if (typeof value !== 'string') throw wrongType(at, 'text');
    if (value.length === 0 || value.length > SESSION_ID_LENGTH)
      throw new Fault(
        'length',
        `${place(at)} must have 1 to ${SESSION_ID_LENGTH} characters; it has ${value.length}.`,
        at,
      );
    const found = UNPRINTABLE.exec(value);
    if (found)
      throw new Fault(
        'value',
        `${place(at)} holds ${nameOfCharacter(found[0])} (character ${found.index + 1}); a session id may hold printable characters.`,
        at,
      );
    return value;
  },
  {
    type: 'string',
    minLength: 1,
    maxLength: SESSION_ID_LENGTH,
    description: 'Id of the session, unique in its organisation.',
  },
);

const id = (description: string) => text({ min: 1, max: 255, description });
const reference = (description: string) => text({ min: 1, max: 150, description });
const number = (description: string) => integer({ minimum: 0, maximum: 2147483647, description });

const Item = Type.Object({
  reference: reference('Reference of the item.'),
  organisation_id: optional(
    integer({
      minimum: 1,
      maximum: 2147483647,
      description: 'Organisation of the item. Default: that of the session.',
    }),
  ),
  time: optional(Type.Number({ minimum: 0, maximum: 1e9, description: 'Seconds that the learner spent on it.' })),
  user_flagged: optional(Type.Boolean({ description: 'Whether the learner flagged it.' })),
});

const RESPONSE_TYPES = ['array', 'string', 'number', 'object', 'boolean'];

const responseType = read<string>(
  (value, at) => {
    if (typeof value !== 'string') throw wrongType(at, 'text');
    if (!RESPONSE_TYPES.includes(value))
      throw new Fault(
        'value',
        `${place(at)} must be one of ${RESPONSE_TYPES.join(', ')}; it is ${JSON.stringify(value.slice(0, 60))}. It names the kind of the value, not the type of the question.`,
        at,
      );
    return value;
  },
  {
    type: 'string',
    enum: RESPONSE_TYPES,
    description: 'The kind of the value; `array` or `string` for most questions.',
  },
);

const Response = Type.Object(
  {
    response_id: optional(id('Id of the response in its session. Default: derived from session, item and question.')),
    item_reference: reference('Reference of the item.'),
    question_reference: reference('Reference of the question in the item.'),
    revision: number('Rises with every change of the response. A revision below the stored one is refused.'),
    attempted: optional(
      Type.Boolean({ description: 'False: there is no answer, whatever the other members contain.' }),
    ),
    type: optional(responseType),
    value: optional(Type.Unknown({ description: 'The answer, in the format of the question type; null for none.' })),
  },
  { additionalProperties: true, description: 'Further members, such as `wordCount`, are stored with the answer.' },
);

const list = (description: string) => Type.Array(Type.Unknown(), { description });

/** The members that adaptive reports promise. */
const Adaptive = Type.Object(
  {
    ability_estimate: optional(nullable(Estimate)),
    items: optional(nullable(list('Items in the order in which they were given.'))),
    exposed_items: optional(
      Type.Object(
        {
          operational: optional(list('Items that count for the estimate.')),
          seeding: optional(list('Items that are only tried out.')),
        },
        { additionalProperties: true, description: 'Items that the learner saw.' },
      ),
    ),
  },
  { additionalProperties: true, description: 'Results of an external adaptive engine; stored and reported unchanged.' },
);

const SessionDocument = Type.Object(
  {
    session_id: sessionId,
    user_id: id('Id of the learner.'),
    activity_id: id('Id of what was taken.'),
    activity_template_id: optional(nullable(reference('Reference of the activity of the item bank.'))),
    status: optional({
      ...statusAmong(SETTABLE_STATUSES),
      enum: SETTABLE_STATUSES,
      default: 'Completed',
      description: 'Status of the session, ignoring case.',
    }),
    dt_started: time('first', 'Time of the start: ISO 8601 (UTC) or Unix seconds.'),
    dt_completed: optional(nullable(time('first', 'Time of the submission: ISO 8601 (UTC) or Unix seconds.'))),
    scoring_type: optional(scoringType),
    items: optional(
      Type.Array(Item, {
        maxItems: 1000,
        description:
          'The items, in the order in which the learner saw them. Items that only responses name come after these.',
      }),
    ),
    responses: Type.Array(Response, { maxItems: 10_000, description: 'What the learner answered.' }),
    subscores: optional(nullable(subscores)),
    metadata: optional(
      Type.Object(
        {
          session_tags: optional(
            Type.Array(Type.Object({ type: tagText('Type of the tag.'), name: tagText('Name of the tag.') }), {
              maxItems: 1000,
              description: 'Tags of the session.',
            }),
          ),
        },
        { additionalProperties: true, description: 'Facts about the session, such as `user_agent` and `max_time`.' },
      ),
    ),
    adaptive: optional(nullable(Adaptive)),
    custom_state: optional(Type.Unknown({ description: 'State of a self-hosted adaptive engine.' })),
  },
  { description: 'A session that a player could not deliver.' },
);

type SessionDocument = Static<typeof SessionDocument>;

const check = new InputCheck(SessionDocument);

/** The last moment that reads can show. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * @param texts the documents, in the order of the request.
 * @param own organisation that the sessions are saved for.
 * @param completed adds what the pages of learners leave out.
 * @throws Fault with the mistakes of each document, at its entry.
 */
export async function readDocuments(
  texts: readonly string[],
  own: number,
  completed: (document: JsonObject) => Promise<JsonObject>,
): Promise<Submission[]> {
  const faults: FaultDetail[][] = texts.map(() => []);
  const collect = <T>(index: number, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults[index] = error.details.map((detail) => within(detail, `/data/${index}`));
      return undefined;
    }
  };
  const parsed = await mapYielding(texts, (content, index) =>
    collect(index, () => parseObject(content, 'the text', 'the members of a session') as JsonObject),
  );
  const whole = await Promise.all(parsed.map(async (document) => document && completed(document)));
  const submissions = await mapYielding(whole, (document, index) =>
    document ? collect(index, () => submissionOf(check.read(document, texts[index]!.length), own)) : undefined,
  );
  throwAny(faults.flat());
  return submissions.map((submission) => submission!);
}

function submissionOf(document: SessionDocument, own: number): Submission {
  const { session_tags: tags = null, ...metadata } = (document.metadata ?? {}) as JsonObject & {
    session_tags?: Submission['tags'];
  };
  const responses = document.responses.map(responseOf);
  const { dt_started: startedAt, dt_completed: completedAt = null } = document;
  checkTimes(startedAt, completedAt);
  return {
    sessionId: document.session_id,
    userId: document.user_id,
    activityId: document.activity_id,
    activityTemplateId: document.activity_template_id ?? null,
    status: document.status ?? 'Completed',
    startedAt,
    completedAt,
    items: itemsOf(document, own),
    responses,
    ...(document.scoring_type === undefined ? {} : { scoringType: scoringTypeOf(document.scoring_type) }),
    subscores: document.subscores ?? null,
    metadata,
    tags,
    adaptive: (document.adaptive as JsonObject | null | undefined) ?? null,
    customState: (document.custom_state as Json | undefined) ?? null,
  };
}

function responseOf({
  response_id,
  item_reference,
  question_reference,
  revision,
  attempted,
  ...response
}: Static<typeof Response>): SubmittedResponse {
  const isAnswered = attempted !== false && response.value !== undefined && response.value !== null;
  return {
    item: item_reference,
    question: question_reference,
    response: isAnswered ? (response as JsonObject) : null,
    revision,
    // Last, because V8 is slow to add members after a spread, and a request may have ten thousand responses.
    ...(response_id === undefined ? {} : { responseId: response_id }),
  };
}

function itemsOf({ items = [], responses }: SessionDocument, own: number): SubmittedItem[] {
  const listed = items.map((item): SubmittedItem => ({
    reference: item.reference,
    organisation: item.organisation_id ?? own,
    ...(item.time === undefined ? {} : { time: item.time }),
    ...(item.user_flagged === undefined ? {} : { flagged: item.user_flagged }),
  }));
  const known = new Set(listed.map((item) => item.reference));
  for (const { item_reference: named } of responses) {
    if (known.has(named)) continue;
    known.add(named);
    listed.push({ reference: named, organisation: own });
  }
  return listed;
}

function checkTimes(startedAt: number, completedAt: number | null): void {
  for (const [name, value] of [
    ['dt_started', startedAt],
    ['dt_completed', completedAt],
  ] as const)
    if (value !== null && (value < 0 || value > LAST))
      throw new Fault('value', `${name} must lie between the years 1970 and 9999.`, `/${name}`);
  if (completedAt !== null && completedAt < startedAt)
    throw new Fault('value', 'dt_completed lies before dt_started.', '/dt_completed');
}

/** The text of docs/session-document.schema.json. */
export function sessionDocumentSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Session document',
    ...plainSchema(SessionDocument),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
