import { createHash } from 'node:crypto';
import { idOfList, isObject, type JsonObject, numberOf } from '#kernel';
import {
  compile,
  type EapParameters,
  itemScoringType,
  type ItemScoringType,
  readEap,
  type SubscoreDefinition,
} from '#scoring';

/** A question of a form: its document, and the facts that need no response. */
export interface FormQuestion {
  /** 32 hexadecimal digits, derived from the item, the position in the item, and the document. Equal in every form. */
  questionId: string;
  reference: string;
  /** Type code. */
  type: string;
  /** Id of the pinned document, and the organisation that owns it. */
  document: string;
  organisation: number;
  /** SHA-256 of the document. */
  hash: string;
  automarkable: boolean;
  maxScore: number;
}

/** An item of a form. */
export interface FormItem {
  reference: string;
  organisation: number;
  document: string;
  hash: string;
  scoringType: ItemScoringType;
  /** In logits; null when it is unknown. */
  difficulty: number | null;
  /** Whether the item is on trial. The estimate of ability then ignores it. */
  isSeeding?: true;
  questions: FormQuestion[];
}

/** The scoring settings of the activity. */
export interface FormSettings {
  /** Overrides the settings of questions. */
  allowNegativeScores?: boolean;
  /** Present when ability is estimated. */
  eap?: EapParameters;
}

/**
 * The content of a session: an immutable list of documents. All sessions with the same list share it. So later edits of
 * the item bank do not change the key of the session.
 */
export interface Form {
  /** A hash of all members below. */
  id: string;
  items: FormItem[];
  settings: FormSettings;
}

/** An item with its pinned questions. Bodies are JSON text. */
interface PinnedItem {
  reference: string;
  organisation: number;
  document: string;
  hash: string;
  body: string;
  extras: string | null;
  questions: readonly {
    readonly reference: string;
    readonly type: string;
    readonly document: string;
    readonly organisation: number;
    readonly hash: string;
    readonly body: string;
  }[];
}

/** The definition of a question or feature, from its body. */
export function definitionOf(body: string): JsonObject & { type: string } {
  const { type, data } = JSON.parse(body) as { type: string; data: JsonObject };
  return { ...data, type };
}

/** @param scoringType overrides the setting of the item. */
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

/** The definition in the body of an activity; absent: there is no activity. */
export function activityIn(body: string | undefined): JsonObject | undefined {
  return body === undefined ? undefined : (JSON.parse(body) as { data?: JsonObject }).data;
}

/** The scoring settings in the definition of an activity. */
export function settingsOf(data: JsonObject | undefined): FormSettings {
  const config = objectIn(data, 'config');
  const adaptive = data?.adaptive ?? config?.adaptive;
  const allow = data?.allow_negative_scores ?? objectIn(config, 'configuration')?.allow_negative_scores;
  return {
    ...(typeof allow === 'boolean' ? { allowNegativeScores: allow } : {}),
    ...(isObject(adaptive) ? { eap: readEap(adaptive.eap) } : {}),
  };
}

/** The subscores in the definition of an activity; an empty list when it has none. */
export function subscoresOf(data: JsonObject | undefined): SubscoreDefinition[] {
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
  return numberOf(adaptive?.difficulty) ?? null;
}

function objectIn(object: JsonObject | undefined, member: string): JsonObject | undefined {
  const value = object?.[member];
  return isObject(value) ? value : undefined;
}
