import { html, nothing, type TemplateResult } from 'lit';
import type { Attempt, ItemState } from '../attempt';
import { Refused } from '../delivery/port';
import type { Say } from '../labels';
import { listOf, objectOf } from '../members';
import type { Dialog, OpenDialog } from './open-dialog';
import { type Shell, showAnswers, type ShownTest } from './shell';

export const FONT_SIZES = ['small', 'normal', 'large', 'xlarge', 'xxlarge'] as const;
export const COLOURS = ['auto', 'light', 'dark'] as const;
export type FontSize = (typeof FONT_SIZES)[number];
export type Colours = (typeof COLOURS)[number];
/** The number of failed submissions after which the learner gets the answers as text. */
export const TRIES_BEFORE_TEXT = 3;

/** The part of the player that dialogs use: its state, and the actions of their buttons. */
export interface DialogHost {
  readonly shell: Shell;
  readonly ending: {
    readonly isSubmitting: boolean;
    readonly failures: number;
    readonly isRefused: boolean;
    end(): void;
    submit(): Promise<void>;
  };
  readonly dialog: OpenDialog;
  readonly supervisor: { render(): TemplateResult } | undefined;
  readonly tools: { entry(state: ItemState, shown: string): TemplateResult };
  fontSize: FontSize;
  colours: Colours;
  askForNext(): Promise<void>;
  goTo(position: number): Promise<void>;
  pause(isPaused: boolean): Promise<void>;
  requestUpdate(): void;
  stay(): void;
}

/** The content and the buttons of the player's dialogs. */
export class Dialogs implements Record<Dialog, () => TemplateResult> {
  /** The answers after the last failure. Their text contains the time, and must not change while the learner copies it. */
  #asText: { failures: number; shown: TemplateResult } | undefined;
  /** Whether the test is being loaded to go on here. */
  #isGoingOn = false;

  constructor(private readonly player: DialogHost) {}

  submit(): TemplateResult {
    const { attempt, say } = this.player.shell;
    const content = html`${unansweredText(this.player.shell, attempt.items)}
      <p>${say('submit_text')}</p>`;
    return dialog(say('submit_question'), content, [this.#close('cancel'), this.#submit('submit')]);
  }

  review(): TemplateResult {
    const { attempt, say } = this.player.shell;
    const states = {
      fully_attempted: say('answered'),
      partially_attempted: say('partly_answered'),
      not_attempted: say('not_answered'),
    };
    const list = html`<ol class="itembank-list">
      ${attempt.openItems.map((state) =>
        this.player.tools.entry(
          state,
          `${say('item', attempt.numberOf(state.position))}: ${states[attempt.answers.attemptOf(state.item)]}`,
        ),
      )}
    </ol>`;
    return dialog(say('review'), nothing, this.#close('close'), list);
  }

  display(): TemplateResult {
    const { say } = this.player.shell;
    const choice = <T extends string>(name: string, label: string, value: T, present: T, set: (value: T) => void) =>
      html`<label>
        <input
          type="radio"
          name=${name}
          .checked=${value === present}
          ?autofocus=${value === present}
          @change=${() => {
            set(value);
            this.player.requestUpdate();
          }}
        />
        ${label}
      </label>`;
    const choices = html`<fieldset>
        <legend>${say('font_size')}</legend>
        ${FONT_SIZES.map((size) =>
          choice(
            'itembank-font',
            say(`font_${size}`),
            size,
            this.player.fontSize,
            (value) => (this.player.fontSize = value),
          ),
        )}
      </fieldset>
      <fieldset>
        <legend>${say('colours')}</legend>
        ${COLOURS.map((each) =>
          choice(
            'itembank-colours',
            say(`colours_${each}`),
            each,
            this.player.colours,
            (value) => (this.player.colours = value),
          ),
        )}
      </fieldset>`;
    return dialog(say('display'), nothing, this.#close('close'), choices);
  }

  pause(): TemplateResult {
    const { say } = this.player.shell;
    return dialog(
      say('paused'),
      html`<p>${say('paused_text')}</p>`,
      primary(say('go_on'), () => void this.player.pause(false)),
      this.#unreachable(),
    );
  }

  leave(): TemplateResult {
    const { say } = this.player.shell;
    const { text, go } = this.player.dialog.question;
    const goOn = () => {
      this.player.dialog.dismiss();
      go?.();
    };
    return dialog(text, nothing, [
      primary(say('stay'), () => this.player.dialog.dismiss()),
      go ? button(say('leave'), goOn) : nothing,
    ]);
  }

  /** Asks before a testlet, to which there is no way back. */
  part(): TemplateResult {
    const { attempt, say } = this.player.shell;
    const content = html`${unansweredText(this.player.shell, attempt.openItems)}
      <p>${say('part_text')}</p>`;
    const leave = () => void this.player.askForNext().catch(() => undefined);
    return dialog(say('part_question'), content, [this.#close('stay'), primary(say('leave'), leave)]);
  }

  idle(): TemplateResult {
    const { say } = this.player.shell;
    return dialog(
      say('idle'),
      html`<p>${say('idle_text')}</p>`,
      primary(say('go_on'), () => this.player.stay()),
    );
  }

  supervisor(): TemplateResult {
    return this.player.supervisor!.render();
  }

  timeOver(): TemplateResult {
    const { say } = this.player.shell;
    return dialog(
      say('time_over'),
      nothing,
      primary(say('go_on'), () => this.player.dialog.close()),
    );
  }

  failed(): TemplateResult {
    const { attempt, say } = this.player.shell;
    const { failures, isRefused } = this.player.ending;
    if (this.#asText?.failures !== failures)
      this.#asText = { failures, shown: answersAsText(attempt, say('submit_data'), say) };
    return dialog(
      say('submit_failed'),
      html`<p>${isRefused ? refusedText(this.player.shell) : keptText(this.player.shell)}</p>`,
      [this.#close('cancel'), this.#submit('try_again')],
      isRefused || failures >= TRIES_BEFORE_TEXT ? this.#asText.shown : nothing,
    );
  }

  elsewhere(): TemplateResult {
    const { attempt, say, views, viewOf } = this.player.shell;
    const here = async () => {
      const added = await attempt.takeOver();
      views.push(...added.map(viewOf));
      showAnswers(views, attempt);
      this.player.dialog.close();
      if (attempt.current < attempt.firstOpen) await this.player.goTo(attempt.firstOpen);
      void attempt.saver.saveWhenPossible();
    };
    const hereIfReached = async () => {
      if (this.#isGoingOn) return;
      this.#isGoingOn = true;
      this.player.dialog.isUnreachable = false;
      try {
        await here();
      } catch (error) {
        // The session has ended meanwhile, so it does not start again.
        if (error instanceof Refused && error.isStale) this.player.ending.end();
        else if (error instanceof Refused && !error.isForNow) {
          attempt.saver.state = 'refused';
          there();
        } else this.player.dialog.isUnreachable = true;
      } finally {
        this.#isGoingOn = false;
      }
    };
    const there = () => {
      attempt.stop();
      for (const view of views) for (const question of view.questions) question.disable('player');
      this.player.dialog.close();
    };
    return dialog(
      say('elsewhere'),
      html`<p>${say('elsewhere_text')}</p>`,
      [button(say('go_on_there'), there), primary(say('go_on_here'), () => void hereIfReached())],
      this.#unreachable(),
    );
  }

  custom(): TemplateResult {
    const { header, body, buttons } = objectOf(this.player.dialog.custom);
    const { events, say } = this.player.shell;
    const own = listOf(buttons)
      .map(objectOf)
      .map(({ button_id: id, label, is_primary: isPrimary }) =>
        (isPrimary ? primary : button)(label, () => events.emit(`button:${String(id)}:clicked`)),
      );
    return dialog(
      header,
      html`<p>${body}</p>`,
      own.length > 0 ? own : button(say('close'), () => this.player.dialog.dismiss()),
    );
  }

  #close(name: 'cancel' | 'close' | 'stay'): TemplateResult {
    return button(this.player.shell.say(name), () => this.player.dialog.dismiss());
  }

  #submit(name: 'submit' | 'try_again'): TemplateResult {
    const { ending, shell } = this.player;
    return primary(shell.say(name), () => void ending.submit(), ending.isSubmitting);
  }

  #unreachable(): unknown {
    const { dialog, shell } = this.player;
    return dialog.isUnreachable ? html`<p role="alert">${shell.say('unreachable')}</p>` : nothing;
  }
}

/** @param text describes the dialog: screen readers read it when the dialog opens. */
const dialog = (title: unknown, text: unknown, buttons: unknown, content: unknown = nothing): TemplateResult =>
  html`<h2 id="itembank-dialog-title">${title}</h2>
    <div id="itembank-dialog-text">${text}</div>
    ${content}
    <div class="itembank-actions">${buttons}</div>`;

const button = (text: unknown, act: () => void): TemplateResult =>
  html`<button type="button" @click=${act}>${text}</button>`;

/** The button that most people want. */
const primary = (text: unknown, act: () => void, isDisabled = false): TemplateResult =>
  html`<button type="button" class="itembank-primary" ?disabled=${isDisabled} @click=${act}>${text}</button>`;

function unansweredText({ attempt, say }: Shell, items: readonly ItemState[]): unknown {
  const count = attempt.unattemptedOf(items);
  if (count === 0) return nothing;
  return html`<p>${count === 1 ? say('unanswered_one') : say('unanswered', count)}</p>`;
}

/** Advice for a learner from whose page the service accepts no more answers. */
export const refusedText = ({ attempt, say }: ShownTest): string =>
  say(attempt.answers.isKept ? 'save_refused' : 'save_refused_unkept');

/** Advice for a learner whose submission did not reach the service. */
export const keptText = ({ attempt, say }: ShownTest): string =>
  say(attempt.answers.isKept ? 'submit_failed_text' : 'submit_failed_unkept');

/** The answers as a text to copy or download, which the service accepts. */
export function answersAsText(attempt: Attempt, label: string, say: Say): TemplateResult {
  const text = attempt.asText();
  return html`<label>${label} <textarea class="itembank-data" readonly .value=${text}></textarea></label>
    <p>
      <a
        download="${attempt.started.session.session_id}.txt"
        href=${URL.createObjectURL(new Blob([text], { type: 'text/plain' }))}
        >${say('download')}</a
      >
    </p>`;
}
