import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { Jobs } from '#jobs';
import { Fault, place, type Scope, UnitOfWork } from '#kernel';
import { isOutdated, type Rules } from '../domain/rescoring';
import { type StoredRescoring, RescoringStore } from './ports/rescoring-store';
import { ItemRescoring, type ItemTask } from './item-rescoring';
import { type StoredTask } from './stored-rescoring-job';
import { RescoringApplication } from './rescoring-application';
import { isFilter, RescoringChecks, type RescoringRequest } from './rescoring-checks';
import { RescoringReversal } from './rescoring-reversal';

const HASH = /^[0-9a-f]{64}$/;

/** Rescores an item of sessions, either directly or as a plan that callers can inspect, apply and revert. */
@Injectable()
export class Rescoring {
  constructor(
    private readonly jobs: Jobs,
    private readonly authors: Authors,
    private readonly store: RescoringStore,
    private readonly checks: RescoringChecks,
    private readonly work: UnitOfWork,
    private readonly items: ItemRescoring,
    private readonly application: RescoringApplication,
    private readonly reversal: RescoringReversal,
  ) {}

  /**
   * Starts a job that scores the item of these sessions by its current questions, or by those of another item. Returns
   * the reference of the job. Sessions without the item stay unchanged.
   * @param request.sessions a filter only with `dryRun`, because callers know what it selects only after the job.
   * @param request.dryRun leaves the sessions unchanged; the results of the job name a plan.
   * @throws Fault with everything that is wrong, see {@link RescoringChecks}.
   */
  async start(request: RescoringRequest & { dryRun: boolean }, scope: Scope): Promise<string> {
    const { sessions, overwriteManual, dryRun } = request;
    const rules: Rules = { ...(await this.checks.rules(request, scope)), overwriteManual };
    const selected = isFilter(sessions) ? { filter: sessions } : { sessionIds: [...sessions] };
    const input: ItemTask = { ...selected, rules, dryRun };
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      const about = { subject: request.target.reference, input: JSON.stringify(input) };
      const id = await this.jobs.start({ type: this.items.type, lane: 'bulk', ...about }, scope);
      const status = dryRun ? 'planning' : 'applying';
      const { organisation } = scope.shelf;
      const count = selected.sessionIds?.length ?? 0;
      const kept = { id, status, job: id, hash: null, rules, sessions: count } as const;
      await this.store.add(organisation, kept, scope.now);
      return id;
    });
  }

  /**
   * Starts a job that applies exactly the results of a dry run; returns its reference. It skips sessions that changed
   * since.
   * @param plan its hash.
   * @throws Fault 30001 for an unknown plan, 20011 for a plan that is already applied or was made by an earlier
   * version.
   */
  async apply(plan: string, scope: Scope): Promise<string> {
    return this.handOver(plan, '/plan', this.application.type, scope, ({ status, job, rules }) => {
      if (status === 'planned' && isOutdated(rules))
        throw conflict(
          '/plan',
          'the plan is from an earlier version, and could score answers by the wrong questions; ask for a new dry run',
        );
      if (status === 'planned') return 'applying';
      if (status === 'reverting' || status === 'reverted')
        throw conflict('/plan', `the job ${job} has reverted the plan; ask for a new dry run`);
      throw conflict('/plan', `the plan is applied already, by the job ${job}`);
    });
  }

  /**
   * Starts a job that reverts an applied plan; returns its reference. It leaves sessions that changed since unchanged.
   * @param plan its hash.
   * @throws Fault 30001 for an unknown plan, 20011 for a plan that is not applied or already reverted.
   */
  async revert(plan: string, scope: Scope): Promise<string> {
    return this.handOver(plan, '/revert', this.reversal.type, scope, ({ status, job }) => {
      if (status === 'applied' || status === 'applying') return 'reverting';
      if (status === 'planned') throw conflict('/revert', 'the plan was not applied, so there is nothing to revert');
      throw conflict('/revert', `the job ${job} has already reverted the plan`);
    });
  }

  /** Only one job works on a rescoring at a time: the last one that was requested. */
  private async handOver(
    hash: string,
    at: string,
    type: string,
    scope: Scope,
    next: (rescoring: StoredRescoring) => 'applying' | 'reverting',
  ): Promise<string> {
    const { organisation } = scope.shelf;
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      const rescoring = HASH.test(hash) ? await this.store.lock(organisation, hash) : undefined;
      if (!rescoring)
        throw new Fault(
          'reference-unknown',
          `${place(at)}: there is no such plan; send the \`plan\` from the results of a job that rescored an item or made a dry run, and that was not removed yet.`,
          at,
        );
      const status = next(rescoring);
      const { id } = rescoring;
      const input: StoredTask = { rescoring: id };
      const subject = await this.jobs.subjectOf({ organisation, id });
      const job = await this.jobs.start(
        { type, lane: 'bulk', serialKey: `rescoring ${id}`, subject, input: JSON.stringify(input) },
        scope,
      );
      await this.store.move(organisation, id, rescoring.job, { status, job }, scope.now);
      return job;
    });
  }
}

function conflict(at: string, message: string): Fault {
  return new Fault('conflict', `${place(at)}: ${message}.`, at);
}
