import MarkdownIt from 'markdown-it';
import { htmlOfText } from './xml';

const markdown = new MarkdownIt({ html: true, linkify: true });

/** Converts a text in one of Moodle's formats to HTML. Unknown formats count as HTML, as in Moodle. */
export function htmlIn(text: string, format: string): string {
  if (format === 'plain_text' || format === 'plain') return htmlOfText(text).replace(/\r?\n/g, '<br>');
  if (format === 'markdown') return markdown.render(text).trim();
  if (format === 'moodle_auto_format' || format === 'moodle') return text.replace(/\r?\n/g, '<br>');
  return text;
}
