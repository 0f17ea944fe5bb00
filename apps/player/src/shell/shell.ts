import type { Attempt, ItemState } from '../attempt';
import type { Delivery } from '../delivery/port';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import type { Members } from '../members';
import type { Events } from '../page/events';

/** What the player is given. */
export interface Shell {
  attempt: Attempt;
  delivery: Delivery;
  views: ItemView[];
  /** Of an item that comes while the test is taken. */
  viewOf: (state: ItemState) => ItemView;
  say: Say;
  events: Events;
  /** `config` of the activity. */
  config: Members;
  title: string;
  /** Called at the end, in place of going to another page. */
  onleave?: () => void;
  /** What is shown before and after the test. */
  frames: { intro?: HTMLElement; outro?: HTMLElement };
}
