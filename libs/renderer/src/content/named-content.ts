import { html, nothing, type TemplateResult } from 'lit';
import { hasWords, markup } from './markup';

/**
 * The shown text of an author.
 * @param name for screen readers, if the text has no words, such as a picture without alternative text.
 */
export const contentOf = (text: string, name: string): TemplateResult =>
  html`${hasWords(text) ? nothing : html`<span class="visually-hidden">${name}</span>`}<span class="content"
      >${markup(text)}</span
    >`;
