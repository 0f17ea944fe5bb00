import { Injectable } from '@nestjs/common';
import { type AnsweredSession, type Selection, type SessionOutcome, SessionScan } from '#sessions';
import { type AnonymousSelection, AnonymousSessionStore } from './ports/anonymous-session-store';

export type DatasetSelection = Selection | AnonymousSelection;

/** Scans all completed sessions for datasets, including those of erased learners. */
@Injectable()
export class DatasetSessions {
  constructor(
    private readonly stored: SessionScan,
    private readonly anonymous: AnonymousSessionStore,
  ) {}

  async answered(
    organisation: number,
    of: DatasetSelection,
    limit: number,
    after?: string,
  ): Promise<AnsweredSession[]> {
    if ('anonymous' in of) return this.anonymous.answered(organisation, of, limit, after);
    return this.stored.answered(organisation, of, limit, after);
  }

  async outcomes(organisation: number, of: DatasetSelection, limit: number, after?: string): Promise<SessionOutcome[]> {
    if ('anonymous' in of) return this.anonymous.outcomes(organisation, of, limit, after);
    return this.stored.outcomes(organisation, of, limit, after);
  }

  async any(organisation: number, of: DatasetSelection): Promise<boolean> {
    return 'anonymous' in of ? this.anonymous.any(organisation, of) : this.stored.any(organisation, of);
  }
}
