import { Injectable } from '@nestjs/common';
import { MANUAL_USER, type Position } from '#kernel';
import { type WorkflowFilter, Workflows } from '#workflows';
import { type Highlight, highlightsIn } from '../domain/highlights';
import { termsOf } from '../domain/search-words';
import { type Hit, type SearchConditions, SearchIndex } from './ports/search-index';

export type ItemSearchQuery = Omit<SearchConditions, 'createdBy' | 'workflow'> & {
  /** Words, which may be beginnings of words, and phrases in quotation marks. */
  text: string;
  createdBy?: readonly string[];
  workflow?: WorkflowFilter;
  limit: number;
  after?: Position;
};

export interface FoundItem extends Hit {
  highlights: Highlight[];
}

export interface Found {
  entries: FoundItem[];
  after?: Position;
  /** The number of items of the bank whose index entry is missing or out of date, counted up to `MAX_WAITING`. */
  waiting: number;
}

/** The maximum number of hits over all pages. A caller who needs more should search for more words. */
export const MAX_HITS = 1_000;
export const MAX_WAITING = 1_000;

/** Finds items by the words in their texts and in the texts of their questions and features. */
@Injectable()
export class ItemSearch {
  constructor(
    private readonly index: SearchIndex,
    private readonly workflows: Workflows,
  ) {}

  /**
   * The best hits first, at most `MAX_HITS` over all pages. A page begins after the number of hits on the previous
   * pages. So an item that is written meanwhile may move others to another page.
   * @throws Fault for a text without words, with too many, or with a quotation mark that has no second one.
   */
  async find(
    organisation: number,
    { text, createdBy, workflow, limit, after, ...others }: ItemSearchQuery,
  ): Promise<Found> {
    const terms = termsOf(text, '/text');
    const [offset] = (after ?? [0]) as [number];
    const conditions = {
      ...others,
      createdBy: createdBy?.flatMap((id) => (id === MANUAL_USER ? [id, null] : [id])),
      workflow: workflow && (await this.workflows.wanted(organisation, workflow, '/authoring_workflow')),
    };
    const page = { offset, limit: Math.min(limit, MAX_HITS - offset) };
    const [{ hits, more }, waiting] = await Promise.all([
      this.index.find(organisation, terms, conditions, page),
      this.index.waiting(organisation, MAX_WAITING),
    ]);
    const texts = await this.index.texts(
      organisation,
      hits.map(({ id }) => id),
    );
    const next = offset + hits.length;
    return {
      entries: hits.map((hit) => ({ ...hit, highlights: highlightsIn(texts.get(hit.id) ?? [], terms) })),
      after: more && next < MAX_HITS ? [next] : undefined,
      waiting,
    };
  }
}
