import type { Labels } from '#renderer';
import type { Attempt, ItemState } from '../attempt';
import type { Delivery } from '../delivery/port';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import type { Members } from '../members';
import type { Events } from '../page/events';

/** The input of the player. */
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
  /** Called at the end. It replaces the redirect to another page. */
  onleave?: () => void;
  /** The items shown before and after the test. */
  frames: { intro?: HTMLElement; outro?: HTMLElement };
}
