import { contentOf, type PinnedItem, type PinnedQuestion } from '#content';
import { type Json, type JsonObject, objectOf } from '#kernel';
import { countValidParts, itemScoringType, type ItemScoringType, type SubscoreDefinition } from '#scoring';
import { definitionOf, questionId } from '../domain/form';

/** Version of the format of templates and responses. */
export const ITEMS_API_VERSION = 'v1';

/** The content of a template. */
interface TemplateContent {
  items: readonly PinnedItem[];
  /** Overrides the settings of items. */
  scoringType?: ItemScoringType;
  activity: { reference: string; organisation: number; hash: string } | null;
  subscores: readonly SubscoreDefinition[];
}

/** The JSON text of a template in `sessions/templates`. Equal content gives equal text. */
export function templateView({ items, scoringType, activity, subscores }: TemplateContent) {
  return {
    items: items.map((item) => itemView(item, scoringType)),
    metadata: {
      items_api_version: ITEMS_API_VERSION,
      activity_template_id: activity?.reference ?? null,
      ...(activity ? { source: { organisation_id: activity.organisation, hash: activity.hash } } : {}),
    },
    questions: items.flatMap((item) =>
      item.questions.map((question, position) => questionView(question, item, position)),
    ),
    subscores: subscores.map(({ id, title, items: references }) => ({ id, title, items: [...references] })),
  };
}

function itemView(item: PinnedItem, scoringType: ItemScoringType | undefined): JsonObject {
  const { reference, organisation, hash, body, features, questions } = item;
  const { acknowledgements = null, scoring_type: own } = metadataOf(body);
  return {
    reference,
    source: { reference, organisation_id: organisation, hash },
    content: contentOf(body),
    metadata: { acknowledgements, scoring_type: scoringType ?? itemScoringType(own) },
    workflow: null,
    feature_ids: [...features],
    question_ids: questions.map(({ hash: ofQuestion }, position) =>
      questionId(organisation, reference, position, ofQuestion),
    ),
  };
}

function questionView(question: PinnedQuestion, item: PinnedItem, position: number): JsonObject {
  const definition = definitionOf(question.body);
  return {
    ...definition,
    id: questionId(item.organisation, item.reference, position, question.hash),
    metadata: {
      ...objectOf(definition.metadata),
      valid_response_count: countValidParts(definition),
      sheet_reference: item.reference,
      widget_reference: question.reference,
      source: { organisation_id: question.organisation, hash: question.hash },
    },
  };
}

/** The item's own scoring type. */
export function ownScoringType(body: string): ItemScoringType {
  return itemScoringType(metadataOf(body).scoring_type);
}

function metadataOf(body: string): JsonObject {
  return objectOf((JSON.parse(body) as { metadata?: Json }).metadata);
}
