import { type Entry } from '#interchange';
import { inParts, isObject, type Json, type JsonObject } from '#kernel';
import { type Incomplete, type Part, PARTS, type Progress } from './pull-state';
import { isBadRequest, isNotOffered, type RemoteCalls, RemoteError, VALUE } from './remote-calls';
import { type RemoteFiles } from './remote-files';
import {
  activityRecord,
  type Converted,
  hierarchyRecord,
  itemRecord,
  type Loose,
  poolRecord,
  RemoteBankId,
  tagRecord,
  widgetRecord,
  workflowRecord,
} from './remote-records';

/** Entries of the other bank, and the position of the next page. */
export interface PulledPage {
  entries: Entry[];
  then: Pick<Progress, 'part' | 'next'> | undefined;
}

const PATHS: Record<Part, string> = {
  tags: 'itembank/tagging/tags',
  hierarchies: 'itembank/tagging/hierarchies',
  workflows: 'itembank/workflows',
  items: 'itembank/items',
  features: 'itembank/features',
  questions: 'itembank/questions',
  activities: 'itembank/activities',
  pools: 'itembank/pools',
};
/** The largest page that servers return. */
const PAGE_SIZE = 50;
const STATUSES = ['published', 'unpublished', 'archived'];
/** The parts that can be read by their time of change. */
const DATED: readonly Part[] = ['items', 'features', 'questions', 'activities'];
const INCLUDES: Partial<Record<Part, JsonObject>> = {
  items: { items: ['adaptive', 'authoring_workflow', 'dynamic_content_data'] },
  activities: { activities: ['title', 'metadata'] },
};
/** Only an Itembank returns this member of a pool. */
const POOL_INCLUDE: JsonObject = { pools: ['status_after_fill'] };

/** A bank behind the API of another server. */
export class RemoteBank {
  private readonly id: RemoteBankId;
  /** References of the questions and features that came with their items. */
  private readonly held = new Set<string>();
  /** Whether the server returns `status_after_fill`; false after it has refused this. */
  private knowsPoolInclude = true;

  constructor(
    private readonly calls: RemoteCalls,
    private readonly files: RemoteFiles,
    private readonly organisation: number | undefined,
  ) {
    this.id = new RemoteBankId(organisation);
  }

  /** The time of the other server, in Unix seconds. @throws RemoteError when the bank cannot be read. */
  async now(): Promise<number> {
    const { timestamp } = await this.calls.get(PATHS.items, this.request('items', undefined, 1));
    return timestamp ?? Math.floor(Date.now() / 1000);
  }

  /**
   * @param from where to begin; absent: at the beginning. Sessions are pulled after all parts of the bank.
   * @param since only what has changed since this moment, in Unix seconds.
   * @param again activities and pools to read even if they have not changed.
   */
  async *pages(
    from: Pick<Progress, 'part' | 'next'> | undefined,
    since: number | undefined,
    again: Incomplete = { activities: [], pools: [] },
  ): AsyncGenerator<PulledPage> {
    if (from?.part === 'sessions') return;
    const first = from ? PARTS.indexOf(from.part) : 0;
    for (const [index, part] of PARTS.entries()) {
      if (index < first) continue;
      const following = PARTS[index + 1];
      let next = index === first ? from?.next : undefined;
      if (part === 'activities')
        for (const references of inParts(again.activities, PAGE_SIZE)) {
          const { data } = await this.calls.get(PATHS[part], {
            ...this.request(part, undefined, PAGE_SIZE),
            references,
          });
          const records = Array.isArray(data) ? data.filter(isObject) : [];
          yield { entries: await this.entriesOf(part, records, since, again), then: undefined };
        }
      for (let isFirst = true; isFirst || next !== undefined; isFirst = false) {
        const page = await this.page(part, next, since, isFirst);
        if (page.next !== undefined && page.next === next)
          throw new RemoteError(`${PATHS[part]} of ${this.calls.url} gives the same page again and again.`);
        next = page.next;
        const entries = await this.entriesOf(part, page.records, since, again);
        yield { entries, then: next !== undefined ? { part, next } : following && { part: following } };
      }
    }
  }

  private async page(
    part: Part,
    next: string | undefined,
    since: number | undefined,
    mayBeOld: boolean,
  ): Promise<{ records: JsonObject[]; next: string | undefined }> {
    const request = this.request(part, since, PAGE_SIZE);
    try {
      const answer = await this.calls.get(PATHS[part], { ...request, ...(next !== undefined && { next }) });
      const records = Array.isArray(answer.data) ? answer.data : Object.values(answer.data ?? {});
      if (!records.every(isObject))
        throw new RemoteError(`${PATHS[part]} of ${this.calls.url} answers with something other than records.`);
      return { records, next: records.length === 0 ? undefined : answer.next };
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (part === 'pools' && this.knowsPoolInclude && isBadRequest(error.code)) {
        this.knowsPoolInclude = false;
        return this.page(part, next, since, mayBeOld);
      }
      // The token has expired. So this reads the part from its beginning; records that are stored already are skipped.
      if (error.code === VALUE && mayBeOld && next !== undefined) return this.page(part, undefined, since, false);
      if (part !== 'items' && isNotOffered(error.code)) return { records: [], next: undefined };
      throw error;
    }
  }

  private bank(): JsonObject {
    return this.organisation === undefined ? {} : { organisation_id: this.organisation };
  }

  private request(part: Part, since: number | undefined, limit: number): JsonObject {
    const dated = DATED.includes(part);
    return {
      ...this.bank(),
      ...(part !== 'hierarchies' && { limit }),
      ...(part === 'tags' && { sort: 'asc', sort_field: 'created' }),
      ...(dated && { sort: 'asc', sort_field: since === undefined ? 'created' : 'updated' }),
      ...(dated && since !== undefined && { mintime: since }),
      ...((part === 'items' || part === 'activities') && { status: STATUSES }),
      ...(INCLUDES[part] && { include: INCLUDES[part] }),
      ...(part === 'pools' && this.knowsPoolInclude && { include: POOL_INCLUDE }),
    };
  }

  private async entriesOf(
    part: Part,
    records: readonly JsonObject[],
    since: number | undefined,
    again: Incomplete,
  ): Promise<Entry[]> {
    const { url } = this.calls;
    const at = (reference: string) => `${url}#/${part}/${reference}`;
    const entry = ({ reference, record, kind, notes }: Converted): Entry => {
      if (record === null) return { source: at(reference), reference, record, kind, notes, assets: [] };
      const { value, assets } = this.files.withTokens(record as unknown as Json);
      return { source: at(reference), reference, record: value as unknown as Entry['record'], notes, assets };
    };
    const loose = records.map((record): Loose => ({
      ...record,
      reference: typeof record.reference === 'string' ? record.reference : '',
    }));
    switch (part) {
      case 'tags':
        return records.map((record) => entry(tagRecord(record)));
      case 'hierarchies':
        return records.map((record) => entry(hierarchyRecord(record)));
      case 'workflows':
        return records.map((record) => entry(workflowRecord(record)));
      case 'items': {
        const widgets = await this.widgetsOf(loose);
        return loose.map((item) => entry(itemRecord(item, widgets, at(item.reference))));
      }
      case 'features':
      case 'questions': {
        const kind = part === 'features' ? 'feature' : 'question';
        const others = loose.filter(({ reference }) => !this.held.has(reference));
        return others.map((widget) => entry(widgetRecord(kind, widget, at(widget.reference))));
      }
      case 'activities':
        return loose.map((activity) => entry(activityRecord(activity, at(activity.reference), this.id)));
      case 'pools': {
        const entries: Entry[] = [];
        for (const pool of loose)
          if (isChanged(pool, since) || again.pools.includes(pool.reference))
            entries.push(entry(await this.pool(pool)));
        return entries;
      }
    }
  }

  /** The questions and features of the items, by reference. */
  private async widgetsOf(items: readonly Loose[]): Promise<Map<string, Loose>> {
    const widgets = new Map<string, Loose>();
    for (const part of ['features', 'questions'] as const) {
      const holders = items.filter((item) => Array.isArray(item[part]) && item[part].length > 0);
      if (holders.length === 0) continue;
      const request = {
        ...this.bank(),
        item_references: holders.map(({ reference }) => reference),
        limit: PAGE_SIZE,
        sort: 'asc',
      };
      for await (const { data } of this.all(PATHS[part], request))
        for (const list of Array.isArray(data) ? [] : Object.values(data as JsonObject))
          for (const widget of Array.isArray(list) ? list.filter(isObject) : [])
            if (typeof widget.reference === 'string') {
              widgets.set(widget.reference, widget as Loose);
              this.held.add(widget.reference);
            }
    }
    return widgets;
  }

  private async pool(pool: Loose): Promise<Converted> {
    const of = async (part: 'items' | 'activities'): Promise<string[]> => {
      const references: string[] = [];
      const request = {
        ...this.bank(),
        item_pool_id: pool.reference,
        status: STATUSES,
        limit: PAGE_SIZE,
        sort: 'asc',
      };
      for await (const { data } of this.all(PATHS[part], request))
        for (const record of Array.isArray(data) ? data.filter(isObject) : [])
          if (typeof record.reference === 'string') references.push(record.reference);
      return references;
    };
    return poolRecord(pool, await of('items'), await of('activities'));
  }

  private async *all(path: string, request: JsonObject): AsyncGenerator<{ data: Json }> {
    let next: string | undefined;
    do {
      const page = await this.calls.get(path, { ...request, ...(next !== undefined && { next }) });
      yield page;
      const count = Object.keys(page.data ?? {}).length;
      if (count === 0) return;
      if (page.next !== undefined && page.next === next)
        throw new RemoteError(`${path} of ${this.calls.url} gives the same page again and again.`);
      next = page.next;
    } while (next !== undefined);
  }
}

/** Only a fill changes the content of a pool, so the pool's own time of update suffices. */
function isChanged({ dt_updated }: Loose, since: number | undefined): boolean {
  const updated = typeof dt_updated === 'string' ? Date.parse(dt_updated) : NaN;
  return since === undefined || Number.isNaN(updated) || updated >= since * 1000;
}
