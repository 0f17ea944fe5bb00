import { createHmac } from 'node:crypto';
import { type Consumer, type SecurityFields } from '#access';
import { type JsonObject } from '#kernel';
import { type Form, itemKey } from '#sessions';
import { type Attempt, type Permission, type Plan } from '../domain/attempt';
import { type timeView, type TimeView } from '../domain/clock';
import { type Identity, termsIn } from '../domain/request';
import { type Review, type ShownTotal } from '../domain/review';
import { type Testlets } from '../domain/testlets';
import { type Wanted } from './compositions';
import { type Taken } from './delivered-content';

/* The input and the answer of a start. */

/** A page whose signature is valid. */
export interface SignedPage {
  consumer: Consumer;
  security: SecurityFields;
  endsAt: number;
}

/** The answer to a page that starts. */
export interface Started {
  token: string;
  expires_at: string;
  session: JsonObject;
  activity: JsonObject;
  items: JsonObject[];
  responses: JsonObject;
  time: TimeView;
  reviews?: Record<string, Review>;
  /** The score of a reviewed session. */
  total?: ShownTotal;
  /** Present when a supervisor has a password for the test. */
  supervised?: true;
  /** Present when the service chooses the next item; `items` are those given so far. */
  adaptive?: true;
  /** Present when the service chooses the next testlet: the number of the present one, and the position of its first item. */
  testlet?: { number: number; from: number };
  /** Shown before and after the test. */
  intro?: JsonObject;
  outro?: JsonObject;
}

/** The members of an attempt that the answer shows. A session that is not stored has only its clock. */
export type Shown = Parameters<typeof timeView>[0] & Partial<Attempt>;

/** The session as a page gets it. */
export function sessionView(
  { sessionId, userId, terms }: Permission,
  { home }: Wanted,
  { plan, seed, session }: Taken,
  attempt: Shown,
): JsonObject {
  return {
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
    storage_key: storageKey(seed),
    items: (session?.items ?? []).map(({ reference, time, flagged }) => ({
      id: plan.items.find((item) => item.reference === reference)?.id ?? reference,
      time,
      user_flagged: flagged,
    })),
  };
}

/**
 * The key with which a page encrypts the session data in its browser. It is the same after a reload, and other pages do
 * not know it.
 */
const storageKey = (seed: string): string => createHmac('sha256', seed).update('storage').digest('base64');

export function permissionOf(
  { consumer, security, endsAt }: SignedPage,
  { sessionId, userId, type, whole }: Wanted,
  state: Identity['state'],
): Permission {
  const terms = { ...termsIn(whole), state, type, domain: security.domain };
  return { sessionId, userId, consumer: consumer.key, endsAt, terms };
}

export function testletView({ given }: Testlets): { number: number; from: number } {
  return { number: given.length, from: given.at(-1)!.from };
}

/** The items of a form as its page knows them. Items that the plan lacks use their references as ids. */
export function planOf(form: Form, plan: Pick<Plan, 'items'>): Plan['items'] {
  const known = new Map(plan.items.map((item) => [itemKey(item), item]));
  return form.items.map(
    ({ reference, organisation }) =>
      known.get(itemKey({ reference, organisation })) ?? { id: reference, reference, organisation, features: [] },
  );
}

export function sameItems(one: Plan, other: Plan): boolean {
  const names = (plan: Plan) => plan.items.map(itemKey).join('\n');
  return names(one) === names(other);
}
