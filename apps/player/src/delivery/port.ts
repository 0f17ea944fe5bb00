import type { Question, Review } from '#renderer';

/** What the service says of a session that begins. Names are those of the wire. */
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
    /** Base64; encrypts what this browser keeps of the session. */
    storage_key?: string;
    items: { id: string; time: number | null; user_flagged: boolean }[];
  };
  activity: Activity;
  items: DeliveredItem[];
  responses: Record<string, StoredResponse>;
  time: Time;
  reviews?: Record<string, Review>;
  /** The service chooses the next item; `items` are those so far. */
  adaptive?: true;
  /** What is shown before and after the test. */
  intro?: DeliveredItem;
  outro?: DeliveredItem;
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
  /** HTML with a mark for each widget. */
  content: string;
  metadata: Record<string, unknown>;
  questions: Question[];
  features: Question[];
  response_ids: string[];
  feature_ids: string[];
  /** Where there is no service: what the service calls the answers, and the authored positions of a list that goes out shuffled. */
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
  paused: boolean;
  server_now: string;
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
  /** The answers are in this browser alone: the learner hands them over as a file. */
  isKeptHere?: true;
  /** Of practice that is not stored. */
  reviews?: Record<string, Review>;
}

/** How answers reach whoever keeps them. Rejects with {@link Refused}, or with any other error when nobody answered. */
export interface Delivery {
  start(): Promise<Started>;
  save(save: Save): Promise<Saved>;
  /** Saves, and gives the next item of an adaptive test; none when it is over. */
  next(save: Save): Promise<Saved & { items: DeliveredItem[] }>;
  submit(save: Save): Promise<Submitted>;
  pause(paused: boolean): Promise<{ time: Time }>;
  check(responseId: string, response: StoredResponse | null): Promise<Checked>;
}

/** The service said no. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    /** With 409: the number of the save that is stored. */
    readonly saveNumber?: number,
  ) {
    super(message);
  }

  /** Another page saved meanwhile. */
  get isStale(): boolean {
    return this.status === 409;
  }

  /** The same again may be taken later. */
  get isForNow(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}
