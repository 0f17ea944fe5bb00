import { html, nothing, type TemplateResult } from 'lit';
import type { SaveState } from '../saver';
import type { Submitted } from '../delivery/port';
import { textOf } from '../members';
import { answersAsText, refusedText } from './dialogs';
import { spoken } from './durations';
import type { Options } from './options';
import type { Shell, ShownTest } from './shell';

/** The panel before a test. */
export function introPanel(
  { attempt, say, title, config, frames }: Shell,
  options: Options,
  begin: () => void,
): TemplateResult {
  const count = attempt.items.flatMap(({ item }) => item.response_ids).length;
  // After a fixed start, a learner who comes late has only the rest of the time.
  const { max_time: max, remaining_seconds: left } = attempt.time;
  const limit = options.startType === 'hard' ? left : max;
  const adaptive = attempt.part ? say('intro_testlets') : say('intro_adaptive');
  return html`<div class="itembank-panel">
    <h2>${title}</h2>
    ${subtitle(config)}
    <p>
      ${attempt.isAdaptive ? adaptive : count === 1 ? say('intro_one') : say('intro', count)}
      ${limit === null ? nothing : say('intro_time', spoken(limit, say))}
    </p>
    ${frames.intro ?? nothing}
    <button type="button" class="itembank-primary" @click=${begin}>${say('start')}</button>
  </div>`;
}

export const subtitle = (config: Shell['config']): unknown =>
  textOf(config['subtitle']) ? html`<p class="itembank-subtitle">${config['subtitle']}</p>` : nothing;

/**
 * The panel after a test. After practice, the results are below it.
 *
 * @param submitted absent when the service ended the test.
 * @param unstored the text that says which answers are not stored.
 */
export function donePanel(
  { attempt, say, frames }: Shell,
  { title, submitted, unstored }: { title: string; submitted: Submitted | undefined; unstored: string | undefined },
  leave: () => void,
): TemplateResult {
  const isKeptHere = submitted?.isKeptHere ?? false;
  const total = submitted?.total;
  return html`<div class="itembank-panel">
      <h2 tabindex="-1">${title}</h2>
      ${unstored === undefined ? nothing : html`<p>${unstored}</p>`}
      ${total ? html`<p>${say('total', total.score, total.max_score)}</p>` : html`<p>${say(isKeptHere ? 'kept_here' : 'submitted_text')}</p>`}
      ${isKeptHere ? answersAsText(attempt, say('kept_text'), say) : nothing} ${frames.outro ?? nothing}
      <button type="button" class="itembank-primary" @click=${leave}>${say('close')}</button>
    </div>
    ${attempt.started.activity.type === 'local_practice' ? html`<div class="itembank-items"></div>` : nothing}`;
}

/** Advice for a learner whose answers did not reach the service. */
export const failingText = ({ attempt, say }: ShownTest): string =>
  say(attempt.answers.isKept ? 'failing' : 'failing_unkept');

/** Says whether the answers are saved. */
export function savedText(shell: ShownTest, { onlyFailing = false } = {}): unknown {
  const { attempt, say } = shell;
  const { state } = attempt.saver;
  if (!attempt.isStored) return nothing;
  const isFine = state === 'saved' || state === 'unsaved' || state === 'saving' || state === 'over';
  const late = attempt.saver.hasLate ? html`<p class="itembank-saved is-failing">${say('late_section')}</p>` : nothing;
  if (isFine) return html`${late} ${onlyFailing ? nothing : html`<p class="itembank-saved">${say(state)}</p>`}`;
  return html`${late}
    <p class="itembank-saved is-failing">${problemText(shell, state)}</p>`;
}

type Problem = Exclude<SaveState, 'saved' | 'unsaved' | 'saving' | 'over'>;

function problemText(shell: ShownTest, problem: Problem): string {
  if (problem === 'elsewhere') return shell.say('stopped');
  if (problem === 'oversize') return oversizeText(shell) ?? '';
  if (problem === 'refused') return refusedText(shell);
  return failingText(shell);
}

/** Names the first answer that is too long to be saved. */
export const oversizeText = ({ attempt, views }: ShownTest): string | undefined =>
  views.flatMap(({ questions }) => questions).find((view) => attempt.answers.isOversize(view.responseId))?.obstacle;

/** The panel after a test was closed because the learner was inactive. */
export const closedPanel = (shell: Shell): TemplateResult =>
  html`<div class="itembank-panel">
    <h2 tabindex="-1">${shell.say('closed')}</h2>
    ${savedText(shell)}
    <p>${shell.say('closed_text')}</p>
  </div>`;

/** Shows all items with their results. */
export async function showPractised({ views }: Shell, holder: Element | null, submitted?: Submitted): Promise<void> {
  const elements = await Promise.all(views.map(async (view) => view.element ?? view.render()));
  for (const [at, element] of elements.entries()) {
    element.hidden = false;
    holder?.append(element);
    for (const question of views[at]!.questions) question.close(submitted?.reviews?.[question.responseId]);
  }
}
