import { css, html, nothing, type TemplateResult } from 'lit';
import { isTrue, numberOf, objectOf, textOf } from '../members';
import type { QuestionElement } from '../question-element';
import { lengthOf } from '../response-container';
import { textField } from './typing';

/** Long texts, which a person scores. */

export const essayStyle = css`
  .essay .field {
    display: block;
    inline-size: 100%;
    min-block-size: 8rem;
    resize: vertical;
  }

  .essay .count {
    margin-block: 0.375rem 0;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  .essay .count.is-over {
    color: var(--_wrong);
    font-weight: 600;
  }
`;

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** A field for a long text, with the number of its words. @param text as the learner sees it. */
export function essayField(
  host: QuestionElement,
  text: string,
  labelledBy: string,
  type: (text: string) => void,
): TemplateResult {
  const { question } = host;
  const isReadOnly = host.disabled || host.mode !== 'answer';
  const max = Math.max(1, Math.round(numberOf(question['max_length'], 10_000)));
  const words = countWords(text);
  const limit = textOf(question['show_word_limit'], 'always');
  const showsLimit = limit === 'always' || (limit === 'on-limit' && words >= max);
  const showsCount = question['show_word_count'] !== false && question['show_word_count'] !== 'false';
  const count = showsLimit ? host.label('words_of', words, max) : host.label('words', words);
  return html`<div class="essay">
    ${textField(host, {
      id: 'answer',
      text,
      labelledBy,
      isReadOnly,
      type,
      placeholder: textOf(question['placeholder']),
      spellcheck: isTrue(question['spellcheck'] ?? true),
      isMultiline: true,
      characterMap: question['character_map'],
      height: lengthOf(objectOf(question['ui_style'])['min_height']),
    })}
    ${showsLimit || showsCount ? html`<p class="count ${words > max ? 'is-over' : ''}">${count}</p>` : nothing}
  </div>`;
}
