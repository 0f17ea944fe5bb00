import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access, type SignedCall } from '#access';
import { PinnedContent } from '#content';
import { Clock, Fault, type JsonObject, UnitOfWork } from '#kernel';
import { type Counter, Metrics } from '#platform';
import { ITEMS_API_VERSION, LiveSessions, type Session } from '#sessions';
import { adaptiveIn } from '../domain/adaptive';
import { type Attempt, type Permission, type Plan } from '../domain/attempt';
import { clockFrom, running } from '../domain/clock';
import { activityView } from '../domain/activity-view';
import { framesIn, identityIn, itemsIn, merged, metadataIn, sectionsIn, timeIn } from '../domain/request';
import { timeOf } from '../domain/attempt-time';
import { shownTotal } from '../domain/review';
import { resumed } from '../domain/sections';
import { beginOf, startTimeIn } from '../domain/start-time';
import { Compositions, refuseUnreadable, type Wanted } from './compositions';
import { DeliveredContent, type Taken } from './delivered-content';
import { AttemptStore } from './ports/attempt-store';
import { refuseEarly, refuseEnded, refuseMissed, refuseOthers, refuseUnstoredAdaptive } from './refused-starts';
import { Reviews } from './reviews';
import {
  permissionOf,
  planOf,
  sameItems,
  sessionView,
  type Shown,
  type SignedPage,
  type Started,
  testletView,
} from './started';
import { scopeOf, tooMany, Tokens } from './tokens';

/** Starts that one address may make within 5 s. A whole school may share an address. */
const MAX_ADDRESS_STARTS = 500;

/** Thrown when another call began or changed the same attempt meanwhile. */
class Overtaken extends Error {}

const MAX_ATTEMPTS = 8;

/** Starts and resumes sessions in pages. */
@Injectable()
export class Attempts {
  private readonly starts: Counter;

  constructor(
    private readonly access: Access,
    private readonly tokens: Tokens,
    private readonly store: AttemptStore,
    private readonly sessions: LiveSessions,
    private readonly content: PinnedContent,
    private readonly compositions: Compositions,
    private readonly delivered: DeliveredContent,
    private readonly reviews: Reviews,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.starts = metrics.counter({
      name: 'itembank_delivery_starts_total',
      help: 'Sessions that started or resumed in a page, by the requested state: initial, resume, review, preview, local.',
      labels: ['state'],
    });
  }

  /**
   * Checks the signature and the limits, before the rest of the request is read.
   * @param address from which the request came.
   * @throws Fault 41000–41009, 42000.
   */
  async authenticate(
    call: SignedCall,
    origin: string | undefined,
    address: string,
    claimed: (key: string) => void,
  ): Promise<SignedPage> {
    const { allowed, resetMs } = await this.access.takeOf(`delivery start ${address}`, MAX_ADDRESS_STARTS);
    if (!allowed) throw tooMany(`one address may start ${MAX_ADDRESS_STARTS} sessions`, resetMs);
    return this.access.authenticatePage(call, origin, claimed);
  }

  /**
   * Begins or resumes a session. Writes nothing to the table `session` before the first save.
   * @throws Fault for whatever is wrong with the request: 20013 for items that are unknown or not published, by name;
   *   40003 for a session of another user; 20011 for one that is over.
   */
  async start(page: SignedPage, request: JsonObject, userAgent: string | undefined): Promise<Started> {
    const wanted = await this.wanted(page, request);
    const { home, sessionId } = wanted;
    if (wanted.type === 'local_practice' || wanted.state === 'preview') return this.unstored(page, request, wanted);
    for (let attempt = 1; ; attempt++)
      try {
        const { attempt: before, isStored } = await this.store.before(home, sessionId);
        const session = isStored ? await this.sessions.find(home, sessionId) : undefined;
        refuseOthers(wanted, session, before);
        return wanted.state === 'review'
          ? await this.review(page, request, wanted, session, before)
          : await this.goOn(page, request, wanted, session, before, userAgent);
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        if (attempt === MAX_ATTEMPTS)
          throw new Fault(
            'unavailable',
            'Too many starts of one session at once; send it again.',
            undefined,
            undefined,
            1,
          );
      }
  }

  private async wanted({ consumer, security }: SignedPage, request: JsonObject): Promise<Wanted> {
    const identity = identityIn(request, security.userId);
    const hasPrimary = consumer.grants.some(({ primary }) => primary);
    const home = this.access.organisationFor(
      consumer,
      hasPrimary ? undefined : identity.organisation,
      'primary-or-write',
    );
    const bank = this.access.organisationFor(consumer, identity.organisation ?? home, 'read');
    const activity =
      identity.template === null
        ? undefined
        : await this.content.activity(await this.compositions.shelf(bank, identity), identity.template);
    if (identity.template !== null && !activity)
      throw new Fault(
        'reference-unknown',
        `activity_template_id: there is no activity ${JSON.stringify(identity.template)} in organisation ${bank}.`,
        '/activity_template_id',
      );
    const whole = merged(request, activity ? (JSON.parse(activity.body) as { data: JsonObject }).data : {});
    const adaptive = identity.state === 'review' ? undefined : adaptiveIn(whole);
    if (adaptive) refuseUnstoredAdaptive(identity, whole);
    const own = typeof request.activity_id === 'string' ? request.activity_id : undefined;
    const activityId = own ?? identity.template ?? '';
    // Reviews and resumed sessions use their own content.
    const items = identity.state === 'review' ? [] : itemsIn(whole, adaptive);
    const readable = new Set(consumer.grants.map(({ organisation }) => organisation));
    const frames = identity.state === 'review' ? [] : framesIn(whole);
    const named = [...items, ...frames.map(({ item }) => item)];
    refuseUnreadable(named, { organisation: bank, readable });
    return { ...identity, organisation: bank, home, whole, items, readable, activityId, adaptive, frames };
  }

  private async goOn(
    page: SignedPage,
    request: JsonObject,
    wanted: Wanted,
    session: Session | undefined,
    before: Attempt | undefined,
    userAgent: string | undefined,
  ): Promise<Started> {
    const { home, sessionId, userId, whole } = wanted;
    const now = this.clock.now();
    refuseEnded(session, before);
    const startsAt = startTimeIn(whole)?.at;
    refuseEarly(startsAt, now);
    const seed = before?.seed ?? randomBytes(32).toString('hex');
    const {
      form: asked,
      plan,
      candidates,
    } = before?.plan.adaptive
      ? { form: await this.delivered.form(home, before.formId, session), plan: before.plan }
      : await this.compositions.begun(wanted, seed);
    const { maxTime, isHard } = timeIn(whole);
    const openedAt = before?.startedAt ?? session?.startedAt ?? now;
    const clock = startsAt === undefined && before ? running(before, now) : clockFrom(beginOf(startsAt, openedAt));
    if (!before && !session) refuseMissed(startsAt, { ...clock, maxTime, isHard }, now);
    plan.metadata = {
      ...metadataIn(whole),
      activity_template_id: wanted.template,
      items_api_version: ITEMS_API_VERSION,
      max_time: maxTime,
      user_agent: userAgent?.slice(0, 500) ?? null,
    };
    // An adaptive test ignores sections.
    const sections = wanted.adaptive ? undefined : sectionsIn(whole, wanted.items);
    if (sections) plan.sections = resumed(sections, before?.plan.sections);
    if (before?.plan.extension) plan.extension = before.plan.extension;
    const storedForm = session?.formId;
    const isOther =
      storedForm !== undefined &&
      storedForm !== asked.id &&
      !(before && before.formId === storedForm && sameItems(before.plan, plan));
    const form = storedForm === undefined ? asked : await this.delivered.form(home, storedForm, session);
    // A stored session keeps its items, and the features that they had.
    const kept =
      storedForm === undefined
        ? plan
        : { ...plan, items: planOf(form, before?.plan ?? plan), adaptive: before?.plan.adaptive };
    const attempt: Attempt = {
      sessionId,
      userId,
      saveNumber: 0,
      savedHash: null,
      currentItem: null,
      elapsed: 0,
      checks: {},
      submittedAt: null,
      seed,
      ...before,
      ...clock,
      formId: form.id,
      plan: kept,
      maxTime: maxTime === null ? null : maxTime + (kept.extension ?? 0),
      isHard,
      version: (before?.version ?? 0) + 1,
    };
    const permission = permissionOf(page, wanted, session || before?.saveNumber ? 'resume' : wanted.state);
    const scope = scopeOf(home, now);
    let isAgain = false;
    const token = await this.work.run(async () => {
      if (session && (await this.sessions.lock(home, sessionId)) !== session.updatedAt) throw new Overtaken();
      await this.sessions.keep(home, form);
      if (candidates) await this.sessions.keep(home, candidates);
      if (!before) {
        // Runs the unit of work again if a concurrent start was first.
        if (isAgain && (await this.store.find(home, sessionId))) throw new Overtaken();
        isAgain = true;
        await this.store.add(home, attempt);
      } else if (!(await this.store.replace(home, attempt, before))) throw new Overtaken();
      if (session) await this.sessions.resumed(session, { otherItems: isOther }, scope);
      return this.tokens.give(home, permission);
    });
    const taken: Taken = { form, plan: kept, seed: attempt.seed, session };
    return this.started(request, wanted, permission, token, taken, attempt, now);
  }

  private async review(
    page: SignedPage,
    request: JsonObject,
    wanted: Wanted,
    session: Session | undefined,
    before: Attempt | undefined,
  ): Promise<Started> {
    const { home, sessionId } = wanted;
    if (!session)
      throw new Fault(
        'session-unknown',
        `session_id: there is no session ${JSON.stringify(sessionId)}.`,
        '/session_id',
      );
    if (session.status !== 'Completed')
      throw new Fault(
        'conflict',
        `The session ${JSON.stringify(sessionId)} is ${session.status}; it can be reviewed once it is completed.`,
        '/session_id',
      );
    const form = await this.delivered.form(home, session.formId, session);
    const items = planOf(form, before?.plan ?? (await this.compositions.presentPlan(form)));
    const plan: Plan = {
      activityId: session.activityId,
      activityTemplateId: session.activityTemplateId,
      subscores: [],
      metadata: {},
      items,
    };
    const seed = before?.seed ?? randomBytes(32).toString('hex');
    const permission = permissionOf(page, wanted, 'review');
    const token = await this.work.run(() => this.tokens.give(home, permission));
    const taken: Taken = { form, plan, seed, session };
    const clock = before ?? { startedAt: session.startedAt, maxTime: null, isHard: false, pausedAt: null, pausedMs: 0 };
    const now = this.clock.now();
    const started = await this.started(request, wanted, permission, token, taken, { ...clock, ...before }, now);
    return { ...started, reviews: await this.reviews.of(taken, permission.terms), total: shownTotal(session.totals) };
  }

  private async unstored(page: SignedPage, request: JsonObject, wanted: Wanted): Promise<Started> {
    const { home, whole } = wanted;
    const now = this.clock.now();
    if (wanted.state === 'review')
      throw new Fault(
        'value',
        'state: nothing is stored of a local_practice, so it cannot be reviewed later.',
        '/state',
      );
    const startsAt = wanted.state === 'preview' ? undefined : startTimeIn(whole)?.at;
    refuseEarly(startsAt, now);
    const clock = { ...clockFrom(beginOf(startsAt, now)), ...timeIn(whole) };
    refuseMissed(startsAt, clock, now);
    const seed = randomBytes(32).toString('hex');
    const { form, plan } = await this.compositions.begun(wanted, seed);
    const permission = permissionOf(page, wanted, wanted.state);
    permission.terms.unstored = { formId: form.id, plan, seed };
    const token = await this.work.run(async () => {
      await this.sessions.keep(home, form);
      return this.tokens.give(home, permission);
    });
    const taken: Taken = { form, plan, seed, session: undefined };
    return this.started(request, wanted, permission, token, taken, clock, now);
  }

  private async started(
    request: JsonObject,
    wanted: Wanted,
    permission: Permission,
    token: string,
    taken: Taken,
    attempt: Shown,
    now: number,
  ): Promise<Started> {
    const { endsAt, terms } = permission;
    const { adaptive } = taken.plan;
    this.starts.add(1, terms.type === 'local_practice' ? 'local' : terms.state);
    return {
      token,
      expires_at: new Date(endsAt).toISOString(),
      session: sessionView(permission, wanted, taken, attempt),
      // Pages do not get the candidates of an adaptive test.
      activity: activityView(
        adaptive ? { ...wanted.whole, items: [], sections: [] } : wanted.whole,
        request,
        terms.state,
        wanted.activityId,
      ),
      items: await this.delivered.items(taken, terms, terms.state === 'review'),
      responses: terms.state === 'preview' ? {} : await this.delivered.responses(taken),
      time: timeOf({ ...attempt, plan: taken.plan }, now),
      ...(terms.supervisor ? { supervised: true as const } : {}),
      ...(adaptive ? { adaptive: true as const } : {}),
      ...(adaptive?.testlets ? { testlet: testletView(adaptive.testlets) } : {}),
      ...(await this.compositions.frames(wanted, taken.seed, terms)),
    };
  }
}
