import { Injectable } from '@nestjs/common';
import { type JsonObject } from '#kernel';
import { type Form, type Session } from '#sessions';
import { fingerprint } from '../domain/rescoring';
import { type RescoringWork, type SessionRescoring } from './ports/rescoring-store';
import { StoredRescoringJob, type Step } from './stored-rescoring-job';
import { restored } from './rescored-session';
import { countsOf, type Outcome } from './rescoring-report';

/** A job that restores the scores, marks and forms that sessions had before a rescoring. */
@Injectable()
export class RescoringReversal extends StoredRescoringJob {
  override readonly type = 'revert-rescoring';
  protected override readonly from = 'applied';
  protected override readonly to = { changed: 'reverted', left: 'kept' } as const;
  protected override readonly ended = 'reverted';
  protected override readonly cause = 'revert';

  protected override step(
    before: Session | undefined,
    { fingerprint: applied, work }: SessionRescoring & { work: RescoringWork },
    forms: ReadonlyMap<string, Form>,
  ): Step {
    if (!before) return { reason: 'unknown' };
    if (fingerprint(before) !== applied) return { reason: before.status === 'Completed' ? 'moved' : 'not-completed' };
    const after = restored(before, forms.get(work.formBefore)!, work.responses);
    return { after, fingerprint: fingerprint(after) };
  }

  protected override members({ counts }: Outcome): JsonObject {
    return { ...countsOf(counts, 'reverted', 'kept', 'unchanged', 'ignored', 'skipped') };
  }
}
