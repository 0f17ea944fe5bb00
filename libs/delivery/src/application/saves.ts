import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import canonicalize from 'canonicalize';
import { Clock, Fault, type Json, type JsonObject, UnitOfWork } from '#kernel';
import { type Counter, Metrics } from '#platform';
import {
  type Form,
  ITEMS_API_VERSION,
  type LiveSave,
  LiveSessions,
  Refused,
  type Session,
  type SubmittedResponse,
} from '#sessions';
import { type Attempt } from '../domain/attempt';
import { answering, GRACE_MS, isOver, paused, running, timeView, type TimeView, workedMs } from '../domain/clock';
import { badToken, Stale } from '../domain/faults';
import { pointerTo } from '../domain/request';
import { entered, isSectionOver, remainingOf } from '../domain/sections';
import { scopeOf } from './attempts';
import { asStored, DeliveredContent, type ShownQuestion, type Taken } from './delivered-content';
import { AttemptStore } from './ports/attempt-store';
import { type Page } from './tokens';

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

export interface SaveAnswer {
  save_number: number;
  /** Revisions by response. */
  stored: Record<string, number>;
  time: TimeView;
}

export interface SubmitAnswer {
  status: 'Completed';
  submitted_at: string;
  /** The time was over before this save arrived; the previous answers were submitted. */
  time_over?: true;
}

/** Identifies a session and its user. */
type Owner = Pick<Page, 'organisation' | 'sessionId' | 'userId'>;

/** Another call changed the attempt meanwhile. */
export class Overtaken extends Error {}

const MAX_ATTEMPTS = 8;
/** The maximum number of characters in one answer. */
const MAX_RESPONSE_LENGTH = 200_000;

/** Stores saves and submissions of pages. A save is acknowledged only after its commit. */
@Injectable()
export class Saves {
  private readonly saves: Counter;

  constructor(
    private readonly store: AttemptStore,
    private readonly sessions: LiveSessions,
    private readonly delivered: DeliveredContent,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.saves = metrics.counter({
      name: 'itembank_delivery_saves_total',
      help: 'Saves of pages, by outcome: stored, repeated, stale, late, submitted.',
      labels: ['outcome'],
    });
  }

  /**
   * Saves the changed answers. A repeated save gets the same answer.
   * @throws Stale when another page has saved meanwhile, or the session or its time is over.
   */
  async save(page: Page, save: PageSave): Promise<SaveAnswer> {
    return this.again(page, (attempt) => this.saveOnce(page, attempt, save));
  }

  /** Saves the changed answers and completes the session, in one unit of work. A repeated call gets the same answer. */
  async submit(page: Page, save: PageSave): Promise<SubmitAnswer> {
    return this.again(page, (attempt) => this.submitOnce(page, attempt, save));
  }

  /** Stops the clock or restarts it. */
  async pause(page: Page, isPaused: boolean): Promise<{ time: TimeView }> {
    return this.again(page, async (attempt) => {
      const now = this.clock.now();
      if (attempt.submittedAt !== null) throw await this.stale(page, attempt, OVER);
      const next = isPaused ? paused(attempt, now) : running(attempt, now);
      await this.work.run(() => this.replace(page, { ...next, version: attempt.version + 1 }, attempt));
      return { time: timeOf(next, now) };
    });
  }

  /** Submits the saved answers of sessions whose hard limit is over; returns the number of sessions. */
  async submitOverdue(organisation: number, limit: number): Promise<number> {
    const now = this.clock.now();
    const overdue = await this.store.overdue(organisation, now - GRACE_MS, limit);
    const failed: unknown[] = [];
    for (const attempt of overdue)
      try {
        await this.submitLate({ ...attempt, organisation }, attempt, now);
      } catch (error) {
        if (!(error instanceof Overtaken)) failed.push(error);
      }
    // A failure does not stop the other submissions.
    if (failed.length > 0) throw failed[0];
    return overdue.length;
  }

  private async submitLate(owner: Owner, attempt: Attempt, now: number): Promise<void> {
    try {
      await this.complete(owner, attempt, undefined, now);
      this.saves.add(1, 'late');
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      // An operator has changed the status, so the session is not submitted.
      const ended = { ...attempt, submittedAt: now, version: attempt.version + 1 };
      await this.work.run(() => this.replace(owner, ended, attempt));
    }
  }

  /**
   * Adds items at the end of a session.
   * @param next the attempt with the items.
   * @param form with all items of the session.
   */
  async extend(page: Page, attempt: Attempt, next: Attempt, form: Form): Promise<Session> {
    const now = this.clock.now();
    await this.work.run(() => this.sessions.keep(page.organisation, form));
    return this.sessions.save(
      scopeOf(page.organisation, now),
      page.sessionId,
      (before) => this.handedIn(page, { ...next, version: attempt.version }, before, undefined, null, form),
      () => this.replace(page, next, attempt),
    );
  }

  /** Changes the attempt of a page. Retries if a concurrent call was first. */
  async again<T>(page: Page, act: (attempt: Attempt) => Promise<T>): Promise<T> {
    refuseUnstored(page);
    for (let count = 1; ; count++) {
      const attempt = count === 1 ? page.attempt : await this.store.find(page.organisation, page.sessionId);
      if (!attempt || attempt.userId !== page.userId)
        throw badToken('The session of this token is not there any more; its learner was erased.');
      try {
        return await act(attempt);
      } catch (error) {
        if (error instanceof Refused) throw new Fault('conflict', `The session was not saved: ${error.message}.`);
        if (!(error instanceof Overtaken)) throw error;
        if (count === MAX_ATTEMPTS)
          throw new Fault(
            'unavailable',
            'Too many saves of one session at once; send it again.',
            undefined,
            undefined,
            1,
          );
      }
    }
  }

  private async saveOnce(page: Page, attempt: Attempt, save: PageSave): Promise<SaveAnswer> {
    const now = this.clock.now();
    if (attempt.submittedAt !== null) throw await this.stale(page, attempt, OVER);
    if (isOver(attempt, now)) {
      await this.complete(page, attempt, undefined, now);
      const completed = await this.store.find(page.organisation, page.sessionId);
      this.saves.add(1, 'late');
      throw await this.stale(page, completed ?? attempt, TIME_OVER);
    }
    const hash = hashOf(save);
    if (save.saveNumber === attempt.saveNumber && hash === attempt.savedHash) {
      this.saves.add(1, 'repeated');
      const session = await this.sessions.find(page.organisation, page.sessionId);
      return {
        save_number: attempt.saveNumber,
        stored: revisionsOf(session, save),
        time: timeOf(attempt, now),
      };
    }
    await this.refuseStale(page, attempt, save);
    let next = this.after(attempt, save, hash, now);
    const session = await this.sessions.save(
      scopeOf(page.organisation, now),
      page.sessionId,
      async (before) => {
        const saved = await this.handedIn(page, attempt, before, save, null);
        next = inSections(next, saved.submission.responses, now);
        return saved;
      },
      () => this.replace(page, next, attempt),
    );
    this.saves.add(1, 'stored');
    return {
      save_number: next.saveNumber,
      stored: revisionsOf(session, save),
      time: timeOf(next, now),
    };
  }

  private async submitOnce(page: Page, attempt: Attempt, save: PageSave): Promise<SubmitAnswer> {
    const now = this.clock.now();
    if (attempt.submittedAt !== null) return submitted(attempt.submittedAt);
    if (isOver(attempt, now)) {
      const at = await this.complete(page, attempt, undefined, now);
      this.saves.add(1, 'late');
      return { ...submitted(at), time_over: true };
    }
    const isSaved = save.saveNumber === attempt.saveNumber && hashOf(save) === attempt.savedHash;
    if (!isSaved) await this.refuseStale(page, attempt, save);
    const at = await this.complete(page, attempt, isSaved ? undefined : save, now);
    this.saves.add(1, 'submitted');
    return submitted(at);
  }

  /** @param save absent: submits the stored answers. */
  private async complete(page: Owner, attempt: Attempt, save: PageSave | undefined, now: number): Promise<number> {
    const last = save ? this.after(attempt, save, hashOf(save), now) : { ...attempt, version: attempt.version + 1 };
    let at = now;
    await this.sessions.save(
      scopeOf(page.organisation, now),
      page.sessionId,
      (before) => this.handedIn(page, attempt, before, save, now),
      async (session) => {
        at = session.completedAt ?? now;
        await this.replace(page, { ...last, submittedAt: at }, attempt);
      },
    );
    return at;
  }

  /** Replaces attempt and session if neither has changed since they were read; otherwise the save runs again. */
  async replace({ organisation }: Owner, attempt: Attempt, before: Attempt): Promise<void> {
    if (!(await this.store.replace(organisation, attempt, before))) throw new Overtaken();
  }

  private async refuseStale(page: Page, attempt: Attempt, save: PageSave): Promise<void> {
    if (save.saveNumber > attempt.saveNumber) return;
    this.saves.add(1, 'stale');
    throw await this.stale(
      page,
      attempt,
      `Another page has saved this session as ${attempt.saveNumber} already, and this save is ${save.saveNumber}; ask the learner which one goes on, then save with a higher number.`,
    );
  }

  private after(attempt: Attempt, save: PageSave, hash: string, now: number): Attempt {
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

  /**
   * Converts the save for the sessions context.
   * @param completedAt null: the session continues.
   * @param form absent: unchanged.
   */
  private async handedIn(
    page: Owner,
    attempt: Attempt,
    before: Session | undefined,
    save: PageSave | undefined,
    completedAt: number | null,
    form?: Form,
  ): Promise<LiveSave> {
    if (before && before.userId !== page.userId)
      throw new Fault('no-rights', 'The session is of another user; use a new session_id for each user.');
    if (before && before.status !== 'Incomplete')
      throw await this.stale(
        page,
        attempt,
        `The session is already ${before.status} and accepts no further answers.`,
        before,
      );
    const present = await this.taken(page, attempt, before);
    const taken = form ? { ...present, form } : present;
    const questions = await this.delivered.questions(taken);
    const { plan } = attempt;
    return {
      form: taken.form,
      responseIds: questions.map(({ responseId }) => responseId),
      submission: {
        sessionId: page.sessionId,
        userId: page.userId,
        activityId: plan.activityId,
        activityTemplateId: plan.activityTemplateId,
        status: completedAt === null ? 'Incomplete' : 'Completed',
        startedAt: attempt.startedAt,
        completedAt,
        items: itemsOf(taken, attempt, save, this.clock.now()),
        responses: save ? await this.responsesOf(page, attempt, taken, questions, save) : [],
        subscores: plan.subscores,
        metadata: plan.metadata,
        tags: null,
        adaptive: null,
        customState: null,
      },
    };
  }

  private async responsesOf(
    page: Owner,
    attempt: Attempt,
    taken: Taken,
    questions: readonly ShownQuestion[],
    { responses }: PageSave,
  ): Promise<SubmittedResponse[]> {
    const byId = new Map(questions.map((shown) => [shown.responseId, shown]));
    const submitted: SubmittedResponse[] = [];
    for (const [responseId, given] of Object.entries(responses)) {
      const shown = byId.get(responseId);
      const at = pointerTo('responses', responseId);
      if (!shown)
        throw new Fault(
          'value',
          `${JSON.stringify(responseId.slice(0, 100))} is the id of no response of this session; send those of its items.`,
          at,
        );
      if (attempt.plan.adaptive && shown.item !== taken.form.items.at(-1))
        throw new Fault(
          'value',
          `The item ${JSON.stringify(shown.item.reference)} is over; an adaptive test takes answers to its present item.`,
          at,
        );
      if (isLate(attempt, shown, this.clock.now())) continue;
      const stored = taken.session?.responses[shown.at];
      const revision = given ? revisionIn(given, at) : undefined;
      if (stored && revision !== undefined && revision < stored.revision) {
        this.saves.add(1, 'stale');
        throw await this.stale(
          page,
          attempt,
          `Of the response ${JSON.stringify(responseId)} the revision ${stored.revision} is stored, and this is ${revision}; ask the learner which one goes on.`,
          taken.session,
        );
      }
      submitted.push({
        responseId,
        item: shown.item.reference,
        question: shown.question.reference,
        response: given && storedForm(given, shown, attempt.checks[responseId], at),
        revision: revision ?? (stored?.revision ?? 0) + 1,
      });
    }
    return submitted;
  }

  private async taken(page: Owner, { formId, plan, seed }: Attempt, session: Session | undefined): Promise<Taken> {
    const form = await this.delivered.form(page.organisation, formId, session);
    return { form, plan, seed, session };
  }

  /**
   * @param session as stored, if known.
   * @throws Overtaken when the attempt has changed since it was read. The caller then reads it again.
   */
  private async stale(page: Owner, attempt: Attempt, message: string, session?: Session): Promise<Stale> {
    const now = await this.store.find(page.organisation, page.sessionId);
    if (now?.version !== attempt.version) throw new Overtaken();
    const present = session ?? (await this.sessions.find(page.organisation, page.sessionId));
    const stored = present ? await this.delivered.responses(await this.taken(page, attempt, present)) : {};
    return new Stale(message, stored, attempt.saveNumber);
  }
}

const OVER = 'The session was already submitted and accepts no further answers.';
const TIME_OVER = 'The time was over before this came; what was saved by then was submitted.';

function refuseUnstored({ terms }: Page): void {
  if (terms.unstored)
    throw new Fault(
      'value',
      `Nothing is stored of a ${terms.type === 'local_practice' ? 'local_practice' : 'preview'}; only submit_practice is saved.`,
    );
  if (terms.state === 'review')
    throw new Fault('value', 'This page was signed for a review; a session is saved by the page that takes it.');
}

const submitted = (at: number): SubmitAnswer => ({ status: 'Completed', submitted_at: new Date(at).toISOString() });

/** The stored revisions of the responses in a save. */
function revisionsOf(session: Session | undefined, { responses }: PageSave): Record<string, number> {
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

/** The attempt after a save, in which the learner enters the sections of the current item and of these answers. */
function inSections(attempt: Attempt, responses: readonly SubmittedResponse[], now: number): Attempt {
  const { plan, currentItem } = attempt;
  if (!plan.sections) return attempt;
  const ids = [...(currentItem === null ? [] : [currentItem]), ...responses.map(({ item }) => idOf(plan, item))];
  const sections = entered(plan.sections, ids, workedMs(attempt, now));
  return sections === plan.sections ? attempt : { ...attempt, plan: { ...plan, sections } };
}

const idOf = ({ items }: Attempt['plan'], reference: string): string =>
  items.find((item) => item.reference === reference)?.id ?? reference;

function timeOf(attempt: Attempt, now: number): TimeView {
  const { sections } = attempt.plan;
  return {
    ...timeView(attempt, now),
    ...(sections ? { sections: remainingOf(sections, workedMs(attempt, now)) } : {}),
  };
}

/** The hash of a save, independent of the order of members. */
const hashOf = (save: PageSave): string =>
  createHash('sha256')
    .update(canonicalize(save) ?? '')
    .digest('hex');

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
