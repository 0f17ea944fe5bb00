import { announce } from '#renderer';
import { Refused, type Submitted } from '../delivery/port';
import { isOn } from '../members';
import type { OpenDialog } from './open-dialog';
import type { Options } from './options';
import { oversizeText, showPractised } from './panels';
import type { Shell } from './shell';
import type { ShownItems } from './shown-items';
import type { Tools } from './tools';

/** The part of the player that the end of a test uses. */
interface EndingHost extends ParentNode {
  readonly shell: Shell;
  readonly options: Options;
  readonly tools: Tools;
  readonly dialog: OpenDialog;
  readonly items: ShownItems;
  refresh(): void;
  showEnd(screen: 'done' | 'closed'): Promise<void>;
}

/** The ways in which a test ends: submitted, saved for later, discarded by a supervisor, or ended by the service. */
export class Ending {
  isSubmitting = false;
  /** The number of submissions that failed. */
  failures = 0;
  /** Whether the service refused the last one, so that a repetition fails too. */
  isRefused = false;
  submitted: Submitted | undefined;
  /** Says which answers of this page are not stored. */
  unstored: string | undefined;

  constructor(private readonly host: EndingHost) {}

  async submit(): Promise<void> {
    const { shell, options, dialog } = this.host;
    const { attempt, events, say } = shell;
    if (this.isSubmitting || !attempt.isOpen) return;
    this.isSubmitting = true;
    this.host.items.setDisabled(true);
    this.host.refresh();
    announce(say('submitting'));
    events.emit('test:submit');
    const { hasUnsaved } = attempt.answers;
    const oversize = oversizeText(shell);
    try {
      const submitted = (this.submitted = await attempt.saver.submit());
      const isLate = submitted.left_out || attempt.saver.hasLate || (hasUnsaved && submitted.time_over);
      this.unstored = isLate ? say('late') : oversize;
      const isShown = this.#close();
      events.emit('test:submit:success');
      await isShown;
      if (!isOn(options.navigation['show_outro'], true)) this.leave('submit');
      if (attempt.started.activity.type === 'local_practice')
        void showPractised(shell, this.host.querySelector('.itembank-items'), submitted);
    } catch (error) {
      this.failures += 1;
      this.isRefused = error instanceof Refused && !error.isForNow;
      events.emit('test:submit:error', error);
      if (error instanceof Refused && error.isOver) this.end();
      else dialog.open(error instanceof Refused && error.isStale ? 'elsewhere' : 'failed');
    } finally {
      this.isSubmitting = false;
      this.host.items.setDisabled(false);
      this.host.refresh();
    }
  }

  /** Saves the answers, and closes the test; it can be continued later. */
  saveAndClose(): void {
    const { attempt } = this.host.shell;
    this.host.dialog.close();
    attempt.stop();
    this.host.items.setDisabled(true);
    void attempt.saver.saveWhenPossible().then(() => {
      // The player then shows the end of the session.
      if (attempt.saver.state === 'over') return;
      // Stays visible if the page has no other one for the learner, or if the service refuses the answers.
      void this.host.showEnd('closed');
      if (attempt.saver.state !== 'refused' && attempt.saver.state !== 'elsewhere') this.leave('save');
    });
  }

  /** Ends a test whose answers a supervisor has discarded. */
  discarded(): void {
    const { attempt, say } = this.host.shell;
    attempt.end();
    this.unstored = say('discarded');
    void this.#close();
    this.leave('discard');
  }

  /** Ends a test that the service has ended. */
  end(): void {
    const { attempt, say } = this.host.shell;
    if (attempt.isEnded) return;
    // The service may have stored a submission although its reply was lost. Only another try tells.
    if (this.failures > 0 && !this.isRefused) return void this.submit();
    attempt.end();
    this.unstored = say('late');
    void this.#close();
  }

  leave(kind: 'submit' | 'save' | 'discard'): void {
    const { attempt, events, onleave } = this.host.shell;
    events.emit(`test:finished:${kind}`);
    if (onleave) return onleave();
    const { [`on${kind}_redirect_url`]: target = '/' } = this.host.options.configuration;
    // After reset, the page leads the learner itself.
    if (attempt.isLeft || typeof target !== 'string' || target === '' || !URL.canParse(target, location.href)) return;
    const url = new URL(target, location.href);
    // Only pages: a script address would run in the page of the test.
    if (url.protocol === 'http:' || url.protocol === 'https:') location.assign(url);
  }

  /** The heading of the panel after the test. */
  get title(): string {
    const { say } = this.host.shell;
    if (!this.submitted) return say('over');
    return say(this.submitted.isKeptHere ? 'finished' : 'submitted');
  }

  #close(): Promise<void> {
    this.host.dialog.close();
    for (const view of this.host.shell.views)
      for (const question of view.questions) question.close(this.submitted?.reviews?.[question.responseId]);
    this.host.tools.close();
    announce([this.title, this.unstored].filter(Boolean).join(': '));
    return this.host.showEnd('done');
  }
}
