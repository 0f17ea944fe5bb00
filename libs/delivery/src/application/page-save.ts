import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Fault, type Json, type JsonObject } from '#kernel';
import { ITEMS_API_VERSION, type LiveSave, type Session, type SubmittedResponse } from '#sessions';
import { type Attempt, openFrom } from '../domain/attempt';
import { answering, workedMs } from '../domain/clock';
import { pointerTo } from '../domain/request';
import { entered, isSectionOver } from '../domain/sections';
import { refuseSurplus } from '../domain/surplus';
import { asStored, type ShownQuestion, type Taken } from './delivered-content';

/* Converts saves of pages to attempts and submissions. */

/** A save as pages send it. */
export interface PageSave {
  /** Rises with each save of the session. */
  saveNumber: number;
  /** The changed responses, by id; null for one that was emptied. */
  responses: Record<string, JsonObject | null>;
  items: readonly { id: string; time?: number; flagged?: boolean }[];
  currentItem?: string | null;
  /** Seconds. */
  elapsed?: number;
}

/** How a session ends. */
export type Ending = 'Completed' | 'Discarded';

/** A newer revision of a response is stored than the save has. */
export class Outdated extends Error {}

/** The maximum number of characters in one answer. */
const MAX_RESPONSE_LENGTH = 200_000;

/** The hash of a save, independent of the order of members. */
export const hashOf = (save: PageSave): string =>
  createHash('sha256')
    .update(canonicalize(save) ?? '')
    .digest('hex');

/** The attempt after a save. */
export function attemptAfter(attempt: Attempt, save: PageSave, hash: string, now: number): Attempt {
  const hasAnswers = Object.keys(save.responses).length > 0;
  return {
    ...(hasAnswers ? answering(attempt, now) : attempt),
    saveNumber: save.saveNumber,
    savedHash: hash,
    currentItem: save.currentItem ?? attempt.currentItem,
    elapsed: Math.min(save.elapsed ?? attempt.elapsed, secondsSince(attempt, now)),
    version: attempt.version + 1,
  };
}

/** The attempt after a save, in which the learner enters the sections of the current item and of these answers. */
export function inSections(attempt: Attempt, responses: readonly SubmittedResponse[], now: number): Attempt {
  const { plan, currentItem } = attempt;
  if (!plan.sections) return attempt;
  const ids = [...(currentItem === null ? [] : [currentItem]), ...responses.map(({ item }) => idOf(plan, item))];
  const sections = entered(plan.sections, ids, workedMs(attempt, now));
  return sections === plan.sections ? attempt : { ...attempt, plan: { ...plan, sections } };
}

/**
 * The submission of a save.
 * @param save absent: the stored answers stay.
 * @param ending absent: the session continues.
 * @throws Outdated
 */
export function submissionOf(
  attempt: Attempt,
  taken: Taken,
  questions: readonly ShownQuestion[],
  save: PageSave | undefined,
  { ending, now }: { ending?: Ending | undefined; now: number },
): LiveSave['submission'] {
  const { plan, sessionId, userId, startedAt } = attempt;
  return {
    sessionId,
    userId,
    activityId: plan.activityId,
    activityTemplateId: plan.activityTemplateId,
    status: ending ?? 'Incomplete',
    startedAt,
    completedAt: ending === 'Completed' ? now : null,
    items: itemsOf(taken, attempt, save, now),
    responses: save ? responsesOf(attempt, taken, questions, save, now) : [],
    subscores: plan.subscores,
    metadata: plan.metadata,
    tags: null,
    adaptive: null,
    customState: null,
  };
}

function responsesOf(
  attempt: Attempt,
  { form, session }: Taken,
  questions: readonly ShownQuestion[],
  { responses }: PageSave,
  now: number,
): SubmittedResponse[] {
  const byId = new Map(questions.map((shown) => [shown.responseId, shown]));
  const submitted: SubmittedResponse[] = [];
  const firstOpen = openFrom(attempt.plan);
  for (const [responseId, given] of Object.entries(responses)) {
    const shown = byId.get(responseId);
    const at = pointerTo('responses', responseId);
    if (!shown)
      throw new Fault(
        'value',
        `${JSON.stringify(responseId.slice(0, 100))} is the id of no response of this session; send those of its items.`,
        at,
      );
    if (firstOpen > 0 && form.items.indexOf(shown.item) < firstOpen)
      throw new Fault(
        'value',
        `The item ${JSON.stringify(shown.item.reference)} is over; an adaptive test takes answers to its present items.`,
        at,
      );
    if (isLate(attempt, shown, now)) continue;
    const stored = session?.responses[shown.at];
    const revision = given ? revisionIn(given, at) : undefined;
    if (stored && revision !== undefined && revision < stored.revision)
      throw new Outdated(
        `The revision ${stored.revision} of the response ${JSON.stringify(responseId)} is stored, and this is revision ${revision}; ask the learner which page goes on.`,
      );
    const response = given && storedForm(given, shown, attempt.checks[responseId], at);
    if (response) refuseSurplus(response.value!, shown.definition, at, stored?.response?.value);
    submitted.push({
      responseId,
      item: shown.item.reference,
      question: shown.question.reference,
      response,
      revision: revision ?? (stored?.revision ?? 0) + 1,
    });
  }
  return submitted;
}

/** The stored revisions of the responses in a save. */
export function revisionsOf(session: Session | undefined, { responses }: PageSave): Record<string, number> {
  const stored: Record<string, number> = {};
  for (const { responseId, revision } of session?.responses ?? [])
    if (Object.hasOwn(responses, responseId)) stored[responseId] = revision;
  return stored;
}

/** Whether the time of a response's section is over. Its answer then stays as stored; the other answers are saved. */
function isLate({ plan, ...clock }: Attempt, { item }: ShownQuestion, now: number): boolean {
  if (!plan.sections) return false;
  return isSectionOver(plan.sections, idOf(plan, item.reference), workedMs(clock, now));
}

const idOf = ({ items }: Attempt['plan'], reference: string): string =>
  items.find((item) => item.reference === reference)?.id ?? reference;

function revisionIn({ revision }: JsonObject, at: string): number | undefined {
  if (revision === undefined || revision === null) return undefined;
  if (typeof revision === 'number' && Number.isInteger(revision) && revision >= 0 && revision < 2 ** 31)
    return revision;
  throw new Fault('type', 'The revision of a response must be a whole number from 0.', `${at}/revision`);
}

/** Converts a response to the stored form of other sessions. */
function storedForm(given: JsonObject, shown: ShownQuestion, checks: number | undefined, at: string): JsonObject {
  if (JSON.stringify(given).length > MAX_RESPONSE_LENGTH)
    throw new Fault('length', `A response may have ${MAX_RESPONSE_LENGTH} characters of JSON; this one has more.`, at);
  const { revision: _, ...response } = asStored(given, shown.presentation);
  const value: Json = response.value ?? null;
  return {
    ...response,
    value,
    type: typeof response.type === 'string' ? response.type : typeOf(value),
    apiVersion: ITEMS_API_VERSION,
    ...(checks ? { feedbackAttemptsCount: checks } : {}),
  };
}

const typeOf = (value: Json): string =>
  Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'object';

/** Times come from the page, and are limited to the length of the session. */
function itemsOf({ form }: Taken, attempt: Attempt, save: PageSave | undefined, now: number) {
  const limit = secondsSince(attempt, now);
  const ids = new Map(attempt.plan.items.map(({ id, reference }) => [reference, id]));
  const sent = new Map(save?.items.map((item) => [item.id, item]));
  return form.items.map(({ reference, organisation }) => {
    const { time, flagged } = sent.get(ids.get(reference) ?? reference) ?? {};
    return {
      reference,
      organisation,
      ...(time === undefined ? {} : { time: Math.min(time, limit) }),
      ...(flagged === undefined ? {} : { flagged }),
    };
  });
}

const secondsSince = ({ startedAt }: Attempt, now: number): number => Math.max(0, Math.ceil((now - startedAt) / 1000));
