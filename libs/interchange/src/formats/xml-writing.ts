import { attributeOf, htmlOfText } from './xml';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

// Characters that no XML document can hold.
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

export const xmlSafe = (text: string): string => text.replace(NO_XML, '');

export const xmlText = (text: string): string => htmlOfText(xmlSafe(text));

const attribute = (value: string | number | boolean): string =>
  attributeOf(xmlSafe(String(value))).replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);

/** An element with exactly this name. */
export function xmlElement(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => ` ${member}="${attribute(value!)}"`);
  const inner = content.join('');
  return inner === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inner}</${name}>`;
}
