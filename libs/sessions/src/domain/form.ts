import { createHash } from 'node:crypto';
import { idOfList, type Json, type JsonObject } from '#kernel';
import {
  compile,
  type EapParameters,
  itemScoringType,
  type ItemScoringType,
  readEap,
  type SubscoreDefinition,
} from '#scoring';

/** A question that sessions were taken with: its document, and what can be said of it without a response. */
export interface FormQuestion {
  /** 32 hexadecimal digits, made from the item, the place in it and the document: the same wherever these are. */
  questionId: string;
  reference: string;
  /** Type code. */
  type: string;
  /** Id of the pinned document, and the organisation that it belongs to. */
  document: string;
  organisation: number;
  /** SHA-256 of the document. */
  hash: string;
  automarkable: boolean;
  maxScore: number;
}

/** An item that sessions were taken with. */
export interface FormItem {
  reference: string;
  organisation: number;
  document: string;
  hash: string;
  scoringType: ItemScoringType;
  /** In logits; null when none is known. */
  difficulty: number | null;
  /** The item is tried out: it says nothing of the learner's ability. */
  isSeeding?: true;
  questions: FormQuestion[];
}

/** What the activity says about scoring. */
export interface FormSettings {
  /** Goes before what questions say. */
  allowNegativeScores?: boolean;
  /** Present when an ability is to be estimated. */
  eap?: EapParameters;
}

/**
 * What a session was taken with: an immutable list of documents, shared by all sessions with the same list. So no later
 * edit of the item bank changes what a learner was scored against.
 */
export interface Form {
  /** Made from everything below. */
  id: string;
  items: FormItem[];
  settings: FormSettings;
}

/** An item with its questions as they are pinned. Bodies are JSON text. */
interface PinnedItem {
  reference: string;
  organisation: number;
  document: string;
  hash: string;
  body: string;
  extras: string | null;
  questions: { reference: string; type: string; document: string; organisation: number; hash: string; body: string }[];
}

/** The definition that the scoring engine reads, of the body of a question. */
export function definitionOf(body: string): JsonObject & { type: string } {
  const { type, data } = JSON.parse(body) as { type: string; data: JsonObject };
  return { ...data, type };
}

/** @param scoringType what goes before what the item says. */
export function formItem(item: PinnedItem, scoringType?: ItemScoringType): FormItem {
  const { reference, organisation, document, hash } = item;
  const { metadata } = JSON.parse(item.body) as { metadata: JsonObject | null };
  return {
    reference,
    organisation,
    document,
    hash,
    scoringType: scoringType ?? itemScoringType(metadata?.scoring_type),
    difficulty: difficultyOf(item.extras),
    questions: item.questions.map((question, position) => {
      const { automarkable, maxScore } = compile(definitionOf(question.body));
      return {
        questionId: questionId(organisation, reference, position, question.hash),
        reference: question.reference,
        type: question.type,
        document: question.document,
        organisation: question.organisation,
        hash: question.hash,
        automarkable,
        maxScore,
      };
    }),
  };
}

export function questionId(organisation: number, item: string, position: number, hash: string): string {
  return createHash('sha256')
    .update(JSON.stringify([organisation, item, position, hash]))
    .digest('hex')
    .slice(0, 32);
}

export function formOf(items: FormItem[], settings: FormSettings): Form {
  return { id: idOfList([JSON.stringify([items, settings])]), items, settings };
}

/** What the body of an activity says about scoring. */
export function settingsOf(activityBody: string | undefined): FormSettings {
  if (activityBody === undefined) return {};
  const { data } = JSON.parse(activityBody) as { data?: JsonObject };
  const config = objectIn(data, 'config');
  const adaptive = data?.adaptive ?? config?.adaptive;
  const allow = data?.allow_negative_scores ?? objectIn(config, 'configuration')?.allow_negative_scores;
  return {
    ...(typeof allow === 'boolean' ? { allowNegativeScores: allow } : {}),
    ...(isObject(adaptive) ? { eap: readEap(adaptive.eap) } : {}),
  };
}

/** The subscores that the body of an activity defines; none when it defines none. */
export function subscoresOf(activityBody: string | undefined): SubscoreDefinition[] {
  const { data } = JSON.parse(activityBody ?? '{}') as { data?: JsonObject };
  const listed = data?.subscores ?? objectIn(data, 'config')?.subscores;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry) => {
    if (!isObject(entry) || typeof entry.id !== 'string' || !Array.isArray(entry.items)) return [];
    const items = entry.items.flatMap((item) =>
      typeof item === 'string' ? [item] : isObject(item) && typeof item.reference === 'string' ? [item.reference] : [],
    );
    return [{ id: entry.id, title: typeof entry.title === 'string' ? entry.title : entry.id, items }];
  });
}

function difficultyOf(extras: string | null): number | null {
  if (extras === null) return null;
  const adaptive = objectIn(JSON.parse(extras) as JsonObject, 'adaptive');
  const difficulty = Number(adaptive?.difficulty ?? NaN);
  return Number.isFinite(difficulty) ? difficulty : null;
}

function objectIn(object: JsonObject | undefined, member: string): JsonObject | undefined {
  const value = object?.[member];
  return isObject(value) ? value : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
