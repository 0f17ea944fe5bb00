import { html, nothing, type TemplateResult } from 'lit';
import { isOn, secondsOf, textOf } from '../members';
import { clockText } from './durations';
import type { Options } from './options';
import { savedText, subtitle } from './panels';
import type { Shell } from './shell';

/** The part of the player that the bars use. */
export interface BarsHost {
  readonly shell: Shell;
  readonly options: Options;
  readonly ending: { readonly isSubmitting: boolean };
  /** Whether the player waits for the next item or testlet of an adaptive test. */
  readonly isAsking: boolean;
  readonly isReading: boolean;
  readonly readingLeft: number;
  move(by: number): void;
  submit(): Promise<void>;
}

/** A position among the items, in words. */
export function positionText({ attempt, say }: Shell, position = attempt.current): string {
  const at = attempt.numberOf(position);
  const { part } = attempt;
  if (part) return say('item_of_part', part.number, at, attempt.openItems.length);
  return attempt.isAdaptive ? say('item', at) : say('item_of', at, attempt.items.length);
}

/** The bar above an item: title, section, position, marks and time. */
export function topBar(player: BarsHost): TemplateResult {
  const { shell, options } = player;
  const { attempt, say, title, config } = shell;
  const { total } = attempt.started;
  const section = attempt.started.activity.sections?.[attempt.sectionOf(attempt.current)]?.config;
  const names = [section?.['title'], section?.['subtitle']].filter(textOf);
  return html`<div class="itembank-top" role="region" aria-label=${say('status')}>
    <div>
      ${
        options.shows('title_element')
          ? html`<h2>${title}</h2>
              ${subtitle(config)}`
          : hiddenTitle(shell)
      }
      ${names.map((name) => html`<p class="itembank-section">${name}</p>`)}
    </div>
    <p class="itembank-figures">
      ${options.shows('itemcount_element') ? html`<span>${positionText(shell)}</span>` : nothing}
      ${total ? html`<strong>${say('total', total.score, total.max_score)}</strong>` : nothing}
      ${options.shows('timer_element') ? timer(player) : nothing}
    </p>
  </div>`;
}

/** The heading above the questions for screen readers. */
export const hiddenTitle = ({ title }: Shell): TemplateResult => html`<h2 class="itembank-hidden">${title}</h2>`;

function timer({ shell: { attempt, say }, isReading, readingLeft }: BarsHost): unknown {
  if (!attempt.isOpen) return nothing;
  if (isReading)
    return html`<span class="itembank-timer" role="timer" aria-live="off"
      >${say('reading_left', clockText(readingLeft))}</span
    >`;
  const { remaining, max, time } = attempt.limit;
  const isLate = remaining !== null && remaining <= secondsOf(time['warning_time']);
  const text =
    remaining === null || max === null
      ? say('time', clockText(attempt.elapsed))
      : isOn(time['countdown_option'])
        ? say('time_left', clockText(remaining))
        : `${clockText(max - remaining)} / ${clockText(max)}`;
  return html`<span class="itembank-timer ${isLate ? 'is-late' : ''}" role="timer" aria-live="off">${text}</span>`;
}

/** The bar below an item: the state of saving, and the buttons to move on. */
export function bottomBar(player: BarsHost): TemplateResult {
  const { shell, options } = player;
  const { attempt, say } = shell;
  const isLast = options.isVertical || (!attempt.isAdaptive && attempt.current === attempt.items.length - 1);
  const hasPrevious =
    !options.isVertical &&
    attempt.current > attempt.firstOpen &&
    !options.isBehind(attempt.current - 1) &&
    options.shows('previous_button');
  const canFinish = options.shows('submit_button') || (isLast && options.shows('next_button'));
  return html`<div class="itembank-bottom" role="navigation" aria-label=${say('navigation')}>
    ${savedText(shell)}
    ${hasPrevious ? html`<button type="button" @click=${() => player.move(-1)}>${say('previous')}</button>` : nothing}
    ${options.shows('next_button') && !isLast ? nextButton(player) : nothing}
    ${attempt.isOpen && canFinish ? finishButton(player) : nothing}
  </div>`;
}

const nextButton = (player: BarsHost): TemplateResult =>
  html`<button type="button" class="itembank-primary" ?disabled=${player.isAsking} @click=${() => player.move(1)}>
    ${player.shell.say('next')}
  </button>`;

/** Not `disabled` while it submits: it would lose the focus, and the dialog of a failure could not give it back. */
const finishButton = (player: BarsHost): TemplateResult =>
  html`<button
    type="button"
    class="itembank-primary"
    ?disabled=${player.isReading}
    aria-disabled=${player.ending.isSubmitting || nothing}
    @click=${() => void player.submit()}
  >
    ${player.shell.say('finish')}
  </button>`;
