import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type PackagePart, PackageParts, type PackedFile, type PackedRecords, type StoredRecord } from '#content';
import { Fault, type JsonObject } from '#kernel';
import { PACKAGE_ROOT } from '#platform';
import { itemScoringType } from '#scoring';
import { definitionOf } from '#sessions';
import { layoutOf } from '../domain/layout';
import { type Extras, featureView, opaqueId, questionView } from '../domain/question-view';
import { activityView } from '../domain/activity-view';
import { itemsIn, merged, termsIn, timeIn } from '../domain/request';
import { presentationOf } from '../domain/shuffling';
import { adaptiveIn } from '../domain/adaptive';
import { placeholder } from './delivered-content';

const PLAYER = join(PACKAGE_ROOT, 'dist/apps/player/offline');

/** An activity in the list of a package. */
interface Listed {
  reference: string;
  title: string;
  /** The path of the script that contains it. */
  file: string;
}

/** The parts of an activity that its page needs. */
interface Playable {
  terms: ReturnType<typeof termsIn>;
  items: ReturnType<typeof itemsIn>;
  time: ReturnType<typeof timeIn>;
}

/** Undefined for an activity that no page can start, such as one without items. */
function playableIn(whole: JsonObject): Playable | undefined {
  try {
    return { terms: termsIn(whole), items: itemsIn(whole), time: timeIn(whole) };
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** Makes pages that play the activities of offline packages without a server. */
@Injectable()
export class OfflinePlays implements PackagePart {
  constructor(parts: PackageParts) {
    parts.add(this);
  }

  async *files(packed: PackedRecords): AsyncGenerator<PackedFile> {
    if (packed.activities.length === 0) return;
    const page = await readFile(join(PLAYER, 'index.html'), 'utf8');
    yield file('index.html', 'text/html', page);
    yield {
      path: 'player/offline.js',
      contentType: 'text/javascript',
      content: createReadStream(join(PLAYER, 'offline.js')),
    };
    const listed: Listed[] = [];
    for await (const activity of packed.records(packed.organisation, 'activity', packed.activities)) {
      const { data = {} } = JSON.parse(activity.body) as { data?: JsonObject };
      const whole = merged({}, data);
      // An adaptive test needs the service for its next item.
      if (isAdaptive(whole)) continue;
      const playable = playableIn(whole);
      if (!playable) continue;
      const path = `player/activity-${listed.length + 1}.js`;
      const started = JSON.stringify(await this.started(packed, activity.reference, whole, playable));
      yield file(path, 'text/javascript', `ItembankOffline.play(${packed.rewritten(started)});\n`);
      listed.push({ reference: activity.reference, title: titleOf(whole) ?? activity.reference, file: path });
    }
    const list = JSON.stringify({ package: packed.reference, activities: listed });
    yield file('player/activities.js', 'text/javascript', `ItembankOffline.list(${list});\n`);
  }

  /** The content of a page at its start, without right answers. */
  private async started(
    packed: PackedRecords,
    reference: string,
    whole: JsonObject,
    { terms, items: named, time }: Playable,
  ): Promise<JsonObject> {
    const extras: Extras = {
      instructorStimulus: false,
      isReview: false,
      validParts: null,
      acknowledgements: terms.acknowledgements,
      ignored: terms.ignored,
    };
    const wanted = named.map((item) => ({ ...item, organisation: item.organisation ?? packed.organisation }));
    const records = await this.recordsOf(packed, wanted);
    const items = wanted.flatMap((item) => this.item(packed.reference, item, records, extras) ?? []);
    const { maxTime, isHard } = time;
    return {
      organisation_id: packed.organisation,
      activity: {
        ...activityView(whole, { activity_template_id: reference }, 'initial', reference),
        name: titleOf(whole) ?? reference,
        rendering_type: 'assess',
      },
      items,
      time: { max_time: maxTime, limit_type: isHard ? 'hard' : 'soft' },
    };
  }

  /** The items and their widgets, by kind, organisation and reference. */
  private async recordsOf(
    packed: PackedRecords,
    wanted: readonly { organisation: number; reference: string }[],
  ): Promise<Map<string, StoredRecord>> {
    const found = new Map<string, StoredRecord>();
    for (const organisation of new Set(wanted.map((item) => item.organisation))) {
      const held = { question: new Set<string>(), feature: new Set<string>() };
      const references = wanted.filter((item) => item.organisation === organisation).map(({ reference }) => reference);
      for await (const item of packed.records(organisation, 'item', references)) {
        found.set(keyOf('item', organisation, item.reference), item);
        const { questions, features } = bodyOf(item);
        for (const { reference } of questions) held.question.add(reference);
        for (const { reference } of features) held.feature.add(reference);
      }
      for (const kind of ['question', 'feature'] as const)
        for await (const record of packed.records(organisation, kind, held[kind]))
          found.set(keyOf(kind, organisation, record.reference), record);
    }
    return found;
  }

  /** An item as pages get it, with the names of its answers in sessions. */
  private item(
    seed: string,
    { id, reference, organisation }: { id: string; reference: string; organisation: number },
    records: ReadonlyMap<string, StoredRecord>,
    extras: Extras,
  ): JsonObject | undefined {
    const record = records.get(keyOf('item', organisation, reference));
    if (!record) return undefined;
    const { definition, metadata, questions, features } = bodyOf(record);
    const held = (kind: 'question' | 'feature', widgets: { reference: string }[]) =>
      widgets.flatMap((widget) => records.get(keyOf(kind, organisation, widget.reference)) ?? []);
    const placeholders = new Map<string, string>();
    const shown: JsonObject[] = [];
    const stored: JsonObject = {};
    for (const question of held('question', questions)) {
      const data = definitionOf(question.body);
      const name = `${organisation} ${reference} ${question.reference}`;
      const presentation = presentationOf(data, data.type, seed, name);
      const responseId = opaqueId(seed, name);
      placeholders.set(question.reference, placeholder('response question', responseId));
      shown.push(questionView(data, responseId, presentation, extras));
      stored[responseId] = {
        question_reference: question.reference,
        ...(presentation.moved ? { moved: presentation.moved } : {}),
      };
    }
    const views: JsonObject[] = [];
    for (const feature of held('feature', features)) {
      const id = opaqueId(seed, `feature ${organisation} ${reference} ${feature.reference}`);
      placeholders.set(feature.reference, placeholder('feature feature', id));
      views.push(featureView(definitionOf(feature.body), id, extras));
    }
    return {
      id,
      reference,
      organisation_id: organisation,
      content: layoutOf(definition, placeholders),
      metadata: { scoring_type: itemScoringType(metadata?.scoring_type) },
      questions: shown,
      features: views,
      response_ids: shown.map(({ response_id }) => response_id!),
      feature_ids: views.map(({ feature_id }) => feature_id!),
      stored,
    };
  }
}

function file(path: string, contentType: string, text: string): PackedFile {
  return {
    path,
    contentType,
    content: (async function* () {
      yield text;
    })(),
  };
}

interface ItemBody {
  definition: JsonObject;
  metadata?: JsonObject | null;
  questions: { reference: string }[];
  features: { reference: string }[];
}

const bodyOf = ({ body }: StoredRecord): ItemBody => JSON.parse(body) as ItemBody;
const keyOf = (kind: string, organisation: number, reference: string) => `${kind} ${organisation} ${reference}`;

function isAdaptive(whole: JsonObject): boolean {
  try {
    return adaptiveIn(whole) !== undefined;
  } catch {
    return true;
  }
}

function titleOf({ config }: JsonObject): string | undefined {
  const title = typeof config === 'object' && config !== null && !Array.isArray(config) ? config.title : undefined;
  return typeof title === 'string' && title !== '' ? title : undefined;
}
