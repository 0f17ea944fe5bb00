import { Injectable } from '@nestjs/common';
import { PinnedContent, type PinnedItem } from '#content';
import { Fault, type FaultDetail, inParts, place, type Scope, type Shelf, throwAny } from '#kernel';
import { Pools } from '#pools';
import { formItem, type SessionFacts, type SessionFilter, SessionReader, sessionTwice } from '#sessions';
import { type NewQuestion, type QuestionRules, whyUnlike } from '../domain/rescoring';
import { Pairing } from './pairing';

/** An item in a request. */
export interface RescoringItem {
  reference: string;
  /** Absent: the organisation of the sessions. */
  organisation?: number;
  /** Reference of an item pool; absent: the item bank. */
  pool?: string;
}

export interface RescoringRequest {
  /** The ids of the sessions, or a filter of completed sessions. A filter selects only sessions that show the item. */
  sessions: readonly string[] | SessionFilter;
  target: RescoringItem;
  /** The item whose questions are used; absent: `target`. */
  copy?: RescoringItem;
  /** Also replaces scores that a person gave. */
  overwriteManual: boolean;
}

interface Found {
  at: string;
  organisation: number;
  item: PinnedItem;
}

const READ_BATCH_SIZE = 500;
/** The largest number of present references that a message names. */
const MAX_NAMED = 5;

/** Checks whether a rescoring is possible. Any fault prevents the whole rescoring. */
@Injectable()
export class RescoringChecks {
  constructor(
    private readonly content: PinnedContent,
    private readonly pools: Pools,
    private readonly pairing: Pairing,
    private readonly reader: SessionReader,
  ) {}

  /**
   * The questions of the rescoring, pinned in their current state. Each session that contains the item must have these
   * questions, in any order. Questions of another item must have the number, types and order of the item's own
   * questions, both now and in the sessions.
   * @throws Fault 20013 for an unknown item, 30001 for an unknown pool, 40003 for an item of a bank that the caller may
   * not read, 20016 for sessions that do not exist or are not completed, 30000 for repeated sessions, 20004 for items
   * that do not fit, and for items with content that is generated for each learner in any revision.
   */
  async rules({ sessions, target, copy }: RescoringRequest, scope: Scope): Promise<QuestionRules> {
    // The job checks the sessions of a filter, and skips those that do not fit.
    const sessionIds = isFilter(sessions) ? [] : sessions;
    const faults = repeated(sessionIds);
    const known = await this.item(target, '/target_item', scope, faults);
    const copied = copy && (await this.item(copy, '/copy_item', scope, faults));
    const isOther = known && copied && !isSame(known, copied);
    if (isOther) faults.push(...unlike(copied, known));
    const source = copy ? copied : known;
    const rules = known &&
      source && {
        item: { organisation: known.organisation, record: known.item.record },
        questions: questionsOf(source.item),
        ...(isOther ? { replaced: known.item.questions.map(({ reference }) => reference) } : {}),
      };
    faults.push(...(await this.sessions(sessionIds, scope.shelf.organisation, rules)));
    throwAny(faults);
    return rules!;
  }

  private async item(
    { reference, organisation: of, pool }: RescoringItem,
    at: string,
    { shelf, readable }: Scope,
    faults: FaultDetail[],
  ): Promise<Found | undefined> {
    const organisation = of ?? shelf.organisation;
    if (!readable.has(organisation)) {
      const where = `${at}/organisation_id`;
      const message = `${place(where)} is ${organisation}, an item bank that you may not read.`;
      faults.push({ kind: 'no-rights', message, at: where });
      return undefined;
    }
    const from: Shelf = { organisation };
    if (pool !== undefined)
      try {
        from.pool = await this.pools.shelf(organisation, pool, `${at}/item_pool_id`);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        faults.push(...error.details);
        return undefined;
      }
    const item = (await this.content.items(from, [reference])).get(reference);
    const where = `${at}/reference`;
    if (!item) {
      const shelfName = pool === undefined ? `item bank ${organisation}` : `item pool ${JSON.stringify(pool)}`;
      const renamed = pool === undefined ? await this.content.itemsOnceCalled(organisation, [reference]) : undefined;
      const now = (renamed?.get(reference) ?? [])
        .slice(0, MAX_NAMED)
        .map((each) => JSON.stringify(each))
        .join(' or ');
      const hint = now === '' ? '' : `; the item that had this reference is called ${now} now`;
      const message = `${place(where)}: there is no item ${JSON.stringify(reference)} in the ${shelfName}${hint}.`;
      faults.push({ kind: 'item-unknown', message, at: where });
      return undefined;
    }
    if (await this.content.wasEverDynamic(organisation, item.record)) {
      const message = `${place(where)}: the item ${JSON.stringify(reference)} has, or had in an earlier revision, content that is made anew for each learner; it cannot score what a learner saw.`;
      faults.push({ kind: 'value', message, at: where });
    }
    return { at, organisation, item };
  }

  /** @param rules absent: the questions for the comparison are unknown. */
  private async sessions(
    sessionIds: readonly string[],
    organisation: number,
    rules: QuestionRules | undefined,
  ): Promise<FaultDetail[]> {
    const found = new Map<string, SessionFacts>();
    for (const part of inParts([...new Set(sessionIds)], READ_BATCH_SIZE)) {
      const filter = { sessionIds: part };
      const records = await this.reader.inOrder(organisation, filter, { direction: 'asc' }, part.length, {});
      for (const record of records) found.set(record.sessionId, record);
    }
    const formIds = [...found.values()].map(({ formId }) => formId);
    const paired = rules && (await this.pairing.of(organisation, formIds, rules));
    return sessionIds.flatMap((id, index): FaultDetail[] => {
      const at = `/session_ids/${index}`;
      const session = found.get(id);
      const named = `${place(at)}: the session ${JSON.stringify(id)}`;
      if (!session) return [{ kind: 'session-unknown', message: `${named} does not exist.`, at }];
      if (session.status !== 'Completed') {
        const message = `${named} is ${session.status}; only completed sessions can be rescored.`;
        return [{ kind: 'session-unknown', message, at }];
      }
      const of = paired?.get(session.formId);
      if (!of || !('why' in of)) return [];
      const instead = rules?.replaced ? 'leave copy_item out' : 'name in copy_item an item to score by instead';
      const message = `${named} cannot be scored by these questions of the item ${JSON.stringify(of.item)}: ${of.why}, or ${instead}.`;
      return [{ kind: 'value', message, at }];
    });
  }
}

export const isFilter = (sessions: RescoringRequest['sessions']): sessions is SessionFilter => !Array.isArray(sessions);

function repeated(sessionIds: readonly string[]): FaultDetail[] {
  const first = new Map<string, string>();
  return sessionIds.flatMap((id, index) => {
    const at = `/session_ids/${index}`;
    const earlier = first.get(id);
    if (earlier !== undefined) return [sessionTwice(id, at, earlier)];
    first.set(id, at);
    return [];
  });
}

function isSame(one: Found, other: Found): boolean {
  return one.organisation === other.organisation && one.item.record === other.item.record;
}

function unlike({ at, item }: Found, target: Found): FaultDetail[] {
  const difference = whyUnlike(item.questions, target.item.questions);
  if (difference === undefined) return [];
  const where = `${at}/reference`;
  const message = `${place(where)}: the item ${JSON.stringify(item.reference)} ${difference} in ${JSON.stringify(target.item.reference)}; both must have the same number of questions, of the same types in the same order.`;
  return [{ kind: 'value', message, at: where }];
}

function questionsOf(item: PinnedItem): NewQuestion[] {
  return formItem(item).questions.map(({ questionId: _, ...question }) => question);
}
