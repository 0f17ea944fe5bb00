import { Inject, Injectable } from '@nestjs/common';
import { PinnedContent, type PinnedItem, type ShelvedItem } from '#content';
import { Fault, type FaultDetail, inParts, place, type Scope, type Shelf } from '#kernel';
import { Pools } from '#pools';
import { formItem } from '../../domain/form';
import { twice } from '../../domain/naming';
import { type IsTarget, isTarget, type NewQuestion, type Rules, whyUnlike } from '../../domain/rescoring';
import { type SessionFacts } from '../../domain/wire';
import { Forms } from '../forms';
import { SessionReader } from '../ports/session-reader';

/** An item where a request names one. */
export interface RescoringItem {
  reference: string;
  /** Absent: the organisation of the sessions. */
  organisation?: number;
  /** Reference of an item pool; absent: the item bank. */
  pool?: string;
}

export interface RescoringRequest {
  sessionIds: readonly string[];
  /** The item by which the sessions know it. */
  target: RescoringItem;
  /** Whose questions are used; absent: those of `target`. */
  copy?: RescoringItem;
  /** Scores that a person gave are replaced, too. */
  overwriteManual: boolean;
}

interface Found {
  at: string;
  organisation: number;
  item: ShelvedItem;
}

/** As many faults as an answer lists. */
const MOST_FAULTS = 50;
const READ_AT_ONCE = 500;

/** Whether sessions can be rescored as it is asked for: all of it, or nothing is done. */
@Injectable()
export class RescoringChecks {
  constructor(
    @Inject(PinnedContent) private readonly content: PinnedContent,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Forms) private readonly forms: Forms,
    @Inject(SessionReader) private readonly reader: SessionReader,
  ) {}

  /**
   * The questions to go by, pinned as they are at this moment.
   *
   * The item in each session that contains it must have these questions, of the same types. With an item to copy, both
   * items as they are now and the item in each session must have as many questions, of the same types in the same order.
   * An item is told by its record: sessions that knew it by an earlier name contain it.
   * @throws Fault 20013 for an item that does not exist, 30001 for a pool, 40003 for an item of a bank that the caller may
   *   not read, 20016 for sessions that do not exist or are not completed, 30000 for one that is named twice, 20004 for
   *   items that do not fit and those that have, or had in any revision, content that is made anew for each learner.
   */
  async rules(
    { sessionIds, target, copy }: RescoringRequest,
    scope: Scope,
  ): Promise<Pick<Rules, 'target' | 'questions'>> {
    const { organisation } = scope.shelf;
    const faults = repeated(sessionIds);
    const known = await this.item(target, '/target_item', scope, faults);
    const copied = copy && (await this.item(copy, '/copy_item', scope, faults));
    const source = copy ? copied : known;
    if (known && copied) faults.push(...unlike(copied, known));
    const name = {
      organisation: target.organisation ?? organisation,
      reference: target.reference,
      record: known?.item.record,
    };
    const questions = source && questionsOf(source.item, copy ? 'by order' : 'by reference');
    faults.push(...(await this.sessions(sessionIds, organisation, name, questions)));
    if (faults.length > 0) throw Fault.of(faults.slice(0, MOST_FAULTS));
    return { target: name, questions: questions! };
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
      const renamed = pool === undefined ? await this.content.renamed(organisation, reference) : [];
      const hint =
        renamed.length > 0 ? ` It is now called ${renamed.map((name) => JSON.stringify(name)).join(' or ')}.` : '';
      const message = `${place(where)}: there is no item ${JSON.stringify(reference)} in the ${shelfName}.${hint}`;
      faults.push({ kind: 'item-unknown', message, at: where });
      return undefined;
    }
    if ((await this.content.everDynamic(organisation, [item.record])).has(item.record)) {
      const message = `${place(where)}: the item ${JSON.stringify(reference)} has, or had in an earlier revision, content that is made anew for each learner; what a learner saw cannot be scored by it.`;
      faults.push({ kind: 'value', message, at: where });
    }
    return { at, organisation, item };
  }

  /** @param questions absent: what they are compared with is not known. */
  private async sessions(
    sessionIds: readonly string[],
    organisation: number,
    target: Rules['target'],
    questions: readonly NewQuestion[] | undefined,
  ): Promise<FaultDetail[]> {
    const found = new Map<string, SessionFacts>();
    for (const part of inParts([...new Set(sessionIds)], READ_AT_ONCE)) {
      const filter = { sessionIds: part };
      const records = await this.reader.inOrder(organisation, filter, { direction: 'asc' }, part.length, {});
      for (const record of records) found.set(record.sessionId, record);
    }
    const documents =
      target.record === undefined ? undefined : await this.content.documentsOf(target.organisation, target.record);
    const differences =
      questions &&
      documents &&
      (await this.differences(found.values(), organisation, isTarget(target, documents), questions));
    return sessionIds.flatMap((id, index): FaultDetail[] => {
      const at = `/session_ids/${index}`;
      const session = found.get(id);
      const named = `${place(at)}: the session ${JSON.stringify(id)}`;
      if (!session) return [{ kind: 'session-unknown', message: `${named} does not exist.`, at }];
      if (session.status !== 'Completed') {
        const message = `${named} is ${session.status}; only completed sessions can be rescored.`;
        return [{ kind: 'session-unknown', message, at }];
      }
      const difference = differences?.get(session.formId);
      if (difference === undefined) return [];
      const message = `${named} was taken with an item ${JSON.stringify(target.reference)} that ${difference} in the item whose questions are to be used; give that item the questions of the session, or name another one in copy_item.`;
      return [{ kind: 'value', message, at }];
    });
  }

  /** By the id of the form, how the item in it differs. */
  private async differences(
    sessions: Iterable<SessionFacts>,
    organisation: number,
    targeted: IsTarget,
    questions: readonly NewQuestion[],
  ): Promise<Map<string, string>> {
    const differences = new Map<string, string>();
    const ids = new Set([...sessions].map(({ formId }) => formId));
    for (const part of inParts([...ids], READ_AT_ONCE))
      for (const [id, form] of await this.forms.of(organisation, part)) {
        const item = form.items.find(targeted);
        const difference = item && whyUnlike(item.questions, questions);
        if (difference !== undefined) differences.set(id, difference);
      }
    return differences;
  }
}

function repeated(sessionIds: readonly string[]): FaultDetail[] {
  const first = new Map<string, string>();
  return sessionIds.flatMap((id, index) => {
    const at = `/session_ids/${index}`;
    const earlier = first.get(id);
    if (earlier !== undefined) return [twice(id, at, earlier)];
    first.set(id, at);
    return [];
  });
}

function unlike({ at, item }: Found, target: Found): FaultDetail[] {
  const typesOf = ({ questions }: PinnedItem) => questions.map(({ type }) => ({ type }));
  const difference = whyUnlike(typesOf(item), typesOf(target.item));
  if (difference === undefined) return [];
  const where = `${at}/reference`;
  const message = `${place(where)}: the item ${JSON.stringify(item.reference)} ${difference} in ${JSON.stringify(target.item.reference)}; both must have the same number of questions, of the same types in the same order.`;
  return [{ kind: 'value', message, at: where }];
}

function questionsOf(item: PinnedItem, paired: 'by reference' | 'by order'): NewQuestion[] {
  return formItem(item).questions.map(({ reference, type, document, organisation, hash, automarkable, maxScore }) => ({
    reference: paired === 'by reference' ? reference : undefined,
    type,
    document,
    organisation,
    hash,
    automarkable,
    maxScore,
  }));
}
