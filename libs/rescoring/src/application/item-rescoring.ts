import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type FiledResults, JobHandler, type RunningJob } from '#jobs';
import { Fault, type JsonText } from '#kernel';
import {
  type Form,
  Forms,
  ResponseScoring,
  type Session,
  SessionChanges,
  type SessionFilter,
  SessionReader,
  SessionStore,
} from '#sessions';
import { fingerprint, isChanged, isOutdated, type Rules } from '../domain/rescoring';
import { subscoreShifts } from '../domain/rescoring-summary';
import { RescoringStore, type RescoringWork, type SessionRescoring } from './ports/rescoring-store';
import { type Paired, Pairing } from './pairing';
import { placesOf, rescored, withQuestions } from './rescored-session';
import { countsOf, type Outcome, previewMembers, RescoringReport, summaryMembers } from './rescoring-report';

/** The input of the job. The rescoring has the reference of the job. */
export interface ItemTask {
  /** Absent when `filter` selects them. */
  sessionIds?: string[];
  /** Only in a dry run: rescores the sessions that fit and show the item. */
  filter?: SessionFilter;
  rules: Rules;
  /** Plans the changes, and leaves the sessions unchanged. */
  dryRun: boolean;
}

interface State {
  /** Number of processed sessions. */
  done: number;
  /** The number of examined sessions. Only with a filter. */
  seen?: number;
  /** The id of the last examined session. Only with a filter. */
  after?: string;
  /** Present after the last session. */
  outcome?: Outcome;
}

/** The new content for sessions of a form. */
type Next =
  | { kind: 'absent' | 'unlike' }
  /** `places` of the responses to the item. */
  | { kind: 'form'; form: Form; places: number[] };

const BATCH_SIZE = 50;
const MAX_CACHED_FORMS = 500;

/** A job that rescores one item of sessions by other questions, or plans to. */
@Injectable()
export class ItemRescoring extends JobHandler<State> {
  override readonly type = 'rescore-item';

  constructor(
    private readonly forms: Forms,
    private readonly marking: ResponseScoring,
    private readonly changes: SessionChanges,
    private readonly rescorings: RescoringStore,
    private readonly report: RescoringReport,
    private readonly pairing: Pairing,
    private readonly reader: SessionReader,
    private readonly sessions: SessionStore,
  ) {
    super();
  }

  override async run(job: RunningJob<State>): Promise<JsonText | FiledResults> {
    const { filter, rules, dryRun } = job.input as ItemTask;
    if (isOutdated(rules))
      throw new Fault(
        'conflict',
        'This rescoring is from an earlier version, and could score answers by the wrong questions; ask for the rescoring again.',
      );
    if (filter) await this.planSelection(job, filter);
    else await this.rescore(job);
    const { done, seen, after }: State = job.state ?? { done: 0 };
    // An earlier version stored outcomes without a distribution.
    const known = job.state?.outcome?.summary.distribution ? job.state.outcome : undefined;
    const { summary, counts } = known ?? (await this.report.outcome(job.organisation, job.id));
    const members = {
      ...countsOf(counts, dryRun ? 'planned' : 'applied', 'unchanged', 'ignored', 'skipped'),
      ...summaryMembers(summary),
    };
    const progress = { done: seen ?? done, total: seen ?? done };
    const end = (status: 'planned' | 'applied', hash: string) =>
      job.batch(async () => {
        const to = { status, job: job.id, hash, sessions: done };
        if (!(await this.rescorings.move(job.organisation, job.id, job.id, to, job.scope.now)))
          throw new Fault('conflict', 'The results of this rescoring were removed meanwhile; ask for it again.');
        return { state: { done, seen, after, outcome: { summary, counts } }, progress };
      });
    if (dryRun) {
      const { file, hash } = await this.report.plan(job, job.id);
      await end('planned', hash);
      const { files, listed } = await this.report.listed(job, job.id, done);
      const results = { dry_run: true, plan: hash, ...members, ...previewMembers(summary), ...listed };
      return { files: [file, ...files], members: JSON.stringify(results) };
    }
    // Nobody has seen a plan, so its name only needs to be unique.
    const hash = createHash('sha256').update(job.id).digest('hex');
    await end('applied', hash);
    return this.report.sessions(job, job.id, done, { plan: hash, ...members });
  }

  /** Plans for the sessions that fit and show the item, in the order of their creation. Leaves out all others. */
  private async planSelection(job: RunningJob<State>, filter: SessionFilter): Promise<void> {
    const task = job.input as ItemTask;
    const { organisation } = job;
    const next = new LRUCache<string, Next>({ max: MAX_CACHED_FORMS });
    for (let isLast = job.state?.outcome !== undefined; !isLast;) {
      const { done = 0, seen = 0, after } = job.state ?? {};
      const page = await this.reader.inOrder(organisation, filter, { direction: 'asc', after }, BATCH_SIZE, {});
      isLast = page.length < BATCH_SIZE;
      await this.learn(
        page.map(({ formId }) => formId),
        task.rules,
        next,
        organisation,
      );
      const showing = page.filter(({ formId }) => next.get(formId)!.kind !== 'absent');
      const ids = showing.map(({ sessionId }) => sessionId);
      const current = await this.changes.readAhead(organisation, ids);
      const found: Omit<SessionRescoring, 'position'>[] = [];
      for (const sessionId of ids) {
        const before = current.get(sessionId);
        const { after: planned, ...kept } = await this.change(before, task, next, job);
        found.push({
          sessionId,
          ...kept,
          outcome: planned ? 'planned' : kept.outcome,
          fingerprint: planned ? fingerprint(before!) : null,
        });
      }
      await job.batch(async () => {
        // Leaves out sessions that were erased meanwhile, so that the plan contains none of their data.
        const locked = await this.sessions.lock(organisation, ids);
        const kept = found.filter(({ sessionId }) => locked.has(sessionId));
        await this.rescorings.put(
          organisation,
          job.id,
          kept.map((session, index) => ({ position: done + index, ...session })),
        );
        const looked = seen + page.length;
        return {
          state: { done: done + kept.length, seen: looked, after: page.at(-1)?.id ?? after },
          progress: { done: looked, total: isLast ? looked : looked + BATCH_SIZE },
        };
      });
    }
  }

  private async rescore(job: RunningJob<State>): Promise<void> {
    const task = job.input as ItemTask;
    const { sessionIds = [], dryRun } = task;
    const { organisation } = job;
    const total = sessionIds.length;
    const next = new LRUCache<string, Next>({ max: MAX_CACHED_FORMS });
    const read = (from: number) => this.changes.readAhead(organisation, sessionIds.slice(from, from + BATCH_SIZE));
    let ahead = read(job.state?.done ?? 0);
    while ((job.state?.done ?? 0) < total) {
      const first = job.state?.done ?? 0;
      const ids = sessionIds.slice(first, first + BATCH_SIZE);
      const positions = new Map(ids.map((id, index) => [id, first + index]));
      const found = new Map<string, SessionRescoring>();
      const change = async (before: Session | undefined, sessionId: string): Promise<Session | undefined> => {
        const { after, ...kept } = await this.change(before, task, next, job);
        const position = positions.get(sessionId)!;
        const result: Pick<SessionRescoring, 'outcome' | 'fingerprint'> = !after
          ? { outcome: kept.outcome, fingerprint: null }
          : dryRun
            ? { outcome: 'planned', fingerprint: fingerprint(before!) }
            : { outcome: 'applied', fingerprint: fingerprint(after) };
        found.set(sessionId, { position, sessionId, ...kept, ...result });
        return after;
      };
      const left = async () => {
        await this.rescorings.put(organisation, job.id, [...found.values()]);
        const done = first + ids.length;
        return { state: { done }, progress: { done, total } };
      };
      const sessions = ahead;
      const current = await sessions;
      ahead = read(first + BATCH_SIZE);
      const forms = [...current.values()].map(({ formId }) => formId);
      await this.learn(forms, task.rules, next, organisation);
      if (dryRun) {
        for (const id of ids) await change(current.get(id), id);
        await job.batch(left);
      } else {
        await this.changes.apply(job, ids, change, { cause: 'rescoring', ahead: sessions }, left);
      }
    }
  }

  /** Computes the next state of a session, and the row to store about it. */
  private async change(
    before: Session | undefined,
    { rules, dryRun }: ItemTask,
    known: LRUCache<string, Next>,
    job: RunningJob,
  ): Promise<Pick<SessionRescoring, 'outcome' | 'reason' | 'work'> & { after?: Session }> {
    const skipped = { outcome: 'skipped', work: null } as const;
    if (!before) return { ...skipped, reason: 'unknown' };
    // Another writer may have changed the form of the session meanwhile.
    await this.learn([before.formId], rules, known, job.organisation);
    const next = known.get(before.formId)!;
    if (next.kind === 'absent') return { ...skipped, outcome: 'ignored', reason: null };
    if (before.status !== 'Completed') return { ...skipped, reason: 'not-completed' };
    if (next.kind !== 'form') return { ...skipped, reason: 'unlike' };
    const { form, places } = next;
    const verdicts = await this.marking.verdicts(before, form, places, rules);
    const { after, responses } = rescored(before, form, places, verdicts, { now: job.scope.now, job: job.id });
    const work: RescoringWork = {
      formBefore: before.formId,
      formAfter: after.formId,
      before: pointsOf(before),
      after: pointsOf(after),
      numResponses: responses.length,
      numChanged: responses.filter(isChanged).length,
      // A plan shows all responses; otherwise only the changed ones are stored.
      responses: dryRun ? responses : responses.filter(({ at }) => after.responses[at] !== before.responses[at]),
      subscores: subscoreShifts(before, after),
    };
    if (isSame(before, after)) return { outcome: 'unchanged', reason: null, work };
    return { outcome: 'planned', reason: null, work, after };
  }

  /** Computes the new content for sessions of these forms. Stores new forms, so that sessions can refer to them. */
  private async learn(
    formIds: readonly string[],
    rules: Rules,
    known: LRUCache<string, Next>,
    organisation: number,
  ): Promise<void> {
    const unknown = [...new Set(formIds)].filter((id) => !known.has(id));
    if (unknown.length === 0) return;
    const found = await this.pairing.of(organisation, unknown, rules);
    for (const id of unknown) known.set(id, nextOf(found.get(id)));
    await this.forms.keep(
      organisation,
      unknown.flatMap((id) => {
        const next = known.get(id)!;
        return next.kind === 'form' ? [next.form] : [];
      }),
    );
  }
}

function nextOf(paired: Paired | undefined): Next {
  if (!paired) return { kind: 'absent' };
  if ('why' in paired) return { kind: 'unlike' };
  const { form, replacements } = paired;
  return { kind: 'form', form: withQuestions(form, replacements), places: placesOf(form, replacements) };
}

function pointsOf({ totals: { score, maxScore } }: Session): { score: number; maxScore: number } {
  return { score, maxScore };
}

function isSame(before: Session, after: Session): boolean {
  return before.formId === after.formId && after.responses.every((response, at) => response === before.responses[at]);
}
