import { Injectable } from '@nestjs/common';
import { SessionsErasure } from '#sessions';
import { LearnerStore } from './ports/learner-store';

/** The ids of a learner's sessions, including sessions that are being erased. */
@Injectable()
export class LearnerSessions {
  constructor(
    private readonly stored: SessionsErasure,
    private readonly erased: LearnerStore,
  ) {}

  /** The ids that belong to sessions of the learner. */
  async own(organisation: number, user: string, sessionIds: readonly string[]): Promise<Set<string>> {
    return this.ofBoth((from) => from.own(organisation, user, sessionIds));
  }

  /** The sessions of the learner whose ids occur in a text. */
  async namedIn(organisation: number, user: string, text: string): Promise<Set<string>> {
    return this.ofBoth((from) => from.namedIn(organisation, user, text));
  }

  /** Reads the stored sessions first. A session that an erasure removes meanwhile is then among the erased ones. */
  private async ofBoth(
    read: (from: Pick<LearnerStore, 'own' | 'namedIn'>) => Promise<Set<string>>,
  ): Promise<Set<string>> {
    const stored = await read(this.stored);
    return new Set([...stored, ...(await read(this.erased))]);
  }
}
