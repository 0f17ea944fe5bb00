import { html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { css } from '../../css';
import { announce } from '../../interactions/announce';
import { fill, type Labels, labelsFor } from '../../labels';
import { type Members, isTrue, numberOf, textOf } from '../../members';
import { baseStyle } from '../../style';

const SECOND_MS = 1_000;
const DEFAULT_LENGTH = 30;
const MAX_LENGTH = 86_400;
/** The place of the time in a template: `{num}`, or any name in two brackets. */
const PLACE = /\{num\}|\{\{\s*\w+\s*\}\}/;

/** A timer that the learner starts. It counts seconds from its length down to zero, or from zero up to its length. */
export default class Counter extends LitElement {
  static override styles = [
    baseStyle,
    css`
      .counter {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
      }

      .time {
        min-inline-size: 4ch;
        font-size: 1.25em;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) feature: Members = {};
  @property({ attribute: false }) labels: Labels = labelsFor('en');
  @state() private elapsed = 0;
  @state() private isRunning = false;
  private timer: ReturnType<typeof setInterval> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override render(): TemplateResult {
    const { labels } = this;
    return html`<div class="counter" role="group" aria-label=${labels.counter}>
      <span class="time" role="timer" aria-live="off">${this.text}</span>
      <button
        type="button"
        class="button"
        ?disabled=${this.elapsed >= this.length}
        @click=${() => (this.isRunning ? this.stop() : this.start())}
      >
        ${this.isRunning ? labels.stop : labels.start}
      </button>
      <button type="button" class="button" ?disabled=${this.elapsed === 0} @click=${() => this.reset()}>
        ${labels.reset}
      </button>
    </div>`;
  }

  private get length(): number {
    return Math.min(MAX_LENGTH, Math.max(1, Math.round(numberOf(this.feature['length'], DEFAULT_LENGTH))));
  }

  private get text(): string {
    const seconds = this.feature['direction'] === 'up' ? this.elapsed : this.length - this.elapsed;
    const time = isTrue(this.feature['show_minutes'])
      ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
      : String(seconds);
    const template = textOf(this.feature['template']);
    return PLACE.test(template) ? template.replace(PLACE, time) : time;
  }

  private start(): void {
    this.isRunning = true;
    this.timer = setInterval(() => {
      this.elapsed += 1;
      if (this.elapsed < this.length) return;
      this.stop();
      announce(fill(this.labels.counter_over, [this.length]));
    }, SECOND_MS);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.isRunning = false;
  }

  private reset(): void {
    this.stop();
    this.elapsed = 0;
  }
}
