import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PinnedContent } from '#content';
import { type AnsweredSession, Forms, type Session, SessionsErasure } from '#sessions';
import { anonymous, type AnonymousSession } from '../domain/anonymous-session';
import { AnsweredQuestions } from './answered-questions';
import { AnonymousSessionStore } from './ports/anonymous-session-store';

const ACTIVITIES_KNOWN = 1_000;

/** Stores anonymous copies of one learner's sessions. */
export interface AnonymousCopies {
  /** Stores a copy of each completed session. Call it in the unit of work that removes the sessions. */
  keep(sessions: readonly Session[]): Promise<void>;
}

/** Keeps completed sessions of erased learners for datasets, without anything that identifies the learner. */
@Injectable()
export class AnonymousSessions {
  constructor(
    private readonly store: AnonymousSessionStore,
    private readonly sessions: SessionsErasure,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
  ) {}

  /** The returned object remembers the activities that other learners share. */
  copiesFor(organisation: number, user: string): AnonymousCopies {
    const questions = new AnsweredQuestions(organisation, this.forms, this.content);
    /** Whether other learners have the activity_id, by activity_id. */
    const shared = new LRUCache<string, boolean>({ max: ACTIVITIES_KNOWN });
    return {
      keep: async (sessions) => {
        const answered = await questions.of(sessions.map(answeredSession));
        const kept: AnonymousSession[] = [];
        for (const [index, session] of sessions.entries()) {
          const { activityId } = session;
          const isShared = shared.get(activityId) ?? (await this.isShared(organisation, activityId, user));
          shared.set(activityId, isShared);
          kept.push(anonymous(session, answered[index]!, isShared));
        }
        await this.store.keep(organisation, kept);
      },
    };
  }

  /** Whether another learner, or an anonymous session, has this activity_id. */
  private async isShared(organisation: number, activityId: string, user: string): Promise<boolean> {
    const { sessions, store } = this;
    return (
      (await sessions.isShared(organisation, activityId, user)) || (await store.hasActivity(organisation, activityId))
    );
  }
}

/** The session in the form that statistics read. */
function answeredSession({ id, formId, responses }: Session): AnsweredSession {
  return {
    id,
    formId,
    responses: responses.map((response) => ({
      item: response.itemReference,
      question: response.questionReference,
      type: response.type,
      score: response.score,
      maxScore: response.maxScore,
      attempted: response.attempted,
      value: response.response?.value ?? null,
    })),
  };
}
