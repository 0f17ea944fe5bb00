import { Injectable } from '@nestjs/common';
import { Activities, itemsIn, type NamedItem, type StoredRecord } from '#content';
import { Fault, type JsonObject, type Shelf } from '#kernel';
import { isInRange, type TestletRules } from '../domain/testlets';

/** An activity that a test may choose as a testlet. */
interface FoundTestlet {
  difficulty: number;
  items: NamedItem[];
  /** Positions of the stages in which it may be chosen. */
  stages: number[];
}

/** The maximum number of testlets among which a test may choose. */
const MAX_TESTLETS = 200;

/** Finds the testlets of adaptive tests: published activities with the required tags and a difficulty. */
@Injectable()
export class TestletSearch {
  constructor(private readonly activities: Activities) {}

  /** @throws Fault 20013 for a stage for which no testlet fits. */
  async find(shelf: Shelf, rules: TestletRules): Promise<FoundTestlet[]> {
    const found = new Map<string, FoundTestlet>();
    const stages = rules.stages ?? [[]];
    for (const [stage, tags] of stages.entries()) {
      const at = rules.stages ? `/adaptive/sequence/${stage}` : '/adaptive';
      const { entries } = await this.activities.find(shelf, {
        status: ['published'],
        tags: { all: [...rules.tags, ...tags], either: [], none: [] },
        sort: { field: 'created', ascending: true },
        limit: MAX_TESTLETS + 1,
      });
      let count = 0;
      for (const record of entries) {
        const testlet = found.get(record.id) ?? testletOf(record, shelf.organisation, rules, at);
        if (!testlet) continue;
        found.set(record.id, testlet);
        if (rules.stages) testlet.stages.push(stage);
        count += 1;
      }
      if (count === 0)
        throw new Fault(
          'item-unknown',
          'adaptive: no testlet fits; publish activities that have the required tags, items, and a difficulty within the bounds.',
          at,
        );
      if (found.size > MAX_TESTLETS || entries.length > MAX_TESTLETS)
        throw new Fault(
          'too-many',
          `adaptive: more than ${MAX_TESTLETS} activities may be chosen; narrow them with required_tags.`,
          `${at}/required_tags`,
        );
    }
    return [...found.values()];
  }
}

function testletOf(
  { reference, body }: StoredRecord,
  own: number,
  rules: TestletRules,
  at: string,
): FoundTestlet | undefined {
  const { adaptive, data } = JSON.parse(body) as { adaptive?: { difficulty: number | null }; data: JsonObject };
  const items = itemsIn(body, own);
  const difficulty = adaptive?.difficulty ?? null;
  if (items.length === 0 || !isInRange(rules, difficulty)) return undefined;
  const config = data.config as JsonObject | null | undefined;
  if ((data.adaptive ?? config?.adaptive ?? null) !== null)
    throw new Fault(
      'value',
      `adaptive: the activity ${JSON.stringify(reference)} is itself adaptive; a testlet has a fixed list of items.`,
      at,
    );
  return { difficulty, items, stages: [] };
}
