import { decodeHTML } from 'entities';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { Unreadable } from './source';

const MAX_DEPTH = 200;
const CHUNK_LENGTH = 65_536;

/** An element of a parsed document. */
export class XmlElement {
  readonly children: (XmlElement | string)[] = [];
  /** The markup as it stands in the file. Only children of the root have it, where these are read one at a time. */
  markup = '';

  constructor(
    /** Without prefix: `simpleChoice`. */
    readonly name: string,
    readonly namespace: string,
    /** Values by the names in the file, with their prefixes: `xml:lang`. */
    readonly attributes: Readonly<Record<string, string>>,
    readonly line: number,
    readonly parent: XmlElement | undefined,
    /** Place among the siblings of the same name, from 1. */
    private readonly place: number,
  ) {}

  get elements(): XmlElement[] {
    return this.children.filter((child) => child instanceof XmlElement);
  }

  all(name: string): XmlElement[] {
    return this.elements.filter((child) => child.name === name);
  }

  first(name: string): XmlElement | undefined {
    return this.elements.find((child) => child.name === name);
  }

  /** The elements below this one, at any depth, in the order of the document. */
  *below(): Generator<XmlElement> {
    for (const child of this.elements) {
      yield child;
      yield* child.below();
    }
  }

  /** All text in the element, without markup. */
  get text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text)).join('');
  }

  /** XPath from the root: `/quiz/question[3]/answer`. */
  get path(): string {
    return `${this.parent?.path ?? ''}/${this.name}${this.place > 1 ? `[${this.place}]` : ''}`;
  }
}

/**
 * Parses a document. Any error is fatal, and so is a DOCTYPE: no entity is ever resolved.
 * @throws Unreadable `xml-invalid`, `xml-doctype` or `xml-too-deep` with the line.
 */
export function parseXml(text: string, path: string): XmlElement {
  const parsing = new Parsing(path, false);
  parsing.write(text);
  return parsing.end();
}

/**
 * The children of the root, one at a time, so that a long document takes little memory. The root, with its attributes, is the
 * parent of each.
 * @throws Unreadable as `parseXml`; children before the error have been given by then.
 */
export function* childrenOfRoot(text: string, path: string): Generator<XmlElement> {
  const parsing = new Parsing(path, true, text);
  for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
    parsing.write(text.slice(at, at + CHUNK_LENGTH));
    yield* parsing.finished.splice(0);
  }
  parsing.end();
  yield* parsing.finished.splice(0);
}

class Parsing {
  /** Complete children of the root; only for readers that take them one at a time. */
  readonly finished: XmlElement[] = [];
  private readonly parser = new SaxesParser({ xmlns: true, position: true });
  private root: XmlElement | undefined;
  private open: XmlElement | undefined;
  private depth = 0;
  private childBegins = 0;
  private readonly places = new WeakMap<object, Map<string, number>>();

  constructor(
    private readonly path: string,
    private readonly childByChild: boolean,
    /** The whole text of the document; only for readers that need markup. */
    private readonly text = '',
  ) {
    // The message begins with the place, and ends with a full stop.
    this.parser.on('error', ({ message }) => this.refuse('xml-invalid', message.replace(/^\d+:\d+: |\.$/g, '')));
    this.parser.on('doctype', () => this.refuse('xml-doctype', 'a DOCTYPE is not allowed'));
    this.parser.on('opentag', (tag) => this.begin(tag));
    this.parser.on('closetag', () => this.finish());
    this.parser.on('text', (text) => this.open?.children.push(text));
    this.parser.on('cdata', (text) => this.open?.children.push(text));
  }

  write(text: string): void {
    this.parser.write(text);
  }

  end(): XmlElement {
    this.parser.close();
    return this.root ?? this.refuse('xml-invalid', 'there is no element');
  }

  private begin({ local, uri, attributes }: SaxesTagNS): void {
    if (++this.depth > MAX_DEPTH)
      this.refuse('xml-too-deep', `elements stand more than ${MAX_DEPTH} deep in each other`);
    const values = Object.fromEntries(Object.values(attributes).map(({ name, value }) => [name, value]));
    const element = new XmlElement(local, uri, values, this.parser.line, this.open, this.placeOf(local));
    this.root ??= element;
    // The parser stands behind the tag, and a tag holds no other `<`.
    if (this.childByChild && this.depth === 2) this.childBegins = this.text.lastIndexOf('<', this.parser.position - 1);
    if (!this.childByChild || this.depth > 2) this.open?.children.push(element);
    this.open = element;
  }

  private finish(): void {
    if (this.childByChild && this.depth === 2) {
      this.open!.markup = this.text.slice(this.childBegins, this.parser.position);
      this.finished.push(this.open!);
    }
    this.depth--;
    this.open = this.open?.parent;
  }

  private placeOf(name: string): number {
    if (!this.open) return 1;
    const places = this.places.get(this.open) ?? new Map<string, number>();
    this.places.set(this.open, places);
    places.set(name, (places.get(name) ?? 0) + 1);
    return places.get(name)!;
  }

  private refuse(code: 'xml-invalid' | 'xml-doctype' | 'xml-too-deep', reason: string): never {
    const { line } = this.parser;
    throw new Unreadable(code, `${this.path}, line ${line}: ${reason}.`, `${this.path}:${line}`);
  }
}

export const hasTags = (text: string): boolean => /<[a-z][^<>]*>/i.test(text);

/** Text as HTML that shows it. */
export const htmlOfText = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The text of HTML on one line. @param gap takes the place of each tag. */
export const textOfHtml = (html: string, gap: '' | ' '): string =>
  decodeHTML(html.replace(/<[^<>]*>/g, gap))
    .replace(/\s+/g, ' ')
    .trim();

/** Text as the value of an attribute in double quotes. */
export const attributeOf = (text: string): string => htmlOfText(text).replace(/"/g, '&quot;');

const EMPTY_ELEMENTS = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/**
 * The nodes as HTML.
 * @param replace gives other HTML for an element, or undefined to keep it.
 */
export function htmlOf(
  nodes: readonly (XmlElement | string)[],
  replace: (element: XmlElement) => string | undefined = () => undefined,
): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return htmlOfText(node);
      const other = replace(node);
      if (other !== undefined) return other;
      const attributes = Object.entries(node.attributes)
        .filter(([name]) => name !== 'xmlns' && name !== 'xml:base' && !name.startsWith('xmlns:'))
        .map(([name, value]) => ` ${name === 'xml:lang' ? 'lang' : name}="${attributeOf(value)}"`)
        .join('');
      const begin = `<${node.name}${attributes}>`;
      return EMPTY_ELEMENTS.has(node.name) ? begin : `${begin}${htmlOf(node.children, replace)}</${node.name}>`;
    })
    .join('');
}
