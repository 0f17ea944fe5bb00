import type { Labels } from '#renderer';
import type { Attempt, ItemState } from '../attempt';
import type { Delivery } from '../delivery/port';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import type { Members } from '../members';
import type { Events } from '../page/events';

/** The part of a test that texts about its answers need. */
export interface ShownTest {
  attempt: Attempt;
  say: Say;
  views: readonly ItemView[];
}

/** Shows the present answers in the questions on the page. */
export function showAnswers(views: readonly ItemView[], { answers }: Attempt): void {
  for (const { questions } of views)
    for (const { element, responseId } of questions)
      if (element) element.value = answers.get(responseId)?.value ?? null;
}

/** The test that the player shows, and what it needs from its page. */
export interface Shell {
  attempt: Attempt;
  delivery: Delivery;
  views: ItemView[];
  /** Makes the view of an item that arrives during the test. */
  viewOf: (state: ItemState) => ItemView;
  say: Say;
  /** The texts of questions and features. */
  labels: Labels;
  events: Events;
  /** `config` of the activity. */
  config: Members;
  title: string;
  /** Called when the learner leaves the test. If present, the player does not redirect to another page. */
  onleave?: () => void;
  /** The items shown before and after the test. */
  frames: { intro?: HTMLElement; outro?: HTMLElement };
}
