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

/** An item with its widgets. A widget that several entries share has the same reference and equal data in each. */
export interface ItemRecord {
  kind: 'item';
  title?: string;
  description?: string;
  note?: string;
  /** The origin of the item, for authors. */
  source?: string;
  status?: 'published' | 'unpublished' | 'archived';
  /** Absent: the item shows all widgets in the order of `widgets`. */
  definition?: JsonObject;
  widgets: Widget[];
  /** The references of the widgets that are features. All others are questions. */
  features?: string[];
  metadata?: JsonObject;
  tags?: Tag[];
  adaptive?: JsonObject;
  dynamic_content_data?: JsonObject;
  /** Absent: the item keeps its state; null: the item leaves its workflow. */
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
interface TagsRecord {
  kind: 'tags';
  tags: Tag[];
}

/** A tag by itself, with its description and sort key. */
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

/** A pool and its content. The import fills it from the bank into which it is imported. */
export interface PoolRecord {
  kind: 'pool';
  name: string;
  description?: string | null;
  status?: 'published' | 'unpublished';
  items: string[];
  activities: string[];
}

/** Records that organise a bank. They have no history, so their import cannot be reverted. */
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

/** An item exactly as its source has it, so that an export can return it (decision 96). */
export interface Original {
  /** Name of the format that can write it. */
  format: string;
  /** The markup, with tokens in place of embedded files. */
  markup: string;
  /** SHA-256 of the markup without tokens. */
  sha256: string;
  /** The path in its package. Absent if the format has no file for each item. */
  path?: string;
  /** The encoding of its file. Absent: UTF-8. */
  encoding?: string;
  /** Texts of the package to which the item refers: stimuli, style sheets. */
  texts?: readonly { path: string; markup: string; encoding?: string }[];
  /** The names of assets by the paths that the item uses. */
  files?: readonly { path: string; asset: string }[];
}

/** A question, item or test of the source, as a reader converted it. */
export interface Entry {
  /** The place in the source, unique in it: `items/q1.xml`, `questions.gift.txt:12`, `bank.xml#/quiz/question[3]`. */
  source: string;
  /** The reference that the bank gives it: see `referenceFrom`. */
  reference: string;
  /** Null when the entry cannot be imported. A note whose code begins with `entry-` then says why. */
  record: ImportRecord | null;
  /** The kind of the record that cannot be imported. Absent: an item, or unknown. */
  kind?: ImportRecord['kind'];
  notes: Note[];
  assets: Asset[];
  /** Absent if no format writes it, or if another record holds all of it. */
  original?: Original;
}

/**
 * A placeholder for the address of an asset in texts and data, until the file has an address. An import replaces every
 * occurrence, even within markup.
 */
export const assetToken = (name: string): string => `itembank-asset:${name}`;
export const ASSET_TOKEN = /itembank-asset:([A-Za-z0-9._/-]+)/g;
