import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Authors } from '#access';
import { type FormerDocument, formerItem, formerQuestion, PinnedContent, type PinnedItem } from '#content';
import { Clock, newId, type Scope, UnitOfWork } from '#kernel';
import { definitionOf, type Form, type FormItem, formItem, type FormSettings } from '../domain/form';
import { Refused } from '../domain/saving';
import { type Session } from '../domain/session';
import { type TakenItem, takenOver, type TakenResponse, type TakenSession } from '../domain/taken-session';
import { Forms, keyOf } from './forms';
import { SessionChanges } from './session-changes';

/** The outcome of taking over a session of another server. */
export interface TakenOutcome {
  effect: 'created' | 'replaced' | 'unchanged' | 'exists' | 'erased' | 'refused';
  /** The reason of a refusal. Never contains an answer. */
  why?: string;
  /** References of items that the bank lacks. In their place, the session has an item of only the questions asked. */
  missing: string[];
  /** References of items whose questions the other server does not return. The session has those of the bank instead. */
  assumed: string[];
  /** The totals that this service computed. Present when those of the other server differ. */
  counted?: { score: number; maxScore: number };
}

export interface TakingOptions {
  onCollision: 'replace' | 'skip' | 'fail';
  /** False computes the outcomes and stores nothing. */
  apply: boolean;
  /** References of items that a plan would create before the sessions. */
  planned: ReadonlySet<string>;
  /** Returns the users among these whose sessions must not be stored. Called in the unit of work. */
  erased: (users: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** A question with its document, as `formItem` reads it. */
type Asked = PinnedItem['questions'][number];

interface Composed {
  form: Form;
  documents: FormerDocument[];
  missing: string[];
  assumed: string[];
}

/** The bank's content for the items of the sessions. */
interface Known {
  items: Map<string, PinnedItem>;
  /** Former questions of the bank, by reference and hash. */
  former: Map<string, Asked>;
  settings: Map<string | null, FormSettings>;
  planned: ReadonlySet<string>;
}

const MAX_CACHED = 2_000;

/** Thrown to roll back a unit of work on purpose. */
class RolledBack extends Error {}

/** Takes over sessions that took place on another server, with their scores and marks (decision 97). */
@Injectable()
export class TakenSessions {
  private readonly made = new LRUCache<string, FormItem>({ max: MAX_CACHED });
  private readonly same = new LRUCache<string, boolean>({ max: MAX_CACHED });
  private readonly former = new LRUCache<string, FormerDocument>({ max: MAX_CACHED });

  constructor(
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly changes: SessionChanges,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores sessions in one unit of work.
   * @param sessions at most 50, each with another id.
   * @returns an outcome for each session.
   */
  async store(
    sessions: readonly TakenSession[],
    { onCollision, apply, planned, erased }: TakingOptions,
    scope: Omit<Scope, 'now'>,
  ): Promise<TakenOutcome[]> {
    const { organisation } = scope.shelf;
    const known = { ...(await this.known(sessions, organisation)), planned };
    const bySession = new Map(sessions.map((session) => [session.sessionId, session]));
    const outcomes = new Map<string, TakenOutcome>();
    const composed = new Map<string, Composed>();
    const now = this.clock.now();
    const change = async (before: Session | undefined, id: string): Promise<Session | undefined> => {
      const session = bySession.get(id)!;
      composed.delete(id);
      try {
        if (before && before.userId !== session.userId) throw new Refused('a session of another learner has this id');
        const made = await this.compose(session, known, organisation);
        const after = takenOver(session, made.form, before, newId(now));
        const { missing, assumed } = made;
        const { score, maxScore } = after.totals;
        const differs = !isNear(score, session.score) || !isNear(maxScore, session.maxScore);
        const facts = { missing, assumed, ...(differs && { counted: { score, maxScore } }) };
        const effect = !before ? 'created' : isDeepStrictEqual(after, before) ? 'unchanged' : 'replaced';
        const isKept = effect === 'replaced' && onCollision !== 'replace';
        outcomes.set(id, { effect: !isKept ? effect : onCollision === 'skip' ? 'unchanged' : 'exists', ...facts });
        if (isKept || effect === 'unchanged') return undefined;
        composed.set(id, made);
        return after;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        outcomes.set(id, { effect: 'refused', why: error.message, missing: [], assumed: [] });
        return undefined;
      }
    };
    for (let left = [...bySession.keys()]; left.length > 0;) {
      let users: ReadonlySet<string> = new Set<string>();
      const commit = (work: () => Promise<void>) =>
        this.work.run(async () => {
          users = await erased([...new Set(left.map((id) => bySession.get(id)!.userId))]);
          if (users.size > 0) throw new RolledBack();
          const all = [...composed.values()];
          if (all.length > 0) await this.authors.ensure({ ...scope, now });
          const documents = all.flatMap((each) => each.documents.map((one) => [one.document, one] as const));
          await this.content.keep(organisation, [...new Map(documents).values()]);
          await this.forms.keep(organisation, [...new Map(all.map(({ form }) => [form.id, form])).values()]);
          await work();
          if (!apply) throw new RolledBack();
        });
      try {
        await this.changes.takeOver({ ...scope, now }, left, change, commit);
        break;
      } catch (error) {
        if (!(error instanceof RolledBack)) throw error;
        if (users.size === 0) break;
        const isErased = (id: string) => users.has(bySession.get(id)!.userId);
        for (const id of left.filter(isErased)) {
          outcomes.set(id, { effect: 'erased', missing: [], assumed: [] });
          composed.delete(id);
        }
        left = left.filter((id) => !isErased(id));
      }
    }
    return sessions.map(({ sessionId }) => outcomes.get(sessionId)!);
  }

  private async known(sessions: readonly TakenSession[], organisation: number): Promise<Omit<Known, 'planned'>> {
    const named = sessions.flatMap(({ items }) => items.map(({ reference }) => ({ reference, organisation })));
    const items = await this.forms.pinned(organisation, named);
    const wanted = new Map<string, { reference: string; hash: string }>();
    for (const session of sessions)
      for (const item of session.items)
        for (const [at, { question: reference, asked, ...response }] of item.responses.entries())
          if (asked && reference !== undefined) {
            const present = presentOf(
              items.get(keyOf({ organisation, ...item })),
              { ...response, question: reference },
              at,
            );
            if (!present || !this.isSame(present, asked))
              wanted.set(formerKey(reference, asked.hash), { reference, hash: asked.hash });
          }
    const former = new Map<string, Asked>();
    if (wanted.size > 0)
      for (const found of await this.content.ever(organisation, 'question', [...wanted.values()]))
        former.set(formerKey(found.reference, found.hash), { ...found, type: found.type ?? '' });
    const settings: Known['settings'] = new Map();
    for (const { activityTemplateId } of sessions)
      if (!settings.has(activityTemplateId))
        settings.set(activityTemplateId, (await this.forms.activity(organisation, activityTemplateId)).settings);
    return { items, former, settings };
  }

  /** The form of a session. @throws Refused when a question is not known. */
  private async compose(session: TakenSession, known: Known, organisation: number): Promise<Composed> {
    const documents: FormerDocument[] = [];
    const [missing, assumed]: [string[], string[]] = [[], []];
    const items = session.items.map((item): FormItem => {
      const pinned = known.items.get(keyOf({ organisation, ...item }));
      let isAssumed = false;
      const questions = item.responses.map((response, at): Asked => {
        const present = presentOf(pinned, response, at);
        const { asked, question: reference } = response;
        if (asked && reference !== undefined) {
          if (present && this.isSame(present, asked)) return present;
          const found = known.former.get(formerKey(reference, asked.hash));
          if (found?.type === response.type) return found;
          const former = this.former.get(asked.hash) ?? formerQuestion(asked.definition);
          this.former.set(asked.hash, former);
          documents.push(former);
          return { ...former, reference, type: response.type, organisation };
        }
        if (!present && known.planned.has(item.reference)) return unknownYet(response, organisation, at);
        if (!present)
          throw new Refused(
            pinned
              ? `the item ${JSON.stringify(item.reference)} of the bank lacks a question, and the other server does not return it`
              : `the bank lacks the item ${JSON.stringify(item.reference)}, and the other server does not return its questions`,
          );
        isAssumed = true;
        return present;
      });
      if (isAssumed) assumed.push(item.reference);
      if (pinned) return this.formItemOf(pinned, questions, item);
      if (!known.planned.has(item.reference)) missing.push(item.reference);
      const former = formerItem(questions.map(({ reference }) => reference));
      documents.push(former);
      const nothing = { record: '', status: null, extras: null, features: [], questions: [] };
      return this.formItemOf({ ...former, ...nothing, reference: item.reference, organisation }, questions, item);
    });
    const form = await this.forms.compose(items, known.settings.get(session.activityTemplateId) ?? {});
    return { form, documents, missing, assumed };
  }

  /** Makes each item once, because many sessions show the same items. */
  private formItemOf(pinned: PinnedItem, questions: Asked[], { scoringType }: TakenItem): FormItem {
    const ids = questions.map(({ reference, document }) => `${reference} ${document}`);
    const key = [keyOf(pinned), pinned.document, scoringType, ...ids].join('\n');
    const known = this.made.get(key) ?? formItem({ ...pinned, questions }, scoringType);
    this.made.set(key, known);
    return known;
  }

  /** Whether a question of the bank is the one that was asked. Addresses of files give equal questions different hashes. */
  private isSame(present: Asked, { hash, definition }: NonNullable<TakenResponse['asked']>): boolean {
    if (present.hash === hash) return true;
    const key = `${present.organisation} ${present.document} ${hash}`;
    const known = this.same.get(key) ?? canonicalize(definitionOf(present.body)) === canonicalize(definition);
    this.same.set(key, known);
    return known;
  }
}

/** The question of the item, as it is now, to which the response belongs. */
function presentOf(
  item: PinnedItem | undefined,
  { question, type }: Pick<TakenResponse, 'question' | 'type'>,
  at: number,
): Asked | undefined {
  const found =
    question === undefined ? item?.questions[at] : item?.questions.find((one) => one.reference === question);
  return found?.type === type ? found : undefined;
}

/** A placeholder for a question that a plan would create. It is never stored. */
function unknownYet({ type, question }: TakenResponse, organisation: number, at: number): Asked {
  return { ...formerQuestion({ type }), reference: question ?? String(at), type, organisation };
}

const formerKey = (reference: string, hash: string): string => `${hash} ${reference}`;

/** Whether two totals are equal apart from rounding. Other servers may round theirs. */
const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6;
