import { html, nothing } from 'lit';
import { isTrue } from '../members';
import type { QuestionElement } from '../question-element';
import { moveInToolbar } from './toolbar';

const ACTIONS = ['copy', 'cut', 'paste'] as const;

/** The buttons that a question offers for its text field: `show_copy`, `show_cut`, `show_paste`. */
export function clipboardButtons(host: QuestionElement): unknown {
  const shown = ACTIONS.filter((action) => isTrue(host.question[`show_${action}`]));
  if (shown.length === 0) return nothing;
  return html`<div
    class="formatting"
    role="toolbar"
    aria-label=${host.label('clipboard')}
    aria-controls="answer"
    @keydown=${moveInToolbar}
  >
    ${shown.map(
      (action, at) =>
        html`<button
          type="button"
          class="button is-text"
          tabindex=${at === 0 ? 0 : -1}
          @click=${() => void use(host, action).catch(() => host.announce('no_clipboard'))}
        >
          ${host.label(action)}
        </button>`,
    )}
  </div>`;
}

async function use(host: QuestionElement, action: (typeof ACTIONS)[number]): Promise<void> {
  const field = host.renderRoot.querySelector('textarea')!;
  const selected = () => field.value.slice(field.selectionStart, field.selectionEnd);
  const replaceSelected = (text: string) => {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  if (action === 'paste') replaceSelected(await navigator.clipboard.readText());
  else await navigator.clipboard.writeText(selected());
  if (action === 'cut') replaceSelected('');
  field.focus();
}
