import { isOn, listOf, type Members, objectOf, secondsOf } from '../members';
import type { Shell } from './shell';

const DEFAULT_SAVE_SECONDS = 30;

export interface ElementOptions {
  /** The older switch of the element, in `navigation` or `group`. */
  older?: string;
  group?: 'navigation' | 'time';
  /** Whether presets leave it out. */
  isOptional?: boolean;
}

/** The elements of regions that the player knows. It arranges them itself. */
export const ELEMENTS = {
  accessibility_button: { older: 'show_accessibility' },
  calculator_button: { older: 'show_calculator', isOptional: true },
  flagitem_button: {},
  fullscreen_button: { older: 'show_fullscreencontrol' },
  horizontaltoc_element: { older: 'toc', isOptional: true },
  itemcount_element: { older: 'show_itemcount' },
  linereader_button: { isOptional: true },
  masking_button: { older: 'show_answermasking', isOptional: true },
  next_button: { older: 'show_next' },
  pause_button: { older: 'show_pause', group: 'time' },
  previous_button: { older: 'show_prev' },
  reviewscreen_button: {},
  save_button: { older: 'show_save' },
  submit_button: { isOptional: true },
  timer_element: { older: 'show_time', group: 'time' },
  title_element: { older: 'show_title' },
  vertical_element: { isOptional: true },
  verticaltoc_element: { older: 'toc' },
} as const satisfies Record<string, ElementOptions>;

/** The rules in the activity's configuration. */
export class Options {
  constructor(private readonly host: { readonly shell: Shell }) {}

  get configuration(): Members {
    return objectOf(this.host.shell.config['configuration']);
  }

  get navigation(): Members {
    return objectOf(this.host.shell.config['navigation']);
  }

  /** The type of `start_time`. With either, the clock never stops; with `hard`, it begins at a fixed time. The service enforces both. */
  get startType(): 'hard' | 'soft' | undefined {
    const { type } = objectOf(objectOf(this.host.shell.config['time'])['start_time']);
    return type === 'hard' || type === 'soft' ? type : undefined;
  }

  get canAutoSave(): boolean {
    return this.host.shell.attempt.isStored && this.navigation['auto_save'] !== false;
  }

  get saveSeconds(): number {
    const own = objectOf(this.navigation['auto_save']);
    return secondsOf(own['save_interval_duration'] ?? own['saveIntervalDuration']) || DEFAULT_SAVE_SECONDS;
  }

  get hasContents(): boolean {
    const isShown = this.shows('verticaltoc_element') || this.shows('horizontaltoc_element');
    return isShown && this.host.shell.attempt.openItems.length > 1;
  }

  /** Questions that still must be answered before submitting: `configuration.submit_criteria`. */
  get mustAnswer(): number {
    const { type, threshold } = objectOf(this.configuration['submit_criteria']);
    if (type !== 'attempted') return 0;
    const { attempt } = this.host.shell;
    const all = attempt.items.flatMap(({ item }) => item.response_ids).length;
    const wanted = Math.ceil((Math.min(100, secondsOf(threshold)) / 100) * all);
    return Math.max(0, wanted - (all - attempt.unattempted));
  }

  /** Whether a position lies in an earlier section to which the activity allows no return, or before the present testlet. */
  isBehind(position: number): boolean {
    const { attempt } = this.host.shell;
    if (position < attempt.firstOpen) return true;
    const options = objectOf(this.configuration['section_options']);
    if (!attempt.isOpen || isOn(options['allow_backward_navigation'])) return false;
    return attempt.sectionOf(position) < attempt.sectionOf(attempt.current);
  }

  /** The question that the learner must confirm before going to a position, if there is one. */
  warningBefore(position: number): { text: string; mayGo: boolean; isUnanswered: boolean } | undefined {
    const { attempt, say } = this.host.shell;
    if (!attempt.isOpen || position === attempt.current) return undefined;
    const onChange = this.navigation['warning_on_change'];
    const isWarned = isOn(onChange) || (typeof onChange === 'object' && onChange !== null);
    if (isWarned && attempt.answers.attemptOf(attempt.item.item) !== 'fully_attempted') {
      const mayGo = !isOn(objectOf(onChange)['disable_item_navigation']);
      return { text: say('leave_unanswered'), mayGo, isUnanswered: true };
    }
    const leavesSection = attempt.sectionOf(position) > attempt.sectionOf(attempt.current);
    if (leavesSection && isOn(this.navigation['warning_on_section_change']))
      return { text: say('leave_section'), mayGo: true, isUnanswered: false };
    return undefined;
  }

  /**
   * Whether the player shows an element of its regions. A region override decides first, then a list of elements, then the
   * older switch. A list always shows the way on. The preset `main` shows all but the optional elements, and `items-only` none.
   */
  shows(type: keyof typeof ELEMENTS): boolean {
    const { config } = this.host.shell;
    if (type === 'pause_button' && this.startType) return false;
    const set = Object.entries(objectOf(config['region_overrides'])).flatMap(([name, value]) =>
      name.endsWith(`.${type}`) ? [value] : Object.hasOwn(objectOf(value), type) ? [objectOf(value)[type]] : [],
    );
    if (set.length > 0) return set.some((value) => value !== null && (typeof value === 'object' || isOn(value)));
    if (this.isBare) return false;
    const named = this.elements;
    if (named.length > 0 && type !== 'next_button') return named.some((element) => element['type'] === type);
    const { group = 'navigation', older, isOptional = false }: ElementOptions = ELEMENTS[type];
    return isOn(older === undefined ? undefined : objectOf(config[group])[older], !isOptional);
  }

  /** Whether all items are below one another. Adaptive tests and sections have an order that learners cannot see beforehand. */
  get isVertical(): boolean {
    const { attempt } = this.host.shell;
    return !attempt.isAdaptive && !attempt.started.activity.sections && this.shows('vertical_element');
  }

  /** Whether the page builds its own player around the items. */
  get isBare(): boolean {
    return this.host.shell.config['regions'] === 'items-only';
  }

  /** The elements of the activity's own regions; none for a preset. */
  get elements(): Members[] {
    return elementsOf(this.host.shell.config['regions']);
  }
}

/** The elements of regions that are written as lists. */
export const elementsOf = (regions: unknown): Members[] =>
  Object.values(objectOf(regions)).flatMap((elements) => listOf(elements).map(objectOf));
