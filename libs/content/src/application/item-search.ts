import { Injectable } from '@nestjs/common';
import { MANUAL_USER, type Position } from '#kernel';
import { type WorkflowFilter, Workflows } from '#workflows';
import { type Highlight, highlightsIn, type Source } from '../domain/highlights';
import { type Term, termsOf } from '../domain/search-words';
import { type Facet, type FacetCount, FacetReader } from './ports/facet-reader';
import { type Hit, type HitPage, type SearchConditions, SearchIndex } from './ports/search-index';

type ItemConditions = Omit<SearchConditions, 'createdBy' | 'workflow'> & {
  createdBy?: readonly string[];
  workflow?: WorkflowFilter;
};

type ItemSearchQuery = ItemConditions & {
  /** Words, which may be beginnings of words, and phrases in quotation marks. */
  text: string;
  limit: number;
  after?: Position;
};

export interface Counted {
  total: number;
  /** Whether all items were counted. */
  isComplete: boolean;
  counts: Partial<Record<Facet, FacetCount[]>>;
}

export interface FoundItem extends Hit {
  highlights: Highlight[];
}

interface Found extends Pick<HitPage, 'waiting'> {
  entries: FoundItem[];
  after?: Position;
}

/** The maximum number of hits over all pages. A caller who needs more should search for more words. */
const MAX_HITS = 1_000;

/** Finds items by the words in their texts and in the texts of their questions and features. */
@Injectable()
export class ItemSearch {
  constructor(
    private readonly index: SearchIndex,
    private readonly facets: FacetReader,
    private readonly workflows: Workflows,
  ) {}

  /**
   * The best hits first, at most `MAX_HITS` over all pages. A page begins after the number of hits on the previous
   * pages. So an item that is written meanwhile may move others to another page.
   * @throws Fault for a text without words, with too many, or with a quotation mark that has no second one.
   */
  async find(organisation: number, { text, limit, after, ...others }: ItemSearchQuery): Promise<Found> {
    const terms = termsOf(text, '/text');
    const [offset] = (after ?? [0]) as [number];
    const conditions = await this.conditions(organisation, others);
    const page = { offset, limit: Math.min(limit, MAX_HITS - offset) };
    const { hits, more, waiting } = await this.index.find(organisation, terms, conditions, page);
    const next = offset + hits.length;
    return {
      entries: await this.highlighted(organisation, hits, terms),
      after: more && next < MAX_HITS ? [next] : undefined,
      waiting,
    };
  }

  /** Counts the items for the commonest values of each facet. With a text, counts only items with all its words. */
  async count(
    organisation: number,
    { text, ...others }: ItemConditions & { text?: string },
    facets: readonly Facet[],
    limit: number,
  ): Promise<Counted> {
    const terms = text === undefined ? undefined : termsOf(text, '/text');
    const conditions = await this.conditions(organisation, others);
    const [total, ...counts] = await Promise.all([
      this.facets.total(organisation, terms, conditions),
      ...facets.map(
        async (facet) => [facet, await this.facets.count(organisation, facet, terms, conditions, limit)] as const,
      ),
    ]);
    return { ...total, counts: Object.fromEntries(counts) };
  }

  private async conditions(organisation: number, { createdBy, workflow, ...others }: ItemConditions) {
    return {
      ...others,
      createdBy: createdBy?.flatMap((id) => (id === MANUAL_USER ? [id, null] : [id])),
      workflow: workflow && (await this.workflows.wanted(organisation, workflow)),
    };
  }

  /** Reads the texts of an item's widgets only when the item's own text lacks one of the terms. */
  private async highlighted(organisation: number, hits: readonly Hit[], terms: readonly Term[]): Promise<FoundItem[]> {
    const own = hits.map(({ reference, text }): Source => ({ kind: 'item', reference, text: text ?? '' }));
    const found = own.map((source) => highlightsIn([source], terms));
    const widgets = await this.index.widgetTexts(
      organisation,
      hits.flatMap(({ id }, index) => (found[index]!.isComplete ? [] : [id])),
    );
    return hits.map((hit, index) => {
      const more = widgets.get(hit.id);
      const { highlights } = more ? highlightsIn([own[index]!, ...more], terms) : found[index]!;
      return { ...hit, highlights };
    });
  }
}
