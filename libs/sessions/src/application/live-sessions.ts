import { Injectable } from '@nestjs/common';
import { type PinnedItem } from '#content';
import { Events } from '#events';
import { Clock, newId, type Scope } from '#kernel';
import { type ItemScoringType } from '#scoring';
import { type Form, type FormSettings } from '../domain/form';
import { saved } from '../domain/saving';
import { resumedEvent } from '../domain/session-events';
import { type Session } from '../domain/session';
import { type Submission } from '../domain/submission';
import { Completions } from './completions';
import { Forms } from './forms';
import { ResponseScoring, waits } from './response-scoring';
import { SessionStore } from './ports/session-store';
import { SessionChanges } from './session-changes';

/** A learner's submission at one time, and its form. */
export interface LiveSave {
  submission: Submission;
  form: Form;
  /** The ids of its responses, in the order of the form. */
  responseIds: readonly string[];
}

/** Saves and completes sessions while learners take them. The learner waits for each step. */
@Injectable()
export class LiveSessions {
  constructor(
    private readonly store: SessionStore,
    private readonly forms: Forms,
    private readonly scoring: ResponseScoring,
    private readonly changes: SessionChanges,
    private readonly completions: Completions,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  async find(organisation: number, sessionId: string): Promise<Session | undefined> {
    return (await this.store.read(organisation, [sessionId])).get(sessionId);
  }

  async form(organisation: number, id: string): Promise<Form | undefined> {
    return (await this.forms.of(organisation, [id])).get(id);
  }

  /** The form of these items in their current state. `save` stores it with the first save. */
  async compose(
    items: readonly PinnedItem[],
    settings: FormSettings,
    scoringType: ItemScoringType | undefined,
  ): Promise<Form> {
    return this.forms.compose(
      items.map((item) => this.forms.item(item, scoringType)),
      settings,
    );
  }

  /** Stores a form, so that `form` can find it. */
  async keep(organisation: number, form: Form): Promise<void> {
    await this.forms.keep(organisation, [form]);
  }

  /**
   * Saves a session; completes it if the submission says so. Scores quick questions directly. Slow questions wait for a
   * job, which starts when the session is completed.
   * @param known the session as the last save returned it, if the caller has it; spares reading it.
   * @param next computes the submission from the stored session; throws to prevent the save. It is called again after a
   *   concurrent change.
   * @param left is called last in the unit of work, with the session as stored.
   * @throws Refused
   */
  async save(
    scope: Scope,
    sessionId: string,
    known: Session | undefined,
    next: (before: Session | undefined) => Promise<LiveSave>,
    left: (session: Session) => Promise<void>,
  ): Promise<Session> {
    let marked: Session | undefined;
    const change = async (before: Session | undefined): Promise<Session> => {
      const { submission, form, responseIds } = await next(before);
      const now = this.clock.now();
      const options = { ignoreRevisions: false, id: newId(now), now, responseIds };
      const { session, changed } = saved(before, submission, form, options);
      marked = await this.scoring.marked(session, form, changed, { now, quickly: true });
      return marked;
    };
    return this.changes.applyAlone(scope, sessionId, known, change, async () => {
      if (marked!.status === 'Completed' && marked!.responses.some(waits))
        await this.completions.start([sessionId], scope);
      await left(marked!);
    });
  }

  /** The current state of a session; locks it until the caller's unit of work ends. */
  async lock(organisation: number, sessionId: string): Promise<number | undefined> {
    return (await this.store.lock(organisation, [sessionId])).get(sessionId);
  }

  /**
   * Emits the event of a continued session. Call it in the unit of work that locks the session.
   * @param otherItems whether other items were requested.
   */
  async resumed(session: Session, { otherItems }: { otherItems: boolean }, scope: Scope): Promise<void> {
    await this.events.record([resumedEvent(session, otherItems, scope.now)], scope.shelf.organisation, scope.now);
  }
}
