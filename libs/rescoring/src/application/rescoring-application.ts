import { Injectable } from '@nestjs/common';
import { type RunningJob } from '#jobs';
import { Fault, type JsonObject } from '#kernel';
import { type Form, judged, type Session } from '#sessions';
import { fingerprint, isOutdated } from '../domain/rescoring';
import { type StoredRescoring, type RescoringWork, type SessionRescoring } from './ports/rescoring-store';
import { StoredRescoringJob, type Step } from './stored-rescoring-job';
import { countsOf, type Outcome, summaryMembers } from './rescoring-report';

/** A job that applies exactly the results of a dry run, without calling the scoring engine again. */
@Injectable()
export class RescoringApplication extends StoredRescoringJob {
  override readonly type = 'apply-rescoring';
  protected override readonly from = 'planned';
  protected override readonly to = { changed: 'applied', left: 'skipped' } as const;
  protected override readonly ended = 'applied';
  protected override readonly cause = 'rescoring';

  protected override check({ rules }: StoredRescoring): void {
    if (isOutdated(rules)) throw new Fault('conflict', 'An earlier version made this plan; ask for a new dry run.');
  }

  protected override step(
    before: Session | undefined,
    planned: SessionRescoring & { work: RescoringWork },
    forms: ReadonlyMap<string, Form>,
    job: RunningJob,
  ): Step {
    if (!before) return { reason: 'unknown' };
    if (before.status !== 'Completed') return { reason: 'not-completed' };
    if (fingerprint(before) !== planned.fingerprint) return { reason: 'moved' };
    const { formAfter, responses } = planned.work;
    const verdicts = responses.flatMap(({ verdict }) => verdict ?? []);
    const how = { now: job.scope.now, job: job.id };
    const after = judged({ ...before, formId: formAfter }, forms.get(formAfter)!, verdicts, how);
    return { after, fingerprint: fingerprint(after) };
  }

  protected override members({ summary, counts }: Outcome): JsonObject {
    return {
      ...countsOf(counts, 'applied', 'unchanged', 'ignored', 'skipped'),
      ...summaryMembers(summary),
    };
  }
}
