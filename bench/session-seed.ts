import { type INestApplicationContext } from '@nestjs/common';
import { Consumers } from '#access';
import { Items, Widgets } from '#content';
import { Jobs } from '#jobs';
import { type Scope } from '#kernel';
import { type Database } from '#platform';
import { type Submission, Submissions } from '#sessions';
import { setTimeout as delay } from 'node:timers/promises';
import { note } from './databases';
import { ORGANISATION } from './seed';

export const ITEMS = 5;
/** The items of a test in a page; each has one question. */
export const PAGE_ITEMS = 20;
const QUESTIONS = 20;
/** The number of activities among which the sessions are spread. */
export const ACTIVITIES = 20;
const USERS = 50_000;
const BATCH_SIZE = 50;

export const itemReference = (index: number): string => `session-item-${index}`;
export const questionReference = (index: number): string => `session-question-${index}`;
export const activityId = (index: number): string => `activity-${index}`;

const scope = (): Scope => ({
  shelf: { organisation: ORGANISATION },
  operation: 'set bench',
  now: Date.now(),
  readable: new Set([ORGANISATION]),
});

/** Creates twenty single-choice questions, in items of equal size. */
export async function seedContent(app: INestApplicationContext, items = ITEMS): Promise<void> {
  const questionsPerItem = QUESTIONS / items;
  const get = <T>(type: abstract new (...services: never[]) => T): T => app.get<T>(type, { strict: false });
  const consumers = get(Consumers);
  const isThere = (await consumers.organisations()).some(({ id }) => id === ORGANISATION);
  if (!isThere) await consumers.addOrganisation({ id: ORGANISATION, name: 'Bench' });
  const options = ['0', '1', '2', '3'].map((value) => ({ label: `Choice ${value}`, value }));
  await get(Widgets).set(
    'question',
    Array.from({ length: QUESTIONS }, (_, index) => ({
      reference: questionReference(index),
      type: 'mcq',
      data: {
        stimulus: `Which one is right? (${index})`,
        options,
        validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [String(index % 4)] } },
      },
    })),
    scope(),
  );
  await get(Items).set(
    Array.from({ length: items }, (_, index) => ({
      reference: itemReference(index),
      status: 'published' as const,
      definition: {
        widgets: Array.from({ length: questionsPerItem }, (_, place) => ({
          reference: questionReference(index * questionsPerItem + place),
        })),
      },
    })),
    scope(),
  );
}

/** A complete session with the twenty questions. @param number distinguishes sessions. */
export function submissionOf(number: number): Submission {
  const startedAt = Date.UTC(2026, 0, 1) + number * 1000;
  return {
    sessionId: `bench-${String(number).padStart(30, '0')}`,
    userId: `user-${number % USERS}`,
    activityId: activityId(number % ACTIVITIES),
    activityTemplateId: null,
    status: 'Completed',
    startedAt,
    completedAt: startedAt + 600_000,
    items: Array.from({ length: ITEMS }, (_, index) => ({
      reference: itemReference(index),
      organisation: ORGANISATION,
      time: 60 + index,
      flagged: false,
    })),
    responses: Array.from({ length: QUESTIONS }, (_, index) => ({
      responseId: `response-${index}`,
      item: itemReference(Math.floor((index * ITEMS) / QUESTIONS)),
      question: questionReference(index),
      response: {
        value: [String((index + (number % 7 < 4 ? 0 : number)) % 4)],
        type: 'array',
        apiVersion: 'v2.108.0',
        revision: 1,
      },
      revision: 1,
    })),
    subscores: null,
    metadata: { user_agent: 'bench', items_api_version: 'v1.108.0' },
    tags: null,
    adaptive: null,
    customState: null,
  };
}

/** Submits the sessions, 50 at a time, and returns the references of the jobs. */
export async function submitSessions(app: INestApplicationContext, sessions: number): Promise<string[]> {
  const submissions = app.get(Submissions, { strict: false });
  const jobs: string[] = [];
  for (let at = 0; at < sessions; at += BATCH_SIZE) {
    const some = Array.from({ length: Math.min(BATCH_SIZE, sessions - at) }, (_, index) => submissionOf(at + index));
    jobs.push(await submissions.start({ submissions: some, ignoreRevisions: false }, scope()));
  }
  return jobs;
}

export async function untilDone(app: INestApplicationContext, jobs: readonly string[]): Promise<void> {
  const service = app.get(Jobs, { strict: false });
  for (let left = [...jobs]; left.length > 0;) {
    const references = left.slice(0, BATCH_SIZE);
    const { entries } = await service.find([ORGANISATION], { references, limit: BATCH_SIZE });
    const halted = entries.find(({ status }) => status === 'halted');
    if (halted) throw new Error(`A job was halted: ${halted.error?.message}`);
    const done = new Set(entries.filter(({ status }) => status === 'completed').map(({ id }) => id));
    left = left.filter((id) => !done.has(id));
    if (done.size === 0) await delay(20);
  }
}

/** Copies existing sessions on the server until it holds `sessions` of them. */
export async function multiply(database: Database, base: number, sessions: number): Promise<void> {
  const began = performance.now();
  const work = 'responses, marks, items, subscores, metadata, session_tags, adaptive, custom_state';
  const id = (alias: string, copy: number) => `CONCAT('00', LPAD(${copy}, 8, '0'), SUBSTR(${alias}.id, 11))`;
  const further = await database.rows<{ name: string }>(
    `SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'session'
       AND COLUMN_NAME NOT IN ('organisation_id', 'id', 'session_id', 'updated_at')`,
  );
  const narrow = further.map(({ name }) => name).join(', ');
  for (let copy = 1; copy * base < sessions; copy++) {
    await database.write(
      `INSERT INTO session (organisation_id, id, session_id, updated_at, ${narrow})
       SELECT organisation_id, ${id('s', copy)}, CONCAT('copy-', ${copy}, '-', SUBSTR(session_id, 20)),
         updated_at - 3600000 - (${copy} * 1000), ${narrow}
       FROM session s WHERE organisation_id = ? AND id >= '01'`,
      [ORGANISATION],
    );
    await database.write(
      `INSERT INTO session_work (organisation_id, id, ${work})
       SELECT organisation_id, ${id('w', copy)}, ${work}
       FROM session_work w WHERE organisation_id = ? AND id >= '01'`,
      [ORGANISATION],
    );
    if ((copy * base) % 100_000 === 0)
      note(`${copy * base} sessions in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
}
