import { type JsonText } from '#kernel';
import { type TagName } from '#tagging';

/** Questions and features are two kinds of widgets. */
export type Kind = 'item' | 'question' | 'feature' | 'activity';

export type WidgetKind = Extract<Kind, 'question' | 'feature'>;

/** Kinds that share one namespace of references. */
export type Family = 'item' | 'widget' | 'activity';

export const FAMILY: Record<Kind, Family> = {
  item: 'item',
  question: 'widget',
  feature: 'widget',
  activity: 'activity',
};

export const STATUSES = ['published', 'unpublished', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

/** The value of `adaptive` for an item or activity without one, and of its unset members. */
export const NO_ADAPTIVE = { difficulty: null, operational_exposure: null, seeding_exposure: null };

/** A record of a shelf. */
export interface StoredRecord {
  id: string;
  reference: string;
  /** Type code of a widget, scoring type of an item, null for an activity. */
  type: string | null;
  /** Null for a widget. */
  status: Status | null;
  /** JSON object with the members that every read returns. */
  body: JsonText;
  /** JSON object with the members that reads return on request; null when there are none. */
  extras: JsonText | null;
  tags: TagName[];
  /** Null: no author was named. */
  createdBy: string | null;
  updatedBy: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Strictly rising with every revision of the record. Callers use it as the revision number. */
  updatedAt: number;
  /** Null: no workflow. */
  workflowId: string | null;
  workflowState: string | null;
}
