import { Injectable } from '@nestjs/common';
import { Items, PinnedContent, type PinnedItem } from '#content';
import { Fault, type FaultDetail, type JsonObject, place, type Shelf, throwAny } from '#kernel';
import { Pools } from '#pools';
import { ITEM_SCORING_TYPES, itemScoringType, type ItemScoringType } from '#scoring';
import { type Form, formOf, Forms, itemKey, LiveSessions, settingsOf, subscoresOf } from '#sessions';
import { type AdaptiveRules, type ItemRules, nextItem } from '../domain/adaptive';
import { type Plan, type PlannedFeature } from '../domain/attempt';
import { type Identity, isShuffled, type Terms, type WantedItem } from '../domain/request';
import { shuffled } from '../domain/shuffling';
import { nextTestlet, type Testlet, type TestletRules } from '../domain/testlets';
import { DeliveredContent } from './delivered-content';
import { TestletSearch } from './testlet-search';

/** A request, with the content that it names. */
export interface Wanted extends Identity {
  home: number;
  whole: JsonObject;
  items: WantedItem[];
  /** The organisations that the consumer may read. */
  readable: ReadonlySet<number>;
  activityId: string;
  /** Present when the service chooses among the items. */
  adaptive?: AdaptiveRules;
  frames: { name: 'intro' | 'outro'; item: WantedItem }[];
}

/** The form that a session starts with. */
export interface Composed {
  form: Form;
  plan: Plan;
  /** For an adaptive test: the form of all items that may be chosen. */
  candidates?: Form;
}

/** The maximum number of items among which an adaptive test may choose. */
const MAX_CANDIDATES = 1_000;

/** Makes the forms of sessions from the current item bank. */
@Injectable()
export class Compositions {
  constructor(
    private readonly sessions: LiveSessions,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly items: Items,
    private readonly pools: Pools,
    private readonly delivered: DeliveredContent,
    private readonly testlets: TestletSearch,
  ) {}

  /**
   * The form that a session starts with; for an adaptive test, the first of its candidates or testlets. @throws Fault 20013
   */
  async begun(wanted: Wanted, seed: string): Promise<Composed> {
    const { adaptive: rules } = wanted;
    if (!rules) return this.of(wanted, inOrder(wanted, seed));
    if (rules.type === 'branching') return this.begunByTestlet(wanted, rules, seed);
    const { form: candidates, plan } = await this.of(wanted, await this.candidates(wanted, rules));
    const first = nextItem({ rules, step: null }, candidates.items, [], seed);
    if (!first)
      throw new Fault(
        'item-unknown',
        'adaptive: no item fits; publish items that have the required tags and a difficulty of at least min_item_difficulty.',
        '/adaptive',
      );
    const at = candidates.items.findIndex(({ reference }) => reference === first.reference);
    const form = formOf([candidates.items[at]!], candidates.settings);
    const adaptive = { rules, candidates: candidates.id, step: first.step };
    return { form, plan: { ...plan, items: [{ ...plan.items[at]!, id: first.reference }], adaptive }, candidates };
  }

  private async begunByTestlet(wanted: Wanted, rules: TestletRules, seed: string): Promise<Composed> {
    const found = await this.testlets.find(await this.shelf(wanted.organisation!, wanted), rules);
    const known = new Map<string, WantedItem>();
    for (const { reference, organisation } of found.flatMap(({ items }) => items))
      known.set(itemKey({ reference, organisation }), { id: reference, reference, organisation, at: '/adaptive' });
    const items = [...known.values()];
    if (items.length > MAX_CANDIDATES)
      throw new Fault(
        'too-many',
        `adaptive: the testlets have more than ${MAX_CANDIDATES} items; narrow them with required_tags.`,
        '/adaptive',
      );
    refuseUnreadable(items, wanted);
    const { form: candidates, plan } = await this.of(wanted, items);
    const positions = new Map(candidates.items.map((item, position) => [itemKey(item), position]));
    const all = found.map(({ difficulty, items: its, stages }): Testlet => ({
      difficulty,
      items: its.map((item) => positions.get(itemKey(item))!),
      stages,
    }));
    // Every stage has a testlet, so there is a first one.
    const first = nextTestlet(rules, { all, given: [] }, candidates.items, [], seed)!;
    const planned = new Map(plan.items.map((item) => [itemKey(item), item]));
    const adaptive = { rules, candidates: candidates.id, step: null, testlets: first.testlets };
    return {
      form: formOf(first.items, candidates.settings),
      plan: { ...plan, items: first.items.map((item) => planned.get(itemKey(item))!), adaptive },
      candidates,
    };
  }

  /** The items among which an adaptive test chooses: the listed ones, or all published ones with its tags. */
  private async candidates(wanted: Wanted, rules: ItemRules): Promise<WantedItem[]> {
    if (rules.type === 'itembranching' || (wanted.items.length > 0 && rules.tags.length === 0)) return wanted.items;
    const bank = wanted.organisation!;
    const listed = wanted.items.filter(({ organisation = bank }) => organisation === bank);
    const { entries } = await this.items.find(await this.shelf(bank, wanted), {
      ...(wanted.items.length > 0 ? { references: listed.map(({ reference }) => reference) } : {}),
      status: ['published'],
      tags: { all: rules.tags, either: [], none: [] },
      sort: { field: 'created', ascending: true },
      limit: MAX_CANDIDATES + 1,
    });
    if (entries.length > MAX_CANDIDATES)
      throw new Fault(
        'too-many',
        `adaptive: more than ${MAX_CANDIDATES} items may be chosen; narrow them with required_tags or items.`,
        '/adaptive/required_tags',
      );
    return entries.map(({ reference }) => ({ id: reference, reference, organisation: bank, at: '/adaptive' }));
  }

  /** The form of current items, and the plan for the page. @throws Fault 20013 */
  async of(wanted: Wanted, items: readonly WantedItem[]): Promise<{ form: Form; plan: Plan }> {
    const { whole, activityId, template, organisation } = wanted;
    const bank = organisation!;
    const shelf = await this.shelf(bank, wanted);
    const named = items.map((item) => ({ ...item, organisation: item.organisation ?? bank }));
    const pinned = await this.forms.pinned(bank, named, shelf.pool);
    const features = new Map<string, PlannedFeature>();
    for (const owner of new Set(named.map((item) => item.organisation))) {
      const its = owner === bank ? shelf : { organisation: owner };
      await this.featuresIn(its, [...pinned.values()], features);
    }
    throwAny(
      named.flatMap((item): FaultDetail[] => {
        const found = pinned.get(itemKey(item));
        if (found?.status === 'published') return [];
        const why = found ? 'is not published' : 'does not exist';
        const message = `The item ${JSON.stringify(item.reference)} of organisation ${item.organisation} ${why}; publish it, or leave it out.`;
        return [{ kind: 'item-unknown', at: item.at, message }];
      }),
    );
    const contents = named.map((item) => pinned.get(itemKey(item))!);
    const references = new Set(named.map(({ reference }) => reference));
    const form = await this.sessions.compose(contents, settingsOf(whole), scoringTypeIn(whole));
    const plan: Plan = {
      activityId,
      activityTemplateId: template,
      subscores: subscoresOf(whole)
        .map((subscore) => ({ ...subscore, items: subscore.items.filter((item) => references.has(item)) }))
        .filter(({ items: its }) => its.length > 0),
      metadata: {},
      items: named.map(({ id, reference, organisation: owner }, index) => ({
        id,
        reference,
        organisation: owner,
        features: plannedOf(contents[index], features),
      })),
    };
    return { form, plan };
  }

  /**
   * The items shown before and after the test. @throws Fault 20013
   */
  async frames(wanted: Wanted, seed: string, terms: Terms): Promise<{ intro?: JsonObject; outro?: JsonObject }> {
    const frames: { intro?: JsonObject; outro?: JsonObject } = {};
    for (const { name, item } of wanted.frames) {
      const { form } = await this.of(wanted, [item]);
      const plan = {
        activityId: '',
        activityTemplateId: null,
        subscores: [],
        metadata: {},
        ...(await this.presentPlan(form)),
      };
      // Removes questions, because they would not belong to the session.
      const shown = { ...form, items: form.items.map((each) => ({ ...each, questions: [] })) };
      [frames[name]] = await this.delivered.items({ form: shown, plan, seed, session: undefined }, terms, false);
    }
    return frames;
  }

  /** Items with their current features. */
  async presentPlan(form: Form): Promise<Pick<Plan, 'items'>> {
    const pinned = await this.forms.pinned(form.items[0]!.organisation, form.items);
    const features = new Map<string, PlannedFeature>();
    for (const organisation of new Set(form.items.map((item) => item.organisation)))
      await this.featuresIn({ organisation }, [...pinned.values()], features);
    return {
      items: form.items.map(({ reference, organisation }) => ({
        id: reference,
        reference,
        organisation,
        features: plannedOf(pinned.get(itemKey({ reference, organisation })), features),
      })),
    };
  }

  /** Adds the features that items of a shelf have, by `itemKey`. */
  private async featuresIn(
    shelf: Shelf,
    items: readonly PinnedItem[],
    found: Map<string, PlannedFeature>,
  ): Promise<void> {
    const { organisation } = shelf;
    const references = items.filter((item) => item.organisation === organisation).flatMap((item) => item.features);
    if (references.length === 0) return;
    for (const [reference, { type, document }] of await this.content.features(shelf, references))
      found.set(itemKey({ organisation, reference }), { reference, type, document, organisation });
  }

  async shelf(organisation: number, { pool }: Identity) {
    return pool === undefined ? { organisation } : { organisation, pool: await this.pools.shelf(organisation, pool) };
  }
}

function plannedOf(item: PinnedItem | undefined, features: ReadonlyMap<string, PlannedFeature>): PlannedFeature[] {
  const named = item?.features ?? [];
  return named.flatMap((reference) => features.get(itemKey({ organisation: item!.organisation, reference })) ?? []);
}

/** The items of a test in the order of a session. */
function inOrder({ whole, items }: Wanted, seed: string): readonly WantedItem[] {
  return isShuffled(whole) ? shuffled(items.length, seed, 'items').map((position) => items[position]!) : items;
}

function scoringTypeIn({ scoring_type: type }: JsonObject): ItemScoringType | undefined {
  if (type === undefined || type === null) return undefined;
  if (![...ITEM_SCORING_TYPES, 'per-dichotomous'].includes(type as string))
    throw new Fault('value', `scoring_type must be one of ${ITEM_SCORING_TYPES.join(', ')}.`, '/scoring_type');
  return itemScoringType(type);
}

/** @throws Fault 41003 for items of organisations that the consumer may not read. */
export function refuseUnreadable(
  items: readonly WantedItem[],
  { organisation: bank, readable }: Pick<Wanted, 'organisation' | 'readable'>,
): void {
  throwAny(
    items
      .filter(({ organisation = bank }) => !readable.has(organisation!))
      .map(({ organisation, at }) => ({
        kind: 'no-rights',
        at,
        message: `${place(at)} is of organisation ${organisation}, which the consumer may not read.`,
      })),
  );
}
