import { type JsonObject } from '#kernel';
import { type SubscoreDefinition } from '#scoring';
import { type AdaptiveState } from './adaptive';
import { type AttemptClock } from './clock';
import { type DeliveryType, type State, type Terms } from './request';

/** A feature of an item, as it was when the session began. */
export interface PlannedFeature {
  reference: string;
  type: string;
  document: string;
  organisation: number;
}

/** What goes out with a session beside its form, and what was signed with it. */
export interface Plan {
  activityId: string;
  activityTemplateId: string | null;
  subscores: SubscoreDefinition[];
  metadata: JsonObject;
  /** In the order of the form. `id`: by which the page knows the item. */
  items: { id: string; reference: string; organisation: number; features: PlannedFeature[] }[];
  /** Present where the service chooses the items while the test is taken: `items` are those chosen so far. */
  adaptive?: AdaptiveState;
}

/** A session that was begun in a page. */
export interface Attempt extends AttemptClock {
  sessionId: string;
  userId: string;
  formId: string;
  plan: Plan;
  /** Of what is shuffled and named: no page learns it. */
  seed: string;
  /** Of the last save; 0 before the first. */
  saveNumber: number;
  /** SHA-256 of it. */
  savedHash: string | null;
  /** Id of the item. */
  currentItem: string | null;
  /** Seconds, as the page counted them. */
  elapsed: number;
  /** How often answers were checked, by the response. */
  checks: Record<string, number>;
  submittedAt: number | null;
  /** Rises with each change. */
  version: number;
}

/** What a page may do. */
export interface Permission {
  sessionId: string;
  userId: string;
  consumer: string;
  /** Milliseconds since 1970. */
  endsAt: number;
  terms: Terms & {
    state: State;
    type: DeliveryType;
    /** The host that was signed. */
    domain: string;
    /** Of a session of which nothing is stored. */
    unstored?: { formId: string; plan: Plan; seed: string };
  };
}
