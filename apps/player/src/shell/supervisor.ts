import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { Refused, SupervisorAction } from '../delivery/port';
import type { OpenDialog } from './open-dialog';
import type { Shell } from './shell';

const MINUTE = 60;
const MAX_MINUTES = 24 * 60;
const DEFAULT_MINUTES = 10;

interface Host extends ReactiveControllerHost {
  readonly shell: Shell;
  readonly dialog: OpenDialog;
  readonly ending: { discarded(): void; saveAndClose(): void; submit(): Promise<void> };
}

/** The dialog of the person who supervises the test. */
export class Supervisor {
  /** The password, once the service has accepted it. */
  #password: string | undefined;
  #actions: readonly SupervisorAction[] = [];
  #isBusy = false;
  #isAskingToDiscard = false;
  /** The result of the last step. */
  #message: string | undefined;

  constructor(private readonly host: Host) {}

  render(): TemplateResult {
    const { say } = this.host.shell;
    return html`<h2 id="itembank-dialog-title" tabindex="-1">${say('supervisor')}</h2>
      ${this.#password === undefined ? this.#locked() : this.#isAskingToDiscard ? this.#discarding() : this.#unlocked()}
      <p id="itembank-dialog-text" role="status">${this.#message}</p>`;
  }

  #locked(): TemplateResult {
    const { dialog, shell } = this.host;
    const { say } = shell;
    return html`<form @submit=${this.#unlock}>
      <p>
        <label for="itembank-password">${say('supervisor_password')}</label>
        <input id="itembank-password" name="password" type="password" autocomplete="off" required autofocus />
      </p>
      <div class="itembank-actions">
        <button type="button" @click=${() => dialog.dismiss()}>${say('cancel')}</button>
        <button class="itembank-primary" ?disabled=${this.#isBusy}>${say('go_on')}</button>
      </div>
    </form>`;
  }

  #unlocked(): TemplateResult {
    const { dialog, shell } = this.host;
    const { say } = shell;
    const can = (action: SupervisorAction) => this.#actions.includes(action);
    const button = (label: string, act: () => void) =>
      html`<button type="button" ?disabled=${this.#isBusy} @click=${act}>${label}</button>`;
    return html`
      ${
        can('extend') && this.#isExtendable
          ? html`<form @submit=${this.#extend}>
              <p>
                <label for="itembank-minutes">${say('supervisor_minutes')}</label>
                <input
                  id="itembank-minutes"
                  name="minutes"
                  type="number"
                  min="1"
                  max=${MAX_MINUTES}
                  required
                  value=${DEFAULT_MINUTES}
                />
                <button ?disabled=${this.#isBusy}>${say('supervisor_extend')}</button>
              </p>
            </form>`
          : nothing
      }
      <div class="itembank-actions">
        ${can('discard') ? button(say('supervisor_discard'), () => this.#askToDiscard(true)) : nothing}
        ${can('submit') ? button(say('submit'), () => void this.host.ending.submit()) : nothing}
        ${can('save') ? button(say('supervisor_save'), () => this.host.ending.saveAndClose()) : nothing}
        <button type="button" class="itembank-primary" @click=${() => dialog.dismiss()}>${say('close')}</button>
      </div>
    `;
  }

  /** Whether the service keeps the limit that applies now. It keeps hard limits of sections only. */
  get #isExtendable(): boolean {
    const { max, section, isHard } = this.host.shell.attempt.limit;
    return max !== null && (section < 0 || isHard);
  }

  #discarding(): TemplateResult {
    const { say } = this.host.shell;
    return html`<p>${say('supervisor_discard_text')}</p>
      <div class="itembank-actions">
        <button type="button" @click=${() => this.#askToDiscard(false)}>${say('cancel')}</button>
        <button type="button" class="itembank-primary" ?disabled=${this.#isBusy} @click=${this.#discard}>
          ${say('supervisor_discard')}
        </button>
      </div>`;
  }

  readonly #unlock = (event: SubmitEvent) => {
    const password = fieldOf(event, 'password');
    void this.#run(async () => {
      this.#actions = (await this.host.shell.attempt.supervise(password)).actions;
      this.#password = password;
      this.#show();
      return undefined;
    });
  };

  readonly #extend = (event: SubmitEvent) => {
    const minutes = Number(fieldOf(event, 'minutes'));
    void this.#run(async () => {
      const { attempt, say } = this.host.shell;
      await attempt.supervise(this.#password!, { action: 'extend', seconds: minutes * MINUTE });
      return say('supervisor_extended', minutes);
    });
  };

  readonly #discard = () => {
    void this.#run(async () => {
      await this.host.shell.attempt.supervise(this.#password!, { action: 'discard' });
      this.host.ending.discarded();
      return undefined;
    });
  };

  #askToDiscard(isAsking: boolean): void {
    this.#isAskingToDiscard = isAsking;
    this.#message = undefined;
    this.#show();
  }

  /** Shows another step of the dialog, and moves the focus to its beginning. */
  #show(): void {
    this.host.requestUpdate();
    void this.host.updateComplete.then(() => document.getElementById('itembank-dialog-title')?.focus());
  }

  async #run(step: () => Promise<string | undefined>): Promise<void> {
    const { say } = this.host.shell;
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#message = undefined;
    this.host.requestUpdate();
    try {
      this.#message = await step();
    } catch (error) {
      // An error of the connection has no status.
      const { status, message } = error as Partial<Refused>;
      if (status === undefined) this.#message = say('unreachable');
      else this.#message = this.#password === undefined && status === 403 ? say('supervisor_wrong') : message;
    } finally {
      this.#isBusy = false;
      this.host.requestUpdate();
    }
  }
}

/** The value of a field in a submitted form. Forms have no address to send it to. */
function fieldOf(event: SubmitEvent, name: string): string {
  event.preventDefault();
  const value = new FormData(event.target as HTMLFormElement).get(name);
  return typeof value === 'string' ? value : '';
}
