import { announceMessage } from '#renderer';
import type { SaveState } from '../saver';
import { refusedText } from './dialogs';
import { failingText, oversizeText } from './panels';
import type { Shell } from './shell';

interface Listeners {
  /** Called when another page goes on with the test. */
  onelsewhere: () => void;
  /** Called when the service has ended the test. */
  onover: () => void;
}

/** Announces how saving goes, each change once. */
export class SaveNews {
  #state: SaveState = 'saved';
  /** Whether the learner was told that answers could not be saved, and not yet that they are. */
  #hasFailed = false;
  /** Whether the learner was told that some answers came too late for their section. */
  #hasToldLate = false;

  constructor(
    private readonly host: { readonly shell: Shell },
    private readonly listeners: Listeners,
  ) {}

  /** Called whenever the test may have changed. */
  update(): void {
    const { saver } = this.host.shell.attempt;
    if (saver.hasLate && !this.#hasToldLate) {
      this.#hasToldLate = true;
      announceMessage(this.host.shell.say('late_section'));
    }
    if (saver.state === this.#state) return;
    this.#state = saver.state;
    this.#announce(saver.state);
  }

  #announce(state: SaveState): void {
    const { shell } = this.host;
    if (state === 'failing' && !this.#hasFailed) {
      this.#hasFailed = true;
      announceMessage(failingText(shell));
    }
    if (state === 'oversize') announceMessage(oversizeText(shell) ?? '');
    if (state === 'refused') announceMessage(refusedText(shell));
    if (state === 'saved' && this.#hasFailed) {
      this.#hasFailed = false;
      announceMessage(shell.say('saved'));
    }
    // Both render the player again, which may be rendering now.
    if (state === 'elsewhere') queueMicrotask(this.listeners.onelsewhere);
    if (state === 'over') queueMicrotask(this.listeners.onover);
  }
}
