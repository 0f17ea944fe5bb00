import type { Question, Review } from '#renderer';

/** The service's answer to the start of a session. Members have the names of the protocol. */
export interface Started {
  session: {
    session_id: string;
    user_id: string;
    organisation_id: number;
    status: string;
    state: 'initial' | 'resume' | 'review' | 'preview';
    existing: boolean;
    started_at: string;
    save_number: number;
    current_item: string | null;
    elapsed_seconds: number;
    /** Base64. Encrypts the answers that this browser stores. */
    storage_key?: string;
    items: { id: string; time: number; user_flagged: boolean }[];
  };
  activity: Activity;
  items: DeliveredItem[];
  responses: Record<string, StoredResponse>;
  time: Time;
  reviews?: Record<string, Review>;
  /** The score of a reviewed session. */
  total?: Total;
  /** Present if a supervisor has a password for the test. */
  supervised?: true;
  /** Present if the service chooses the next item. `items` then holds the items so far. */
  adaptive?: true;
  /** Present if the service chooses the next testlet: the number of the present one, and the position of its first item. */
  testlet?: { number: number; from: number };
  /** The items shown before and after the test. */
  intro?: DeliveredItem;
  outro?: DeliveredItem;
}

export interface Total {
  score: number;
  max_score: number;
}

export interface Activity {
  name: string;
  activity_id: string;
  activity_template_id?: string;
  type: string;
  rendering_type?: string;
  config: Record<string, unknown>;
  sections?: { items: string[]; config?: Record<string, unknown> }[];
  [member: string]: unknown;
}

export interface DeliveredItem {
  id: string;
  reference: string;
  organisation_id: number;
  /** HTML with a placeholder for each widget. */
  content: string;
  metadata: Record<string, unknown>;
  questions: Question[];
  features: Question[];
  response_ids: string[];
  feature_ids: string[];
  /**
   * Only in offline packages: the question reference of each response, and the author's positions if its list was
   * shuffled.
   */
  stored?: Record<string, { question_reference: string; moved?: number[] }>;
}

export interface StoredResponse {
  value: unknown;
  type: string;
  revision: number;
  [member: string]: unknown;
}

export interface Time {
  max_time: number | null;
  limit_type: 'hard' | 'soft';
  remaining_seconds: number | null;
  /** Remaining seconds of each section. Present if any section has a hard limit. */
  sections?: (number | null)[];
  /** Seconds that a supervisor has added to each section. */
  extensions?: number[];
  paused: boolean;
  server_now: string;
  /** When the answer of the service began to arrive, by `performance.now()`. */
  arrived?: number;
}

export interface Save {
  save_number: number;
  responses: Record<string, StoredResponse | null>;
  items: { id: string; time: number; user_flagged: boolean }[];
  current_item: string | null;
  elapsed_seconds: number;
}

export interface Saved {
  save_number: number;
  /** The stored revisions of the saved answers. A lower one than sent: the answer came after the time of its section. */
  stored?: Record<string, number>;
  time: Time;
}

export interface Checked {
  score: number | null;
  max_score: number;
  is_valid: boolean | null;
  attempts_left: number | null;
  review: Review;
}

export interface Submitted {
  status: 'Completed';
  time_over?: true;
  /** Some of these answers are not stored: the session or the time of their section had ended. */
  left_out?: true;
  /** The answers exist only in this browser. The learner hands them over as a file. */
  isKeptHere?: true;
  /** Present for practice that is not stored. */
  reviews?: Record<string, Review>;
  total?: Total;
}

export type SupervisorAction = 'extend' | 'save' | 'submit' | 'discard';

/** An action of a supervisor that the service carries out. */
export type SupervisorStep = { action: 'extend'; seconds: number } | { action: 'discard' };

export interface Supervised {
  /** The permitted actions. */
  actions: readonly SupervisorAction[];
  time: Time;
}

/**
 * Sends answers to the service, or stores them in the browser. Rejects with {@link Refused}, or with another error
 * without an answer.
 */
export interface Delivery {
  start(): Promise<Started>;
  save(save: Save): Promise<Saved>;
  /** Saves and returns the next item or testlet of an adaptive test; no item when the test is over. */
  next(save: Save): Promise<Saved & { items: DeliveredItem[] }>;
  submit(save: Save): Promise<Submitted>;
  /** The time is absent where the page alone counts it. */
  pause(paused: boolean): Promise<{ time?: Time }>;
  /** @param step absent: only checks the password. */
  supervise(password: string, step?: SupervisorStep): Promise<Supervised>;
  check(responseId: string, response: StoredResponse | null): Promise<Checked>;
}

/** When a test can be started, by the clock of the service. */
export interface FixedStart {
  /** Milliseconds since 1970. */
  at: number;
  /** Seconds from the answer of the service to the start. */
  inSeconds: number;
}

/** The service refused a call. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    /** For status 409: the number of the stored save. */
    readonly saveNumber?: number,
    /** For status 409: whether the session or its time has ended. */
    readonly isOver = false,
    /** Present before the fixed start of a test. */
    readonly start?: FixedStart,
  ) {
    super(message);
  }

  /** Whether another page has saved meanwhile. */
  get isStale(): boolean {
    return this.status === 409;
  }

  /** Whether the same call may succeed later. */
  get isForNow(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}
