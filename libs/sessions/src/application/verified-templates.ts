import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PinnedContent, type PinnedItem, type PinnedQuestion, type PinnedRecord, widgetsIn } from '#content';
import { type FaultDetail, type JsonObject, place, type Scope, throwAny } from '#kernel';
import { ITEM_SCORING_TYPES, type ItemScoringType, offersOf, type SubscoreDefinition } from '#scoring';
import { type Asked } from '../domain/answers';
import { activityIn, definitionOf, type Form, formItem, questionId, settingsOf } from '../domain/form';
import { differenceIn } from '../domain/same-json';
import { readTemplate, type SentItem, type SentTemplate } from '../domain/sent-template';
import { faultsIn } from '../domain/subscore-definitions';
import { Forms } from './forms';
import { MAX_ITEMS, repeated, unreadable } from './session-templates';
import { ownScoringType, templateView } from './template-view';

/** The maximum size of the cache, in characters of templates. */
const KEPT_IN_MEMORY = 20_000_000;

/** A question of a template, with the facts for checking its answers. */
interface TemplateQuestion extends Asked {
  item: string;
  reference: string;
}

/** A verified template, with the documents of its content. */
export interface VerifiedTemplate {
  form: Form;
  activity: string | null;
  subscores: SubscoreDefinition[];
  /** By id. */
  questions: ReadonlyMap<string, TemplateQuestion>;
}

const SEND_BACK = 'send the template back as sessions/templates gave it, or get a new one';

/**
 * Verifies templates that clients send back. Each item and question must match a stored document of the current or an
 * earlier revision. So nobody can be scored by forged questions.
 */
@Injectable()
export class VerifiedTemplates {
  /** Many requests send the same template. Its content never changes; permissions are checked each time. */
  private readonly known = new LRUCache<string, VerifiedTemplate>({ maxSize: KEPT_IN_MEMORY });

  constructor(
    private readonly content: PinnedContent,
    private readonly forms: Forms,
  ) {}

  /**
   * @param at JSON pointer to the template.
   * @throws Fault with all differences between the template and stored documents (20004), and for items of banks that
   * the caller may not read (40003).
   */
  async verified(template: JsonObject, at: string, { readable }: Scope): Promise<VerifiedTemplate> {
    const sent = readTemplate(template, at, MAX_ITEMS);
    const named = sent.items.map((item) => ({ ...item, at: `${item.at}/reference` }));
    const foreign = [...named, ...(sent.activity ? [sent.activity] : [])];
    throwAny(foreign.filter(({ organisation }) => !readable.has(organisation)).map(unreadable));
    throwAny(repeated(named));
    const text = JSON.stringify(template);
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.known.get(key);
    if (known) return known;
    const verified = await this.verify(sent);
    // Current tags decide which items of an adaptive session are on trial. So this does not cache such templates.
    if (!verified.form.settings.eap) this.known.set(key, verified, { size: text.length });
    return verified;
  }

  private async verify(sent: SentTemplate): Promise<VerifiedTemplate> {
    const items = await this.items(sent);
    const activity = await this.activity(sent);
    const scoringType = overrideIn(sent.items, items);
    const shown = templateView({ items, scoringType, activity: sent.activity, subscores: sent.subscores });
    throwAny(differences(sent, shown));
    const references = new Set(items.map(({ reference }) => reference));
    throwAny(faultsIn(sent.subscores, references, `${sent.at}/subscores`));
    const form = await this.forms.compose(
      items.map((item) => formItem(item, scoringType)),
      settingsOf(activityIn(activity?.body)),
    );
    return {
      form,
      activity: sent.activity?.reference ?? null,
      subscores: sent.subscores,
      questions: new Map(
        form.items.flatMap((item, index) =>
          item.questions.map(({ questionId: id, type, reference }, position) => {
            const definition = definitionOf(items[index]!.questions[position]!.body);
            return [id, { item: item.reference, reference, type, definition, offers: offersOf(type, definition) }];
          }),
        ),
      ),
    };
  }

  /** The items with their questions, from the documents that the template names. */
  private async items(sent: SentTemplate): Promise<PinnedItem[]> {
    const records = await this.records(
      'item',
      sent.items.map((item) => ({ ...item, at: `${item.at}/source/hash` })),
    );
    const wanted = sent.items.flatMap((item, index) => questionsOf(item, records[index]!, sent));
    const questions = await this.records('question', wanted);
    let next = 0;
    return records.map((record): PinnedItem => {
      const widgets = widgetsIn(record.body);
      const its = questions.slice(next, (next += widgets.questions.length));
      return {
        ...record,
        status: null,
        questions: its.map((question): PinnedQuestion => ({ ...question, type: question.type ?? '' })),
        features: widgets.features,
      };
    });
  }

  private async activity({ activity, at }: SentTemplate): Promise<PinnedRecord | null> {
    if (!activity) return null;
    const [record] = await this.records('activity', [{ ...activity, at: `${at}/metadata/source/hash` }]);
    return record!;
  }

  /** The documents with these hashes. @throws Fault for each hash that its record never had. */
  private async records(kind: 'item' | 'question' | 'activity', wanted: readonly Wanted[]): Promise<PinnedRecord[]> {
    const found = new Map<string, PinnedRecord>();
    for (const organisation of new Set(wanted.map((each) => each.organisation))) {
      const its = wanted.filter((each) => each.organisation === organisation);
      for (const record of await this.content.ever(organisation, kind, its)) found.set(nameOf(record), record);
    }
    throwAny(
      wanted
        .filter((each) => !found.has(nameOf(each)))
        .map(({ reference, organisation, at }) => ({
          kind: 'value',
          at,
          message: `${place(at)} names no content that the ${kind} ${JSON.stringify(reference)} of organisation ${organisation} has or had; ${SEND_BACK}.`,
        })),
    );
    return wanted.map((each) => found.get(nameOf(each))!);
  }
}

/** The hash of a document that a record must have or have had. */
interface Wanted {
  organisation: number;
  reference: string;
  hash: string;
  at: string;
}

const nameOf = ({ organisation, hash, reference }: Omit<Wanted, 'at'>): string =>
  `${organisation} ${hash} ${reference}`;

/**
 * The questions of an item document, with the hashes from the template.
 * @throws Fault when the ids of the questions differ.
 */
function questionsOf(item: SentItem, { body }: PinnedRecord, { questions }: SentTemplate): Wanted[] {
  const references = widgetsIn(body).questions;
  const idsAt = `${item.at}/question_ids`;
  const faults: FaultDetail[] = [];
  const wrong = (at: string, why: string) =>
    faults.push({ kind: 'value', at, message: `${place(at)} ${why}; ${SEND_BACK}.` });
  if (item.questionIds.length !== references.length)
    wrong(idsAt, `has ${item.questionIds.length} entries; the item has ${references.length} questions`);
  else
    for (const [position, id] of item.questionIds.entries()) {
      const question = questions.get(id);
      const at = `${idsAt}/${position}`;
      if (!question) wrong(at, 'is the id of no question of the template');
      else if (questionId(item.organisation, item.reference, position, question.hash) !== id)
        wrong(at, `is not the id of the question ${JSON.stringify(references[position])} in this item`);
    }
  throwAny(faults);
  return references.map((reference, position) => {
    const { hash, at } = questions.get(item.questionIds[position]!)!;
    return { organisation: item.organisation, reference, hash, at: `${at}/metadata/source/hash` };
  });
}

/**
 * The scoring type that overrides those of the items; undefined when each item has its own.
 * @throws Fault when only some items differ from their own, or not all are the same.
 */
function overrideIn(sent: readonly SentItem[], items: readonly PinnedItem[]): ItemScoringType | undefined {
  const changed = sent.filter(({ scoringType }, index) => scoringType !== ownScoringType(items[index]!.body));
  if (changed.length === 0) return undefined;
  const override = ITEM_SCORING_TYPES.find((type) => sent.every(({ scoringType }) => scoringType === type));
  if (!override)
    throwAny(
      changed.map((item) => {
        const at = `${item.at}/metadata/scoring_type`;
        const message = `${place(at)} is ${JSON.stringify(item.scoringType.slice(0, 60))}, which is neither the type of the item nor one of all items; ${SEND_BACK}.`;
        return { kind: 'value', at, message };
      }),
    );
  return override;
}

/** The differences between a template and its documents: the first in each item and question. */
function differences(sent: SentTemplate, shown: ReturnType<typeof templateView>): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const compare = (whole: unknown, right: unknown, at: string) => {
    const found = differenceIn(whole, right, at);
    if (found === undefined) return;
    const message = `${place(found)} is not what the stored content has there; ${SEND_BACK}.`;
    faults.push({ kind: 'value', at: found, message });
  };
  for (const [index, item] of sent.items.entries()) compare(item.whole, shown.items[index], item.at);
  const known = new Set<string>();
  for (const question of shown.questions) {
    const id = question.id as string;
    known.add(id);
    const { whole, at } = sent.questions.get(id)!;
    compare(whole, question, at);
  }
  compare(sent.metadata, shown.metadata, `${sent.at}/metadata`);
  for (const [id, { at }] of sent.questions)
    if (!known.has(id)) {
      const message = `${place(`${at}/id`)} is the id of no question of the items; ${SEND_BACK}.`;
      faults.push({ kind: 'value', at: `${at}/id`, message });
    }
  return faults;
}
