import { Inject, Injectable } from '@nestjs/common';
import { type JsonObject } from '#kernel';
import { type Form } from '../../domain/form';
import { fingerprint, restored } from '../../domain/rescoring';
import { type Session } from '../../domain/session';
import { Forms } from '../forms';
import { RescoringStore, type RescoringWork, type SessionRescoring } from '../ports/rescoring-store';
import { SessionChanges } from '../session-changes';
import { KeptRescoringJob, type Step } from './kept-rescoring-job';
import { countsOf, type Outcome, RescoringReport } from './rescoring-report';

/** Gives sessions the scores, marks and forms that they had before a rescoring: a job. */
@Injectable()
export class RescoringReversal extends KeptRescoringJob {
  override readonly type = 'revert-rescoring';
  protected override readonly from = 'applied';
  protected override readonly to = { changed: 'reverted', left: 'kept' } as const;
  protected override readonly ended = 'reverted';
  protected override readonly cause = 'revert';
  protected override readonly tools;

  constructor(
    @Inject(Forms) forms: Forms,
    @Inject(SessionChanges) changes: SessionChanges,
    @Inject(RescoringStore) rescorings: RescoringStore,
    @Inject(RescoringReport) report: RescoringReport,
  ) {
    super();
    this.tools = { forms, changes, rescorings, report };
  }

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
