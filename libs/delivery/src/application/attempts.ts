import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access, type Consumer, type SecurityFields, type SignedCall } from '#access';
import { Items, PinnedContent, type PinnedItem } from '#content';
import { Clock, Fault, type FaultDetail, type JsonObject, place, type Scope, type Shelf, UnitOfWork } from '#kernel';
import { type Counter, Metrics } from '#platform';
import { Pools } from '#pools';
import {
  type Form,
  formOf,
  Forms,
  itemKey,
  ITEMS_API_VERSION,
  LiveSessions,
  type Session,
  settingsOf,
  subscoresOf,
} from '#sessions';
import { itemScoringType, type ItemScoringType, ITEM_SCORING_TYPES } from '#scoring';
import { adaptiveIn, type AdaptiveRules, nextItem } from '../domain/adaptive';
import { type Attempt, type Permission, type Plan, type PlannedFeature } from '../domain/attempt';
import { running, timeView, type TimeView } from '../domain/clock';
import {
  activityView,
  type Identity,
  identityIn,
  itemsIn,
  merged,
  metadataIn,
  termsIn,
  timeIn,
  type WantedItem,
} from '../domain/request';
import { type Review } from '../domain/review';
import { DeliveredContent, type Taken } from './delivered-content';
import { AttemptStore } from './ports/attempt-store';
import { Reviews } from './reviews';
import { tooMany, Tokens } from './tokens';

/** Starts that may come from one address within 5 s: a school may be behind one. */
const MAX_ADDRESS_STARTS = 500;

/** A page whose signature was found to be right. */
export interface SignedPage {
  consumer: Consumer;
  security: SecurityFields;
  endsAt: number;
}

/** What a page gets to begin with. */
export interface Started {
  token: string;
  expires_at: string;
  session: JsonObject;
  activity: JsonObject;
  items: JsonObject[];
  responses: JsonObject;
  time: TimeView;
  reviews?: Record<string, Review>;
  /** The service chooses the next item; `items` are those so far. */
  adaptive?: true;
}

/** What a request asks for, with the content that it names. */
interface Wanted extends Identity {
  home: number;
  whole: JsonObject;
  items: WantedItem[];
  activityId: string;
  /** Present where the service is to choose among the items. */
  adaptive?: AdaptiveRules;
}

/** What a session begins with. */
interface Composed {
  form: Form;
  plan: Plan;
  /** Of an adaptive test: the form of all items that may be chosen. */
  candidates?: Form;
}

/** Somebody else began or changed the same attempt meanwhile. */
class Overtaken extends Error {}

const MAX_ATTEMPTS = 5;
/** Items among which an adaptive test may choose. */
const MAX_CANDIDATES = 1_000;

/** Sessions that begin, or go on, in a page. */
@Injectable()
export class Attempts {
  private readonly starts: Counter;

  constructor(
    private readonly access: Access,
    private readonly tokens: Tokens,
    private readonly store: AttemptStore,
    private readonly sessions: LiveSessions,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly bankItems: Items,
    private readonly pools: Pools,
    private readonly delivered: DeliveredContent,
    private readonly reviews: Reviews,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.starts = metrics.counter({
      name: 'itembank_delivery_starts_total',
      help: 'Sessions that began or went on in a page, by what it was to be: initial, resume, review, preview, local.',
      labels: ['state'],
    });
  }

  /**
   * Looks at who asks: before anything else of the request is read.
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
   * Begins a session, or goes on with it. Nothing of it is stored in `session` before its first save.
   * @throws Fault for whatever is wrong with the request: 20013 for items that are unknown or not published, by name; 40003
   *   for a session of another user; 20011 for one that is over.
   */
  async start(page: SignedPage, request: JsonObject, userAgent: string | undefined): Promise<Started> {
    const wanted = await this.wanted(page, request);
    const { home, sessionId } = wanted;
    if (wanted.type === 'local_practice' || wanted.state === 'preview') return this.unstored(page, request, wanted);
    for (let attempt = 1; ; attempt++)
      try {
        const [session, before] = await Promise.all([
          this.sessions.find(home, sessionId),
          this.store.find(home, sessionId),
        ]);
        refuseOthers(wanted, session, before);
        return wanted.state === 'review'
          ? await this.review(page, request, wanted, session, before)
          : await this.goOn(page, request, wanted, session, before, userAgent);
      } catch (error) {
        if (!(error instanceof Overtaken) || attempt === MAX_ATTEMPTS) throw error;
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
        : await this.content.activity(await this.shelf(bank, identity), identity.template);
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
    if (activityId.length > 255)
      throw new Fault('length', 'activity_id must have at most 255 characters.', '/activity_id');
    // The content of a review, and of a session that goes on, is what it was taken with.
    const items = identity.state === 'review' ? [] : itemsIn(whole, adaptive);
    const readable = new Set(consumer.grants.map(({ organisation }) => organisation));
    const foreign = items.filter(({ organisation = bank }) => !readable.has(organisation));
    throwAny(
      foreign.map(({ organisation, at }) => ({
        kind: 'no-rights',
        at,
        message: `${place(at)} is of organisation ${organisation}, which consumer ${consumer.key} may not read.`,
      })),
    );
    return { ...identity, organisation: bank, home, whole, items, activityId, adaptive };
  }

  private async shelf(organisation: number, { pool }: Identity) {
    return pool === undefined ? { organisation } : { organisation, pool: await this.pools.shelf(organisation, pool) };
  }

  /** What a session begins with: of an adaptive test, the first of its candidates. @throws Fault 20013 */
  private async begun(wanted: Wanted, seed: string): Promise<Composed> {
    const { adaptive: rules } = wanted;
    if (!rules) return this.composed(wanted, wanted.items);
    const { form: candidates, plan } = await this.composed(wanted, await this.candidates(wanted, rules));
    const first = nextItem({ rules, step: null }, candidates.items, [], seed);
    if (!first)
      throw new Fault(
        'item-unknown',
        'adaptive: no item fits; publish items that have the required tags and a difficulty of at least min_item_difficulty.',
        '/adaptive',
      );
    const at = candidates.items.findIndex(({ reference }) => reference === first.reference);
    const form = formOf([candidates.items[at]!], candidates.settings);
    const adaptive = { rules, candidates: candidates.id, step: first.step };
    return { form, plan: { ...plan, items: [{ ...plan.items[at]!, id: first.reference }], adaptive }, candidates };
  }

  /** The items among which an adaptive test chooses: those that are listed, or all that are published, with its tags. */
  private async candidates(wanted: Wanted, rules: AdaptiveRules): Promise<WantedItem[]> {
    if (rules.type === 'itembranching' || (wanted.items.length > 0 && rules.tags.length === 0)) return wanted.items;
    const bank = wanted.organisation!;
    const listed = wanted.items.filter(({ organisation = bank }) => organisation === bank);
    const { entries } = await this.bankItems.find(await this.shelf(bank, wanted), {
      ...(wanted.items.length > 0 ? { references: listed.map(({ reference }) => reference) } : {}),
      status: ['published'],
      tags: { all: rules.tags, either: [], none: [] },
      sort: { field: 'created', ascending: true },
      limit: MAX_CANDIDATES + 1,
    });
    if (entries.length > MAX_CANDIDATES)
      throw new Fault(
        'too-many',
        `adaptive: more than ${MAX_CANDIDATES} items may be chosen; narrow them with required_tags or items.`,
        '/adaptive/required_tags',
      );
    return entries.map(({ reference }) => ({ id: reference, reference, organisation: bank, at: '/adaptive' }));
  }

  /** The form of items as they are now, and what goes out beside it. @throws Fault 20013 */
  private async composed(wanted: Wanted, items: readonly WantedItem[]): Promise<{ form: Form; plan: Plan }> {
    const { whole, activityId, template, organisation } = wanted;
    const bank = organisation!;
    const shelf = await this.shelf(bank, wanted);
    const named = items.map((item) => ({ ...item, organisation: item.organisation ?? bank }));
    const pinned = await this.forms.pinned(bank, named, shelf.pool);
    const published = new Set<string>();
    const features = new Map<string, PlannedFeature>();
    for (const owner of new Set(named.map((item) => item.organisation))) {
      const its = owner === bank ? shelf : { organisation: owner };
      const references = named.filter((item) => item.organisation === owner).map(({ reference }) => reference);
      for (const reference of await this.content.published(its, references))
        published.add(itemKey({ organisation: owner, reference }));
      await this.featuresIn(its, [...pinned.values()], features);
    }
    throwAny(
      named.flatMap((item): FaultDetail[] => {
        const key = itemKey(item);
        if (pinned.has(key) && published.has(key)) return [];
        const why = pinned.has(key) ? 'is not published' : 'does not exist';
        const message = `The item ${JSON.stringify(item.reference)} of organisation ${item.organisation} ${why}; publish it, or leave it out.`;
        return [{ kind: 'item-unknown', at: item.at, message }];
      }),
    );
    const contents = named.map((item) => pinned.get(itemKey(item))!);
    const asActivity = JSON.stringify({ data: whole });
    const references = new Set(named.map(({ reference }) => reference));
    const form = await this.sessions.compose(contents, settingsOf(asActivity), scoringTypeIn(whole));
    const plan: Plan = {
      activityId,
      activityTemplateId: template,
      subscores: subscoresOf(asActivity)
        .map((subscore) => ({ ...subscore, items: subscore.items.filter((item) => references.has(item)) }))
        .filter(({ items: its }) => its.length > 0),
      metadata: {},
      items: named.map(({ id, reference, organisation: owner }, index) => ({
        id,
        reference,
        organisation: owner,
        features: plannedOf(contents[index], features),
      })),
    };
    return { form, plan };
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
    const seed = before?.seed ?? randomBytes(32).toString('hex');
    const {
      form: asked,
      plan,
      candidates,
    } = before?.plan.adaptive
      ? { form: await this.delivered.form(home, before.formId, session), plan: before.plan }
      : await this.begun(wanted, seed);
    const { maxTime, isHard } = timeIn(whole);
    plan.metadata = {
      ...metadataIn(whole),
      activity_template_id: wanted.template,
      items_api_version: ITEMS_API_VERSION,
      max_time: maxTime,
      user_agent: userAgent?.slice(0, 500) ?? null,
    };
    const storedForm = session?.formId;
    const isOther =
      storedForm !== undefined &&
      storedForm !== asked.id &&
      !(before && before.formId === storedForm && sameItems(before.plan, plan));
    const form = storedForm === undefined ? asked : await this.delivered.form(home, storedForm, session);
    // What is stored goes on: with its items, and the features that they had then.
    const kept =
      storedForm === undefined
        ? plan
        : { ...plan, items: planOf(form, before?.plan ?? plan), adaptive: before?.plan.adaptive };
    const clock = before ? running(before, now) : { startedAt: session?.startedAt ?? now, pausedAt: null, pausedMs: 0 };
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
      maxTime,
      isHard,
      version: (before?.version ?? 0) + 1,
    };
    const permission = permissionOf(page, wanted, session || before?.saveNumber ? 'resume' : wanted.state);
    const scope = scopeOf(home, now);
    const token = await this.work.run(async () => {
      if (session && (await this.sessions.lock(home, sessionId)) !== session.updatedAt) throw new Overtaken();
      await this.sessions.keep(home, form);
      if (candidates) await this.sessions.keep(home, candidates);
      if (!before) await this.addOnce(home, attempt);
      else if (!(await this.store.replace(home, attempt))) throw new Overtaken();
      if (session) await this.sessions.resumed(session, { otherItems: isOther }, scope);
      return this.tokens.give(home, permission);
    });
    const taken: Taken = { form, plan: kept, seed: attempt.seed, session };
    return this.started(request, wanted, permission, token, taken, attempt, now);
  }

  /** When another was first, everything is looked at anew. */
  private async addOnce(organisation: number, attempt: Attempt): Promise<void> {
    if (await this.store.find(organisation, attempt.sessionId)) throw new Overtaken();
    await this.store.add(organisation, attempt);
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
    const items = planOf(form, before?.plan ?? (await this.presentPlan(form)));
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
    return { ...started, reviews: await this.reviews.of(taken, permission.terms) };
  }

  /** Items with the features that they have now. */
  async presentPlan(form: Form): Promise<Pick<Plan, 'items'>> {
    const pinned = await this.forms.pinned(form.items[0]!.organisation, form.items);
    const features = new Map<string, PlannedFeature>();
    for (const organisation of new Set(form.items.map((item) => item.organisation)))
      await this.featuresIn({ organisation }, [...pinned.values()], features);
    return {
      items: form.items.map(({ reference, organisation }) => ({
        id: reference,
        reference,
        organisation,
        features: plannedOf(pinned.get(itemKey({ reference, organisation })), features),
      })),
    };
  }

  /** Adds the features that items of a shelf have, by `itemKey`. */
  private async featuresIn(
    shelf: Shelf,
    items: readonly PinnedItem[],
    found: Map<string, PlannedFeature>,
  ): Promise<void> {
    const { organisation } = shelf;
    const references = items.filter((item) => item.organisation === organisation).flatMap((item) => item.features);
    if (references.length === 0) return;
    for (const [reference, { type, document }] of await this.content.features(shelf, references))
      found.set(itemKey({ organisation, reference }), { reference, type, document, organisation });
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
    const { form, plan } = await this.composed(wanted, wanted.items);
    const seed = randomBytes(32).toString('hex');
    const permission = permissionOf(page, wanted, wanted.state);
    permission.terms.unstored = { formId: form.id, plan, seed };
    const token = await this.work.run(async () => {
      await this.sessions.keep(home, form);
      return this.tokens.give(home, permission);
    });
    const clock = { startedAt: now, ...timeIn(whole), pausedAt: null, pausedMs: 0 };
    const taken: Taken = { form, plan, seed, session: undefined };
    return this.started(request, wanted, permission, token, taken, clock, now);
  }

  private async started(
    request: JsonObject,
    { whole, activityId, home }: Wanted,
    { sessionId, userId, endsAt, terms }: Permission,
    token: string,
    taken: Taken,
    attempt: Parameters<typeof timeView>[0] & Partial<Attempt>,
    now: number,
  ): Promise<Started> {
    this.starts.add(1, terms.type === 'local_practice' ? 'local' : terms.state);
    const { session } = taken;
    const { adaptive } = taken.plan;
    return {
      token,
      expires_at: new Date(endsAt).toISOString(),
      session: {
        session_id: sessionId,
        user_id: userId,
        organisation_id: home,
        status: session?.status ?? 'Incomplete',
        state: terms.state,
        existing: session !== undefined,
        started_at: new Date(attempt.startedAt).toISOString(),
        save_number: attempt.saveNumber ?? 0,
        current_item: attempt.currentItem ?? null,
        elapsed_seconds: attempt.elapsed ?? 0,
        items: (session?.items ?? []).map(({ reference, time, flagged }) => ({
          id: taken.plan.items.find((item) => item.reference === reference)?.id ?? reference,
          time,
          user_flagged: flagged,
        })),
      },
      // The candidates of an adaptive test stay in.
      activity: activityView(
        adaptive ? { ...whole, items: [], sections: [] } : whole,
        request,
        terms.state,
        activityId,
      ),
      items: await this.delivered.items(taken, terms, terms.state === 'review'),
      responses: terms.state === 'preview' ? {} : await this.delivered.responses(taken),
      time: timeView(attempt, now),
      ...(adaptive ? { adaptive: true as const } : {}),
    };
  }
}

function permissionOf(
  { consumer, security, endsAt }: SignedPage,
  { sessionId, userId, type, whole }: Wanted,
  state: Identity['state'],
): Permission {
  const terms = { ...termsIn(whole), state, type, domain: security.domain };
  return { sessionId, userId, consumer: consumer.key, endsAt, terms };
}

export const scopeOf = (organisation: number, now: number): Scope => ({
  shelf: { organisation },
  operation: 'delivery',
  now,
  readable: new Set([organisation]),
});

/** The items of a form as its page knows them; those that the plan does not have are known by their references. */
function planOf(form: Form, plan: Pick<Plan, 'items'>): Plan['items'] {
  const known = new Map(plan.items.map((item) => [itemKey(item), item]));
  return form.items.map(
    ({ reference, organisation }) =>
      known.get(itemKey({ reference, organisation })) ?? { id: reference, reference, organisation, features: [] },
  );
}

function plannedOf(item: PinnedItem | undefined, features: ReadonlyMap<string, PlannedFeature>): PlannedFeature[] {
  const named = item?.features ?? [];
  return named.flatMap((reference) => features.get(itemKey({ organisation: item!.organisation, reference })) ?? []);
}

function sameItems(one: Plan, other: Plan): boolean {
  const names = (plan: Plan) => plan.items.map(itemKey).join('\n');
  return names(one) === names(other);
}

function refuseOthers({ sessionId, userId }: Wanted, session: Session | undefined, attempt: Attempt | undefined): void {
  const owner = session?.userId ?? attempt?.userId;
  if (owner !== undefined && owner !== userId)
    throw new Fault(
      'no-rights',
      `The session ${JSON.stringify(sessionId)} is of another user; use a new session_id for each user.`,
      '/session_id',
    );
}

function refuseEnded(session: Session | undefined, attempt: Attempt | undefined): void {
  const status = session?.status ?? (attempt?.submittedAt ? 'Completed' : 'Incomplete');
  if (status !== 'Incomplete')
    throw new Fault(
      'conflict',
      `The session is ${status}: it can be shown with state review, or taken anew under a new session_id.`,
      '/session_id',
    );
}

function refuseUnstoredAdaptive({ type, state }: Identity, { rendering_type: rendering }: JsonObject): void {
  if (type === 'local_practice' || state === 'preview')
    throw new Fault(
      'value',
      'adaptive: the next item follows from stored answers; use the type submit_practice with state initial.',
      type === 'local_practice' ? '/type' : '/state',
    );
  if (rendering === 'inline')
    throw new Fault(
      'value',
      'adaptive: items that are chosen one by one need the player; use the rendering_type assess.',
      '/rendering_type',
    );
}

function scoringTypeIn({ scoring_type: type }: JsonObject): ItemScoringType | undefined {
  if (type === undefined || type === null) return undefined;
  if (typeof type !== 'string' || !(ITEM_SCORING_TYPES as readonly string[]).includes(type))
    throw new Fault('value', `scoring_type must be one of ${ITEM_SCORING_TYPES.join(', ')}.`, '/scoring_type');
  return itemScoringType(type);
}

function throwAny(faults: readonly FaultDetail[]): void {
  if (faults.length > 0) throw Fault.of(faults.slice(0, 50));
}
