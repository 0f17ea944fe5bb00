import { type JsonObject } from '#kernel';
import { type Note } from './note';

/** A question or a feature. Its reference holds letters, digits, `_` and `-`. */
export interface Widget {
  reference: string;
  /** As in the data: `mcq`, `sharedpassage`. */
  type: string;
  /** The question data as authors write it, with `type`, `stimulus`, `validation`, `metadata` … */
  data: JsonObject;
}

export interface Tag {
  type: string;
  name: string;
}

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
}

/** A question or feature that stands alone, as in an export of our own. */
export interface WidgetRecord {
  kind: 'question' | 'feature';
  type: string;
  data: JsonObject;
}

/** Adds tags to an item of the bank that exists already. */
export interface TagsRecord {
  kind: 'tags';
  tags: Tag[];
}

export type ImportRecord = ItemRecord | ActivityRecord | WidgetRecord | TagsRecord;

/** A file that texts of an entry use. */
export interface Asset {
  /** The name in the bank: parts of letters, digits, `.`, `_`, `-`, joined by `/`. The same name has the same content. */
  name: string;
  /** The content: a file of the source, or bytes that the source holds inline. */
  from: { path: string } | { bytes: Uint8Array };
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
}

/**
 * Stands in texts and data for the address of an asset until the file has one. An import replaces every occurrence, also in the
 * middle of markup.
 */
export const assetToken = (name: string): string => `itembank-asset:${name}`;
export const ASSET_TOKEN = /itembank-asset:([A-Za-z0-9._/-]+)/g;
