import { html, nothing, type TemplateResult } from 'lit';
import { markup } from './markup';
import { plainText } from './plain-text';

/**
 * The shown text of an author.
 * @param name for screen readers, if the text has no words, such as a picture without alternative text.
 */
export const contentOf = (text: string, name: string): TemplateResult =>
  html`${plainText(text) === '' ? html`<span class="visually-hidden">${name}</span>` : nothing}<span class="content"
      >${markup(text)}</span
    >`;
