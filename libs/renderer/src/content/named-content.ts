import { html, nothing, type TemplateResult } from 'lit';
import { markup } from './markup';
import { plainText } from './plain-text';

/**
 * A text of an author as shown. One without words, such as a picture without alternative text, gets a name for screen
 * readers.
 */
export const contentOf = (text: string, name: string): TemplateResult =>
  html`${plainText(text) === '' ? html`<span class="visually-hidden">${name}</span>` : nothing}<span class="content"
      >${markup(text)}</span
    >`;
