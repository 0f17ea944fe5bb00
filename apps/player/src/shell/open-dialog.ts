import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { announceIn, announceMessage } from '#renderer';
import type { Shell } from './shell';

/** The names of the dialogs. */
export type Dialog =
  | 'submit'
  | 'review'
  | 'display'
  | 'pause'
  | 'failed'
  | 'elsewhere'
  | 'timeOver'
  | 'custom'
  | 'leave'
  | 'part'
  | 'idle'
  | 'supervisor';

/** The part of the player that its dialog uses. */
interface OpenDialogHost extends ReactiveControllerHost, Element {
  readonly shell: Shell;
  stay(): void;
}

/** The dialog that is open, if any, and what it shows. */
export class OpenDialog {
  /** The dialog that the page passed to `dialogs().custom.show`. */
  custom: unknown;
  /** The question of the dialog `leave`, and how to go on; without `go`, the learner must stay. */
  question: { text: string; go?: () => void } = { text: '' };
  #name: Dialog | undefined;
  #isUnreachable = false;

  constructor(
    private readonly host: OpenDialogHost,
    private readonly contents: Record<Dialog, () => TemplateResult>,
  ) {}

  get name(): Dialog | undefined {
    return this.#name;
  }

  /** Whether the last call of a button of the dialog did not reach the service. */
  get isUnreachable(): boolean {
    return this.#isUnreachable;
  }

  set isUnreachable(isUnreachable: boolean) {
    this.#isUnreachable = isUnreachable;
    this.host.requestUpdate();
  }

  open(name: Dialog, custom?: unknown): void {
    // A learner cannot answer a dialog that another one replaces.
    if (this.#name === 'idle' && name !== 'idle') this.host.stay();
    this.custom = custom;
    this.#name = name;
    this.host.requestUpdate();
    void this.host.updateComplete.then(() => {
      this.show();
      this.host.shell.events.emit('test:panel:show', name);
    });
  }

  /**
   * Makes the dialog modal. One that replaces another, or whose player was off the page, becomes modal anew, so that the
   * focus is at its beginning.
   */
  show(): void {
    const element = this.host.querySelector('dialog');
    if (!element) return;
    const isReplacing = element.open;
    element.close();
    element.showModal();
    announceIn(element);
    // Screen readers speak a dialog only when the focus comes into it.
    if (isReplacing) announceMessage([...element.querySelectorAll(PARTS)].map(textIn).join(': '));
  }

  /** Asks whether to go on; without `go`, only tells why the learner must stay. */
  ask(text: string, go?: () => void): void {
    this.question = { text, ...(go ? { go } : {}) };
    this.open('leave');
  }

  close(): void {
    if (this.#name === undefined) return;
    this.host.querySelector('dialog')?.close();
    announceIn(this.host);
    this.host.shell.events.emit('test:panel:hide', this.#name);
    this.#name = undefined;
    this.isUnreachable = false;
  }

  /** Closes the dialog to go back to the test, which stays paused if it is. */
  dismiss(): void {
    this.close();
    if (this.host.shell.attempt.isPaused) this.open('pause');
  }

  render(): unknown {
    const name = this.#name;
    if (name === undefined) return nothing;
    return html`<dialog
      aria-labelledby="itembank-dialog-title"
      aria-describedby="itembank-dialog-text"
      @cancel=${(event: Event) => (mustAnswer(name) ? event.preventDefault() : undefined)}
      @close=${({ target }: Event) => this.#closed(name, target as HTMLDialogElement)}
    >
      ${this.contents[name]()}
    </dialog>`;
  }

  /** The event comes after `close()`, when another dialog may be open, in the same element or in another one. */
  #closed(name: Dialog, { open, isConnected }: HTMLDialogElement): void {
    if (open || !isConnected) return;
    // Browsers let a second Escape close any dialog.
    if (mustAnswer(name)) this.open(name);
    else if (name === 'idle') this.host.stay();
    else this.dismiss();
  }
}

/** The title of a dialog, and the text that describes it. */
const PARTS = '#itembank-dialog-title, #itembank-dialog-text:not(:empty)';

const textIn = ({ textContent }: Element): string => textContent.trim();

/** Escape cancels other dialogs. */
const mustAnswer = (name: Dialog): boolean => name === 'pause' || name === 'elsewhere';
