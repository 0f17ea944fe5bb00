import type { Attempt } from '../attempt';
import type { ItemView } from '../item-view';
import type { Say } from '../labels';
import { isOn, type Members } from '../members';
import { pageError, type PageError } from '../page/errors';
import type { Events } from '../page/events';
import { adoptShellStyle } from './style';

interface Inline {
  say: Say;
  events: Events;
  options: Members;
}

/**
 * Renders items into the elements of the page: whole items into `.learnosity-item[data-reference]`, single questions
 * into `.learnosity-response.question-ID`.
 * @returns the error if the page has no element for an item.
 */
export async function placeInline(
  views: readonly ItemView[],
  attempt: Attempt,
  { say, events, options }: Inline,
): Promise<PageError | undefined> {
  adoptShellStyle();
  let missing: PageError | undefined;
  for (const view of views) {
    const { id } = view.state.item;
    const places = [...document.querySelectorAll<HTMLElement>('.learnosity-item')];
    const own = places.find((place) => place.dataset['reference'] === id);
    if (own) await view.render(own);
    else {
      await view.placeIn(document);
      if (view.questions.every(({ element }) => !element))
        missing ??= pageError(
          50001,
          'The page has no element for an item.',
          `<span class="learnosity-item" data-reference="${id}">`,
        );
    }
    view.state.viewed = true;
  }
  button('learnosity-save-button', 'lrn_save_button', isOn(options['renderSaveButton']), say('save'), () =>
    attempt.save(),
  );
  button(
    'learnosity-submit-button',
    'lrn_submit_button',
    isOn(options['renderSubmitButton']),
    say('submit'),
    async () => {
      const { reviews } = await attempt.submit();
      for (const view of views) for (const question of view.questions) question.close(reviews?.[question.responseId]);
      events.emit('test:submit:success');
    },
  );
  attempt.run(() => undefined);
  if (attempt.hasUnsaved) void attempt.saveWhenPossible();
  return missing;
}

function button(place: string, name: string, isWanted: boolean, label: string, act: () => Promise<unknown>): void {
  const holder = document.querySelector(`.${place}`);
  if (!holder || !isWanted) return;
  const element = document.createElement('button');
  element.type = 'button';
  element.className = `itembank-button ${name}`;
  element.textContent = label;
  element.addEventListener(
    'click',
    () => void act().catch((error: unknown) => console.error(`Itembank: ${String(error)}`)),
  );
  holder.replaceChildren(element);
}
