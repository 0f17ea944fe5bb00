import { Injectable } from '@nestjs/common';
import { Fault, type JsonObject } from '#kernel';
import { isRight } from '#scoring';
import { type Form, type FormItem, formOf, LiveSessions, type Session } from '#sessions';
import { type AdaptiveState, nextItem } from '../domain/adaptive';
import { type Attempt, type Plan } from '../domain/attempt';
import { type Outcome } from '../domain/by-difficulty';
import { nextTestlet } from '../domain/testlets';
import { AttemptChanges } from './attempt-changes';
import { Compositions } from './compositions';
import { DeliveredContent } from './delivered-content';
import { type PageSave } from './page-save';
import { AttemptStore } from './ports/attempt-store';
import { type SaveAnswer, Saves } from './saves';
import { type Page } from './tokens';

export interface NextAnswer extends SaveAnswer {
  /** The next item, or the items of the next testlet; empty when the test is over. */
  items: JsonObject[];
  done: boolean;
}

/** Chooses the next item of adaptive tests from the previous answers. */
@Injectable()
export class NextItems {
  constructor(
    private readonly store: AttemptStore,
    private readonly changes: AttemptChanges,
    private readonly saves: Saves,
    private readonly sessions: LiveSessions,
    private readonly compositions: Compositions,
    private readonly delivered: DeliveredContent,
  ) {}

  /**
   * Saves the changes, and returns the item or the testlet after the current item of the save. A repeated call gets the same answer.
   * @throws Stale as a save does.
   */
  async next(page: Page, save: PageSave): Promise<NextAnswer> {
    return this.changes.change(page, async ({ plan }) => {
      if (!plan.adaptive)
        throw new Fault('value', 'All items of this test were sent at its start; adaptive tests ask for the next one.');
      if (!plan.items.some(({ id }) => id === save.currentItem))
        throw new Fault(
          'value',
          'current_item must be the id of the item after which the next one comes.',
          '/current_item',
        );
      const saved = await this.saves.save(page, save);
      const items = await this.after(page, save.currentItem!);
      return { ...saved, items, done: items.length === 0 };
    });
  }

  private async after(page: Page, item: string): Promise<JsonObject[]> {
    const { organisation, sessionId, terms } = page;
    const attempt = (await this.store.find(organisation, sessionId))!;
    const session = (await this.sessions.find(organisation, sessionId))!;
    const present = await this.delivered.form(organisation, attempt.formId, session);
    const end = endAfter(attempt.plan, item);
    const shown = async (form: Form, plan: Plan, stored: Session) => {
      const items = await this.delivered.items({ form, plan, seed: attempt.seed, session: stored }, terms, false);
      return items.slice(end);
    };
    // Another call has already chosen.
    if (end < attempt.plan.items.length) return shown(present, attempt.plan, session);
    const { candidates: id, ...state } = attempt.plan.adaptive!;
    const candidates = await this.delivered.form(organisation, id, undefined);
    const chosen = chosenBy(state, candidates.items, outcomesOf(session, present), attempt.seed);
    if (!chosen) return [];
    const form = formOf([...present.items, ...chosen.items], present.settings);
    const added = await this.compositions.presentPlan(formOf(chosen.items, present.settings));
    const plan: Plan = {
      ...attempt.plan,
      items: [...attempt.plan.items, ...added.items],
      adaptive: { candidates: id, ...chosen.state },
    };
    const next: Attempt = { ...attempt, plan, formId: form.id, version: attempt.version + 1 };
    return shown(form, plan, await this.saves.extend(page, attempt, next, form));
  }
}

type Progress = Omit<AdaptiveState, 'candidates'>;

/** The next items, and the progress with them; undefined when the test is over. */
function chosenBy(
  state: Progress,
  candidates: readonly FormItem[],
  outcomes: readonly Outcome[],
  seed: string,
): { items: FormItem[]; state: Progress } | undefined {
  const { rules, step, testlets } = state;
  if (rules.type === 'branching') {
    const chosen = nextTestlet(rules, testlets!, candidates, outcomes, seed);
    return chosen && { items: chosen.items, state: { ...state, testlets: chosen.testlets } };
  }
  const choice = nextItem({ rules, step }, candidates, outcomes, seed);
  if (!choice) return undefined;
  const item = candidates.find(({ reference }) => reference === choice.reference)!;
  return { items: [item], state: { ...state, step: choice.step } };
}

/** The number of items up to an item, or up to the end of its testlet. */
function endAfter({ items, adaptive }: Plan, item: string): number {
  const position = items.findIndex(({ id }) => id === item);
  if (!adaptive?.testlets) return position + 1;
  return adaptive.testlets.given.find(({ from }) => from > position)?.from ?? items.length;
}

/** The scores of a session's items so far. */
function outcomesOf(session: Session, form: Form): Outcome[] {
  let at = 0;
  return form.items.map(({ reference, difficulty, isSeeding, questions }, index) => {
    const responses = session.responses.slice(at, (at += questions.length));
    const { score, maxScore } = session.items[index]!.scoring;
    return { reference, difficulty, isSeeding, score, maxScore, right: isRight({ score, maxScore }, responses) };
  });
}
