import { isOn, listOf, type Members, objectOf, secondsOf } from '../members';
import type { Shell } from './shell';

const DEFAULT_SAVE_SECONDS = 30;

/** The rules in the activity's configuration. */
export class Options {
  constructor(private readonly host: { readonly shell: Shell }) {}

  get configuration(): Members {
    return objectOf(this.host.shell.config['configuration']);
  }

  get navigation(): Members {
    return objectOf(this.host.shell.config['navigation']);
  }

  get canAutoSave(): boolean {
    return this.host.shell.attempt.isStored && this.navigation['auto_save'] !== false;
  }

  get saveSeconds(): number {
    const own = objectOf(this.navigation['auto_save']);
    return secondsOf(own['save_interval_duration'] ?? own['saveIntervalDuration']) || DEFAULT_SAVE_SECONDS;
  }

  get hasContents(): boolean {
    const { attempt, config } = this.host.shell;
    const isWanted = isOn(this.navigation['toc'] ?? objectOf(config['regions'])['toc'], true);
    return isWanted && attempt.openItems.length > 1;
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
    if (!attempt.isOpen) return undefined;
    const onChange = this.navigation['warning_on_change'];
    const isWarned = isOn(onChange) || (typeof onChange === 'object' && onChange !== null);
    if (isWarned && attempt.attemptOf(attempt.item) !== 'fully_attempted') {
      const mayGo = !isOn(objectOf(onChange)['disable_item_navigation']);
      return { text: say('leave_unanswered'), mayGo, isUnanswered: true };
    }
    const leavesSection = attempt.sectionOf(position) > attempt.sectionOf(attempt.current);
    if (leavesSection && isOn(this.navigation['warning_on_section_change']))
      return { text: say('leave_section'), mayGo: true, isUnanswered: false };
    return undefined;
  }

  /**
   * Whether the activity has a tool: as an element of a region, or by an override of a region.
   * @param older a member of `navigation` that also adds the tool.
   */
  hasTool(type: string, older?: string): boolean {
    const { config } = this.host.shell;
    if (older !== undefined && isOn(this.navigation[older])) return true;
    const overrides = Object.entries(objectOf(config['region_overrides']));
    const set = overrides.flatMap(([name, value]) =>
      name.endsWith(`.${type}`) ? [value] : Object.hasOwn(objectOf(value), type) ? [objectOf(value)[type]] : [],
    );
    if (set.length > 0) return set.some((value) => value !== null && (typeof value === 'object' || isOn(value)));
    const regions = Object.values(objectOf(config['regions'])).flatMap((elements) => listOf(elements));
    return regions.some((element) => objectOf(element)['type'] === type);
  }
}
