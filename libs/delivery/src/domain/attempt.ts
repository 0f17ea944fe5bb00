import { type JsonObject } from '#kernel';
import { type SubscoreDefinition } from '#scoring';
import { type AdaptiveState } from './adaptive';
import { type AttemptClock } from './clock';
import { type DeliveryType, type State, type Terms } from './request';
import { type PlannedSection } from './sections';

/** A feature of an item, in its state at the start of the session. */
export interface PlannedFeature {
  reference: string;
  type: string;
  document: string;
  organisation: number;
}

/** The data that pages get in addition to the form, and the signed data of the request. */
export interface Plan {
  activityId: string;
  activityTemplateId: string | null;
  subscores: SubscoreDefinition[];
  metadata: JsonObject;
  /** In the order of the form. `id` is the item's id in the page. */
  items: { id: string; reference: string; organisation: number; features: PlannedFeature[] }[];
  /** Present if any section has a hard time limit. */
  sections?: readonly PlannedSection[];
  /** Seconds that a supervisor has added to the time of the test. */
  extension?: number;
  /** Present when the service chooses the items during the test; `items` are those chosen so far. */
  adaptive?: AdaptiveState;
}

/** A session that was started in a page. */
export interface Attempt extends AttemptClock {
  sessionId: string;
  userId: string;
  formId: string;
  plan: Plan;
  /** The secret seed of shuffled orders and opaque ids. Pages never get it. */
  seed: string;
  /** The number of the last save; 0 before the first. */
  saveNumber: number;
  /** SHA-256 of the last save. */
  savedHash: string | null;
  /** Id of the current item. */
  currentItem: string | null;
  /** Seconds, as counted by the page. */
  elapsed: number;
  /** How often each answer was checked, by response id. */
  checks: Record<string, number>;
  submittedAt: number | null;
  /** Rises with each change. */
  version: number;
}

/** The permission of a token. */
export interface Permission {
  sessionId: string;
  userId: string;
  consumer: string;
  /** Milliseconds since 1970. */
  endsAt: number;
  terms: Terms & {
    state: State;
    type: DeliveryType;
    /** The signed host of the page. */
    domain: string;
    /** Present for a session that is not stored. */
    unstored?: { formId: string; plan: Plan; seed: string };
  };
}

/** The position of the first item that takes answers. An adaptive test has no way back to earlier items. */
export function openFrom({ adaptive, items }: Plan): number {
  if (!adaptive) return 0;
  return adaptive.testlets?.given.at(-1)?.from ?? items.length - 1;
}
