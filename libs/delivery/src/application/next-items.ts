import { Injectable } from '@nestjs/common';
import { Fault, type JsonObject, UnitOfWork } from '#kernel';
import { type Form, formOf, LiveSessions, type Session } from '#sessions';
import { nextItem, type Outcome } from '../domain/adaptive';
import { type Attempt } from '../domain/attempt';
import { Attempts } from './attempts';
import { DeliveredContent } from './delivered-content';
import { AttemptStore } from './ports/attempt-store';
import { type PageSave, type SaveAnswer, Saves } from './saves';
import { type Page } from './tokens';

export interface NextAnswer extends SaveAnswer {
  /** The item that comes now; none when the test is over. */
  items: JsonObject[];
  done: boolean;
}

/** Chooses the next item of adaptive tests from the answers so far. */
@Injectable()
export class NextItems {
  constructor(
    private readonly store: AttemptStore,
    private readonly saves: Saves,
    private readonly sessions: LiveSessions,
    private readonly attempts: Attempts,
    private readonly delivered: DeliveredContent,
    private readonly work: UnitOfWork,
  ) {}

  /** Saves what changed, and gives the next item. Sent again it has the same answer. @throws Stale as a save does */
  async next(page: Page, save: PageSave): Promise<NextAnswer> {
    return this.saves.again(page, async ({ plan }) => {
      if (!plan.adaptive)
        throw new Fault('value', 'All items of this test were sent at its start; adaptive tests ask for the next one.');
      const saved = await this.saves.save(page, save);
      const attempt = (await this.store.find(page.organisation, page.sessionId))!;
      const items = await this.chosen(page, attempt);
      return { ...saved, items, done: items.length === 0 };
    });
  }

  private async chosen(page: Page, attempt: Attempt): Promise<JsonObject[]> {
    const { organisation, sessionId, terms } = page;
    const { plan, seed } = attempt;
    const adaptive = plan.adaptive!;
    const session = (await this.sessions.find(organisation, sessionId))!;
    const form = await this.delivered.form(organisation, attempt.formId, session);
    if (adaptive.chosenAfter === attempt.saveNumber) {
      if (adaptive.isDone) return [];
      return (await this.delivered.items({ form, plan, seed, session }, terms, false)).slice(-1);
    }
    const candidates = await this.delivered.form(organisation, adaptive.candidates, undefined);
    const choice = adaptive.isDone ? undefined : nextItem(adaptive, candidates.items, outcomesOf(session, form), seed);
    const state = { ...adaptive, chosenAfter: attempt.saveNumber, step: choice?.step ?? null, isDone: !choice };
    const next: Attempt = { ...attempt, plan: { ...plan, adaptive: state }, version: attempt.version + 1 };
    if (!choice) {
      await this.work.run(() => this.saves.replace(page, next));
      return [];
    }
    const item = candidates.items.find(({ reference }) => reference === choice.reference)!;
    const extended = formOf([...form.items, item], form.settings);
    const added = await this.attempts.presentPlan(formOf([item], form.settings));
    next.plan.items = [...plan.items, ...added.items];
    next.formId = extended.id;
    const stored = await this.saves.extend(page, attempt, next, extended);
    return (await this.delivered.items({ form: extended, plan: next.plan, seed, session: stored }, terms, false)).slice(
      -1,
    );
  }
}

/** What the items of a session came to so far. An answer that waits for its score counts as wrong. */
function outcomesOf(session: Session, form: Form): Outcome[] {
  let at = 0;
  return form.items.map(({ reference, difficulty, isSeeding, questions }, index) => {
    const responses = session.responses.slice(at, (at += questions.length));
    const { score, maxScore } = session.items[index]!.scoring;
    const isAttempted = responses.some(({ attempted }) => attempted);
    return { reference, difficulty, isSeeding, score: score ?? 0, maxScore, isAttempted };
  });
}
