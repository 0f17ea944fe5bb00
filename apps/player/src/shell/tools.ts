import { html, nothing, type ReactiveElement, type TemplateResult } from 'lit';
import { announceMessage } from '#renderer';
import type { ItemState } from '../attempt';
import { Refused } from '../delivery/port';
import { FeatureView } from '../feature-view';
import { type Members, objectOf, textOf } from '../members';
import { listen } from './listen';
import type { LineReader } from './line-reader';
import type { OpenDialog } from './open-dialog';
import type { Options } from './options';
import { failingText } from './panels';
import type { Shell } from './shell';

/** The part of the player that tools use. */
export interface ToolsHost extends ReactiveElement {
  readonly shell: Shell;
  readonly options: Options;
  readonly dialog: OpenDialog;
  readonly isReading: boolean;
  choose(position: number): void;
  pause(isPaused: boolean): Promise<void>;
  save(): Promise<void>;
}

/** The tools beside an item, and the table of contents. */
export class Tools {
  #isMasking = false;
  #lineReader: LineReader | undefined;
  #calculatorPlace: HTMLElement | undefined;

  constructor(private readonly player: ToolsHost) {
    listen(player, { fullscreenchange: () => player.requestUpdate() });
  }

  /** Whether learners can cover options of questions. */
  get isMasking(): boolean {
    return this.#isMasking;
  }

  set isMasking(isMasking: boolean) {
    this.#isMasking = isMasking;
    this.applyMasking();
  }

  /** Applies the masking to all items, including those that arrived later. */
  applyMasking(): void {
    for (const view of this.player.shell.views)
      for (const question of view.questions) question.masking = this.#isMasking;
    this.player.requestUpdate();
  }

  close(): void {
    this.#lineReader?.close();
  }

  render(): TemplateResult {
    const { shell, options, isReading } = this.player;
    const { attempt, say } = shell;
    const { isOpen, item } = attempt;
    return html`
      ${options.hasContents ? this.#contents() : nothing}
      ${
        isOpen
          ? html`
              ${
                options.shows('flagitem_button')
                  ? html`<button type="button" aria-pressed=${item.flagged} @click=${() => this.#flag()}>
                      ${say('flag')}
                    </button>`
                  : nothing
              }
              ${
                options.shows('reviewscreen_button') && (!attempt.isAdaptive || attempt.part)
                  ? html`<button type="button" @click=${() => this.player.dialog.open('review')}>
                      ${say('review')}
                    </button>`
                  : nothing
              }
              ${
                options.shows('pause_button')
                  ? html`<button type="button" ?disabled=${isReading} @click=${() => void this.player.pause(true)}>
                      ${say('pause')}
                    </button>`
                  : nothing
              }
            `
          : nothing
      }
      ${
        attempt.isStored && options.shows('save_button')
          ? html`<button type="button" @click=${() => void this.#save()}>${say('save')}</button>`
          : nothing
      }
      ${
        isOpen && options.shows('masking_button')
          ? html`<button
              type="button"
              aria-pressed=${this.isMasking}
              @click=${() => (this.isMasking = !this.isMasking)}
            >
              ${say('masking')}
            </button>`
          : nothing
      }
      ${
        options.shows('linereader_button')
          ? html`<button
              type="button"
              aria-pressed=${this.#lineReader !== undefined}
              @click=${() => void this.#toggleLineReader()}
            >
              ${say('line_reader')}
            </button>`
          : nothing
      }
      ${isOpen && options.shows('calculator_button') ? this.#calculator() : nothing}
      ${
        options.shows('accessibility_button')
          ? html`<button type="button" @click=${() => this.player.dialog.open('display')}>${say('display')}</button>`
          : nothing
      }
      ${
        document.fullscreenEnabled && options.shows('fullscreen_button')
          ? html`<button
              type="button"
              aria-pressed=${document.fullscreenElement !== null}
              @click=${() => void this.#fullscreen()}
            >
              ${say('fullscreen')}
            </button>`
          : nothing
      }
      ${options.elements.filter(({ type }) => type === 'custom_button').map((element) => this.#custom(element))}
    `;
  }

  /** A calculator that opens in its place. It keeps what the learner typed. */
  #calculator(): HTMLElement {
    if (!this.#calculatorPlace) {
      const { options, shell } = this.player;
      const mode = options.elements.find(({ type }) => type === 'calculator_button')?.['mode'] ?? 'basic';
      this.#calculatorPlace = document.createElement('div');
      this.#calculatorPlace.className = 'itembank-calculator';
      void new FeatureView('calculator', { type: 'calculator', mode }).place(this.#calculatorPlace, shell.labels);
    }
    return this.#calculatorPlace;
  }

  /** A button of the page, which listens to its event. */
  #custom(element: Members): TemplateResult {
    const { name, label } = objectOf(element['options']);
    const emit = () => this.player.shell.events.emit(`button:${String(name)}:clicked`);
    return html`<button type="button" @click=${emit}>${textOf(label) ?? textOf(name)}</button>`;
  }

  /** A button that leads to an item and names its state. */
  entry(state: ItemState, shown: string): TemplateResult {
    const { attempt, say } = this.player.shell;
    const states = {
      fully_attempted: say('answered'),
      partially_attempted: say('partly_answered'),
      not_attempted: say('not_answered'),
    };
    const stateLabel = [
      ...(attempt.isOpen ? [states[attempt.answers.attemptOf(state.item)]] : []),
      ...(state.flagged ? [say('flagged')] : []),
    ].join(', ');
    const name = [say('item', attempt.numberOf(state.position)), stateLabel].filter(Boolean).join(', ');
    return html`<li>
      <button
        type="button"
        aria-label=${name}
        aria-current=${state.position === attempt.current ? 'step' : nothing}
        ?disabled=${this.player.options.isBehind(state.position)}
        @click=${() => this.player.choose(state.position)}
      >
        ${shown}${state.flagged ? html`<span aria-hidden="true"> ⚑</span>` : nothing}
      </button>
    </li>`;
  }

  #contents(): TemplateResult {
    const { attempt, say } = this.player.shell;
    return html`<div class="itembank-contents" role="navigation" aria-label=${say('contents')}>
      <ol>
        ${attempt.openItems.map((state) => this.entry(state, String(attempt.numberOf(state.position))))}
      </ol>
    </div>`;
  }

  /** Scrolls a long table of contents to the current item. */
  showCurrent(): void {
    const contents = this.player.querySelector('.itembank-contents');
    const current = contents?.querySelector<HTMLElement>('[aria-current]');
    if (contents && current)
      contents.scrollTop = current.offsetTop - (contents.clientHeight - current.offsetHeight) / 2;
  }

  async #toggleLineReader(): Promise<void> {
    const { player } = this;
    if (this.#lineReader) return this.#lineReader.close();
    const { LineReader } = await import('./line-reader');
    if (!customElements.get('itembank-line-reader')) customElements.define('itembank-line-reader', LineReader);
    const reader = document.createElement('itembank-line-reader') as InstanceType<typeof LineReader>;
    const opener = player.ownerDocument.activeElement;
    Object.assign(reader, { say: player.shell.say, watched: player.querySelector('.itembank-items') });
    reader.onleave = () => {
      reader.remove();
      this.#lineReader = undefined;
      player.requestUpdate();
      if (opener instanceof HTMLElement) opener.focus();
    };
    this.#lineReader = reader;
    player.append(reader);
    player.requestUpdate();
    await reader.updateComplete;
    reader.focus();
  }

  /** Saves, and tells the outcome to a learner who does not see it. The player tells what the service refuses. */
  async #save(): Promise<void> {
    const { player } = this;
    const { attempt, say } = player.shell;
    try {
      await player.save();
      if (attempt.saver.state === 'saved') announceMessage(say('saved'));
    } catch (error) {
      if (!(error instanceof Refused) || error.isForNow) announceMessage(failingText(player.shell));
    }
  }

  #flag(): void {
    const { attempt, events } = this.player.shell;
    attempt.flag();
    events.emit('item:flagged', attempt.current);
  }

  async #fullscreen(): Promise<void> {
    // Browsers may refuse this.
    if (document.fullscreenElement) await document.exitFullscreen().catch(() => undefined);
    else await this.player.requestFullscreen().catch(() => undefined);
  }
}
