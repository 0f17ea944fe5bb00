import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PinnedContent } from '#content';
import { type Json, type JsonObject } from '#kernel';
import { countValidParts } from '#scoring';
import { type Form, type FormItem, type FormQuestion, LiveSessions, ResponseScoring, type Session } from '#sessions';
import { type Attempt, type Plan } from '../domain/attempt';
import { layoutOf } from '../domain/layout';
import { acknowledgementsOf, type Extras, featureView, opaqueId, questionView } from '../domain/question-view';
import { type Terms } from '../domain/request';
import { inverseOf, type Presentation, presentationOf, withPositions } from '../domain/shuffling';

/** The content and seed of a session. */
export interface Taken {
  form: Form;
  plan: Plan;
  seed: string;
  /** The stored session; undefined before the first save. */
  session: Session | undefined;
}

/** A question of a session as its page knows it. */
export interface ShownQuestion {
  /** Index in the form. */
  at: number;
  responseId: string;
  item: FormItem;
  question: FormQuestion;
  definition: JsonObject & { type: string };
  readonly presentation: Presentation;
}

const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

/** Converts content and responses between their stored form and the form that pages know. */
@Injectable()
export class DeliveredContent {
  /** Parsed bodies of documents. Documents never change, and callers must not change the parsed objects. */
  private readonly known = new LRUCache<string, JsonObject>({ maxSize: MAX_CACHED_CHARACTERS });

  constructor(
    private readonly content: PinnedContent,
    private readonly scoring: ResponseScoring,
    private readonly sessions: LiveSessions,
  ) {}

  /** The current form of a session: that of the stored session, if there is one. */
  async form(organisation: number, formId: string, session: Session | undefined): Promise<Form> {
    const form = await this.sessions.form(organisation, session?.formId ?? formId);
    if (!form) throw new Error(`There is no form ${formId} in organisation ${organisation}.`);
    return form;
  }

  /** The content of a session, and the stored session if there is one. */
  async taken(
    organisation: number,
    { formId, plan, seed }: Pick<Attempt, 'formId' | 'plan' | 'seed'>,
    session: Session | undefined,
  ): Promise<Taken> {
    return { form: await this.form(organisation, formId, session), plan, seed, session };
  }

  /** The questions of a session, in the order of the form. */
  async questions({ form, seed, session }: Taken): Promise<ShownQuestion[]> {
    const asked = form.items.flatMap((item) => item.questions.map((question) => ({ item, question })));
    const prepared = await this.scoring.prepare(asked.map(({ question }) => question));
    return asked.map(({ item, question }, at) => {
      const { definition } = prepared.get(question.document)!;
      const responseId = session?.responses[at]?.responseId ?? opaqueId(seed, question.questionId);
      return {
        at,
        responseId,
        item,
        question,
        definition,
        // Computed only when it is asked for: a save needs it for its own answers alone.
        get presentation() {
          return presentationOf(definition, definition.type, seed, question.questionId);
        },
      };
    });
  }

  /** The items as pages get them. */
  async items(taken: Taken, terms: Terms, isReview: boolean): Promise<JsonObject[]> {
    const { form, plan, seed } = taken;
    const questions = await this.questions(taken);
    const features = plan.items.flatMap((item) => item.features);
    const bodies = await this.bodies([...form.items, ...features]);
    const extras: Extras = {
      instructorStimulus: terms.instructorStimulus,
      isReview,
      validParts: terms.validPartCounts ? countValidParts : null,
      acknowledgements: terms.acknowledgements,
      ignored: terms.ignored,
    };
    let at = 0;
    return form.items.map((item, index) => {
      const { definition, metadata } = bodies.get(keyOf(item)) as { definition: JsonObject; metadata?: Json };
      const planned = plan.items[index];
      const its = questions.slice(at, (at += item.questions.length));
      const shownFeatures = (planned?.features ?? []).flatMap((feature) => {
        const body = bodies.get(keyOf(feature));
        if (!body) return [];
        const { type, data } = body as { type: string; data: JsonObject };
        const id = opaqueId(seed, `feature ${item.organisation} ${item.reference} ${feature.reference}`);
        return [
          {
            reference: feature.reference,
            id,
            view: { ...featureView({ ...data, type }, id, extras), feature_reference: feature.reference },
          },
        ];
      });
      const placeholders = new Map([
        ...its.map(
          ({ question, responseId }) => [question.reference, placeholder('response question', responseId)] as const,
        ),
        ...shownFeatures.map(({ reference, id }) => [reference, placeholder('feature feature', id)] as const),
      ]);
      return {
        id: planned?.id ?? item.reference,
        reference: item.reference,
        organisation_id: item.organisation,
        content: layoutOf(definition, placeholders),
        metadata: {
          scoring_type: item.scoringType,
          ...(terms.acknowledgements ? acknowledgementsOf({ metadata: metadata ?? null }) : {}),
        },
        questions: its.map(({ definition: data, responseId, presentation }) =>
          questionView(data, responseId, presentation, extras),
        ),
        features: shownFeatures.map(({ view }) => view),
        response_ids: its.map(({ responseId }) => responseId),
        feature_ids: shownFeatures.map(({ id }) => id),
      };
    });
  }

  /** The stored answers, by the ids that the page knows. */
  async responses(taken: Taken): Promise<JsonObject> {
    const { session } = taken;
    if (!session) return {};
    const responses: JsonObject = {};
    for (const shown of await this.questions(taken)) {
      const stored = session.responses[shown.at];
      if (!stored?.response) continue;
      responses[shown.responseId] = { ...asShown(stored.response, shown.presentation), revision: stored.revision };
    }
    return responses;
  }

  /** Parsed bodies of documents, by `keyOf`. */
  private async bodies(
    wanted: readonly { organisation: number; document: string }[],
  ): Promise<Map<string, JsonObject>> {
    const found = new Map<string, JsonObject>();
    const missing = wanted.filter((each) => {
      const body = this.known.get(keyOf(each));
      if (body) found.set(keyOf(each), body);
      return !body;
    });
    for (const organisation of new Set(missing.map((each) => each.organisation))) {
      const ids = missing.filter((each) => each.organisation === organisation).map(({ document }) => document);
      for (const [document, { body }] of await this.content.documents(organisation, ids)) {
        const key = keyOf({ organisation, document });
        const parsed = JSON.parse(body) as JsonObject;
        found.set(key, parsed);
        this.known.set(key, parsed, { size: body.length });
      }
    }
    return found;
  }
}

/** Converts a stored response for its page. */
function asShown(response: JsonObject, { moved }: Presentation): JsonObject {
  return moved && response.value !== undefined
    ? { ...response, value: withPositions(response.value, inverseOf(moved)) }
    : response;
}

/** Converts a response of a page for storage. */
export function asStored(response: JsonObject, { moved }: Presentation): JsonObject {
  return moved && response.value !== undefined
    ? { ...response, value: withPositions(response.value, moved) }
    : response;
}

/** The placeholder of a widget in the HTML of an item. */
export const placeholder = (kind: string, id: string): string => {
  const [first, second] = kind.split(' ') as [string, string];
  return `<span class="learnosity-${first} ${second}-${id}"></span>`;
};

const keyOf = ({ organisation, document }: { organisation: number; document: string }): string =>
  `${organisation} ${document}`;
