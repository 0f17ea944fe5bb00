import { type JsonObject } from '#kernel';
import { type Note } from './note';

/** A question or a feature. Its reference holds letters, digits, `_` and `-`. */
export interface Widget {
  reference: string;
  /** As in the data: `mcq`, `sharedpassage`. */
  type: string;
  /** The question data as authors write it, with `type`, `stimulus`, `validation`, `metadata` … */
  data: JsonObject;
  /** `name` and `template_reference`, for authors. */
  metadata?: JsonObject;
}

export interface Tag {
  type: string;
  name: string;
}

/** The tag that an import gives to items without scoring, until a person adds it (decision 62). */
export const NOT_SCORED: Tag = { type: 'Import', name: 'Not scored' };

/** An item with the widgets that it shows. Widgets that several entries share have the same reference and equal data. */
export interface ItemRecord {
  kind: 'item';
  title?: string;
  description?: string;
  note?: string;
  /** Where the item comes from, for authors. */
  source?: string;
  status?: 'published' | 'unpublished' | 'archived';
  /** Absent: all widgets, in the order of `widgets`, features where they stand. */
  definition?: JsonObject;
  widgets: Widget[];
  /** Which of the widgets are features: their references. All others are questions. */
  features?: string[];
  metadata?: JsonObject;
  tags?: Tag[];
  adaptive?: JsonObject;
  dynamic_content_data?: JsonObject;
  /** Absent: an item keeps the state that it has; null: it leaves its workflow. */
  authoring_workflow?: { reference: string; state: string } | null;
}

export interface ActivityRecord {
  kind: 'activity';
  title?: string;
  description?: string;
  status?: 'published' | 'unpublished' | 'archived';
  data: JsonObject;
  tags?: Tag[];
  metadata?: JsonObject;
  adaptive?: JsonObject;
  base_template_id?: string;
}

/** A question or feature that stands alone, as in an export of our own. */
export interface WidgetRecord {
  kind: 'question' | 'feature';
  type: string;
  data: JsonObject;
  metadata?: JsonObject;
}

/** Adds tags to an item of the bank that exists already. */
export interface TagsRecord {
  kind: 'tags';
  tags: Tag[];
}

/** What a tag is, apart from the items that carry it. */
export interface TagRecord extends Tag {
  kind: 'tag';
  description?: string | null;
  sort_key?: number | null;
}

export interface HierarchyRecord {
  kind: 'hierarchy';
  /** From the root down. */
  tag_types: { name: string; description?: string | null }[];
}

export interface WorkflowRecord {
  kind: 'workflow';
  description?: string | null;
  initial_state_reference: string;
  final_state_reference: string;
  workflow_states: {
    reference: string;
    label: string;
    description?: string | null;
    workflow_transitions: { to_state_reference: string; display_order: number }[];
  }[];
}

/** A pool with what it holds. It is filled from the bank that gets it. */
export interface PoolRecord {
  kind: 'pool';
  name: string;
  description?: string | null;
  status?: 'published' | 'unpublished';
  items: string[];
  activities: string[];
}

/** What banks are sorted and run by. Such records have no history, so an import of them cannot be taken back. */
export type SetupRecord = TagRecord | HierarchyRecord | WorkflowRecord | PoolRecord;
export type ContentRecord = ItemRecord | ActivityRecord | WidgetRecord | TagsRecord;
export type ImportRecord = ContentRecord | SetupRecord;

/** A file that texts of an entry use. */
export interface Asset {
  /** The name in the bank: parts of letters, digits, `.`, `_`, `-`, joined by `/`. The same name has the same content. */
  name: string;
  /** The content: a file of the source, or bytes that the source holds inline. */
  from: { path: string } | { bytes: Uint8Array };
}

/** An item as it stands in the source, for an export that gives it back (decision 96). */
export interface Original {
  /** Name of the format that can write it. */
  format: string;
  /** The markup. Where it holds files, their tokens stand in their place. */
  markup: string;
  /** SHA-256 of the markup without tokens. */
  sha256: string;
  /** The place in its package. Absent where items have no files of their own. */
  path?: string;
  /** Texts of the package that the item names: stimuli, style sheets. */
  texts?: readonly { path: string; markup: string }[];
  /** Names of the assets that the item names by their paths. */
  files?: readonly { path: string; asset: string }[];
}

/** A question, item or test of the source, as a reader converted it. */
export interface Entry {
  /** The place in the source, unique in it: `items/q1.xml`, `questions.gift.txt:12`, `bank.xml#/quiz/question[3]`. */
  source: string;
  /** The reference that the bank gives it: see `referenceFrom`. */
  reference: string;
  /** Null when it cannot be imported; then a note with a code that begins with `entry-` says why. */
  record: ImportRecord | null;
  notes: Note[];
  assets: Asset[];
  /** Absent where no format writes it, and where another record holds all of it. */
  original?: Original;
}

/**
 * Stands in texts and data for the address of an asset until the file has one. An import replaces every occurrence, also in the
 * middle of markup.
 */
export const assetToken = (name: string): string => `itembank-asset:${name}`;
export const ASSET_TOKEN = /itembank-asset:([A-Za-z0-9._/-]+)/g;
