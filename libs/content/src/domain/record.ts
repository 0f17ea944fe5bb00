import { type JsonText } from '#kernel';
import { type TagName } from '#tagging';

/** A question and a feature are one thing, a widget, of two kinds. */
export type Kind = 'item' | 'question' | 'feature' | 'activity';

/** Kinds that share one space of references. */
export type Family = 'item' | 'widget' | 'activity';

export const FAMILY: Record<Kind, Family> = {
  item: 'item',
  question: 'widget',
  feature: 'widget',
  activity: 'activity',
};

export const STATUSES = ['published', 'unpublished', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

/** What `adaptive` of an item or an activity is where nothing was set; members that are not set are as here. */
export const NO_ADAPTIVE = { difficulty: null, operational_exposure: null, seeding_exposure: null };

/** A record as a shelf shows it. */
export interface StoredRecord {
  id: string;
  reference: string;
  /** Type code of a widget, scoring type of an item, null for an activity. */
  type: string | null;
  /** Null for a widget. */
  status: Status | null;
  /** JSON object with the members that every read returns. */
  body: JsonText;
  /** JSON object with the members that reads return when asked; null when there are none. */
  extras: JsonText | null;
  tags: TagName[];
  /** Null: no author was named. */
  createdBy: string | null;
  updatedBy: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Rises strictly with every revision of the record: its number for callers, too. */
  updatedAt: number;
  /** Null: in no workflow. */
  workflowId: string | null;
  workflowState: string | null;
}
